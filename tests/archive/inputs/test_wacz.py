"""A WACZ is read where it lies: its archives are stretches of a zip file."""

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.archive import expand, read, split
from dbce.model import Capture, Limits, Reject
from dbce.storage import stem
from tests.archive.build import PAGE, answer, members, outcome, record
from tests.data import shared

RECORDS = [record(number, answer(PAGE + b"%d" % number)) for number in range(6)]
MEMBERS = members(RECORDS)
OTHERS = {"datapackage.json": b"{}", "pages/pages.jsonl": b"{}\n"}
TWO = {"archive/a.warc.gz": b"".join(MEMBERS[:3]), "archive/b.warc": b"".join(RECORDS[3:])}


def package(files: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, data in (files | OTHERS).items():
            archive.writestr(name, data)
    return stream.getvalue()


def all_of(*inputs: object) -> list[Capture | Reject]:
    return [one for s in expand([str(one) for one in inputs]) for one in read(s, Limits())]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    path = tmp_path / "crawl.wacz"
    path.write_bytes(package(TWO))
    return path


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_archives_of_a_wacz_are_inputs_of_their_own(tmp_path: Path, compression: int) -> None:
    path = tmp_path / "crawl.wacz"
    path.write_bytes(package(TWO, compression))
    first, second = expand([str(path)])
    inside = "crawl.wacz/archive/"
    assert (first.name, second.name) == (f"{inside}a.warc.gz", f"{inside}b.warc")
    stems = [stem(source.name).replace("%2F", "/") for source in (first, second)]
    assert stems == [f"{inside}a", f"{inside}b.warc"]
    assert [outcome(one) for one in all_of(path)] == ["page"] * 6


def test_offsets_are_those_of_the_archive_inside_wherever_the_package_is_found(crawl: Path) -> None:
    for found in (crawl, crawl.parent, crawl.parent / "*.wacz"):
        entries = all_of(found)
        assert len(entries) == 6
        offsets = [one.origin.offset for one in entries[:3]]
        assert offsets == [0, len(MEMBERS[0]), len(MEMBERS[0]) + len(MEMBERS[1])]


def test_packages_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for folder in "xy":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "crawl.wacz").write_bytes(package(TWO))
    names = [source.name for source in expand([str(tmp_path)])]
    assert names[0] == "x/crawl.wacz/archive/a.warc.gz"
    assert len(set(names)) == 4


def test_archives_of_one_name_in_a_package_are_all_read(crawl: Path) -> None:
    twins = package({"a.warc": RECORDS[0], "b.warc": RECORDS[1]}).replace(b"b.warc", b"a.warc")
    crawl.write_bytes(twins)
    assert {one.record_id for one in all_of(crawl)} == {"urn:test:0", "urn:test:1"}


def test_a_package_that_somebody_unpacked_is_a_folder(tmp_path: Path) -> None:
    place = tmp_path / "crawl.wacz" / "archive"
    place.mkdir(parents=True)
    (place / "a.warc.gz").write_bytes(TWO["archive/a.warc.gz"])
    assert [outcome(one) for one in all_of(place / "a.warc.gz")] == ["page"] * 3
    assert len(all_of(tmp_path)) == 3


def test_names_that_lead_outside_are_only_names(tmp_path: Path) -> None:
    (tmp_path / "secret.warc").write_bytes(RECORDS[0])
    path = tmp_path / "crawl.wacz"
    path.write_bytes(package({"../secret.warc": RECORDS[1], "/etc/x.warc": RECORDS[2]}))
    assert [one.record_id for one in all_of(path)] == ["urn:test:1", "urn:test:2"]
    assert all("/" not in stem(source.name) for source in expand([str(path)]))


@pytest.mark.parametrize("data", [b"", b"no zip", package({}), package({"data/a.txt": b"x"})])
def test_a_package_without_archives_is_one_rejected_row(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "crawl.wacz"
    path.write_bytes(data)
    (entry,) = all_of(path)
    assert (outcome(entry), entry.origin.filename) == ("not-an-archive", "crawl.wacz")
    assert entry.detail == ("no archive in this WACZ" if data else "the file is empty")


def test_a_package_that_breaks_off_gives_what_is_left_of_it(crawl: Path) -> None:
    crawl.write_bytes(crawl.read_bytes()[: len(TWO["archive/a.warc.gz"]) + 60])
    assert [outcome(one) for one in all_of(crawl)].count("page") == 3


def test_an_archive_that_is_encrypted_or_of_a_zip_to_come_costs_no_other(crawl: Path) -> None:
    data = bytearray(crawl.read_bytes())
    place = data.index(b"PK\1\2")  # the first entry in the directory
    data[place + 6], needed = 64, data[place + 6]  # "version needed to extract": 6.4
    crawl.write_bytes(data)
    assert [one.record_id for one in all_of(crawl) if outcome(one) == "page"]
    data[place + 6] = needed
    data[place + 8] |= 1  # encrypted
    crawl.write_bytes(bytes(data))
    first, *others = all_of(crawl)
    assert outcome(first) == "not-an-archive"
    assert "encrypted" in first.detail
    assert [outcome(one) for one in others] == ["page"] * 3


def test_a_package_that_changes_loses_no_more_than_what_is_gone(crawl: Path) -> None:
    sources = expand([str(crawl)])
    crawl.write_bytes(package({"archive/b.warc": TWO["archive/b.warc"]}))
    seen = [[outcome(one) for one in read(source, Limits())] for source in sources]
    assert seen == [["not-an-archive"], ["page"] * 3]


@pytest.mark.slow
@pytest.mark.nightly
def test_a_large_archive_inside_is_cut_and_a_compressed_one_is_not(tmp_path: Path) -> None:
    large = b"".join(members(RECORDS * 1000))
    path = tmp_path / "crawl.wacz"
    for compression, count in ((zipfile.ZIP_STORED, 3), (zipfile.ZIP_DEFLATED, 1)):
        path.write_bytes(package({"archive/a.warc.gz": large}, compression))
        cut = split(expand([str(path)]), len(large) // 3)
        assert len(cut) == count
        assert [one for s in cut for one in read(s, Limits())] == all_of(path)
    assert len(all_of(path)) == 6000


@given(st.data())
@settings(deadline=None, max_examples=60)
def test_whatever_is_damaged_nothing_raises(tmp_path_factory, data: st.DataObject) -> None:
    compression = data.draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
    whole = package(TWO, compression)
    start = data.draw(st.integers(0, len(whole) - 1))
    stop = start + data.draw(st.integers(1, 60))
    path = tmp_path_factory.getbasetemp() / "damaged.wacz"
    path.write_bytes(whole[:start] + data.draw(st.binary(max_size=60)) + whole[stop:])
    assert all_of(path)


@pytest.mark.data
def test_packages_that_others_made() -> None:
    folder = shared("warc-zoo/pywb/waczs")
    valid, invalid = (folder / f"{kind}_example_1.wacz" for kind in ("valid", "invalid"))
    assert [outcome(one) for one in all_of(valid)] == ["page"]
    (source,) = expand([str(valid)])
    assert source.name == "valid_example_1.wacz/archive/example-collection.warc"
    assert [outcome(one) for one in all_of(invalid)] == ["not-an-archive"]
