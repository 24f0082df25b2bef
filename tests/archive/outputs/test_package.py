"""A WACZ: its files, its index in blocks, equal bytes, and whether damage is found."""

import gzip
import json
import zipfile
from io import BytesIO
from struct import unpack

import pytest

from dbce.archive import AnnotatedWriter, capture, verify_package, write_package
from dbce.archive.outputs import package
from dbce.model import StoreError

NAME = "Straße 1%2Fa.dbce.warc.gz"


def packed(number: int = 3) -> bytes:
    """A package of some pages."""
    captures = [capture(f"http://paper.example/{n}", "", "20160101000000") for n in range(number)]
    warc = BytesIO()
    writer = AnnotatedWriter(warc, NAME, "response", "0123456789ab", "0.1.0")
    lines = [writer.write(one, b"<p>a</p>") for one in captures]
    writer.close()
    told = {"title": "Bread & Salt", "text": "Grüße\nBrot"}
    pages = [
        {"record_id": one.record_id, "url": one.url, "fetch_time": one.timestamp} | told
        for one in captures
    ]
    out = BytesIO()
    write_package(out, warc, lines, pages, name=NAME, software="dbce 0.1.0")
    return out.getvalue()


PACKAGE = packed()


def file(name: str, data: bytes = PACKAGE) -> bytes:
    with zipfile.ZipFile(BytesIO(data)) as stored:
        return stored.read(name)


def test_a_package_has_the_files_of_the_specification_and_no_others() -> None:
    with zipfile.ZipFile(BytesIO(PACKAGE)) as stored:
        assert [(one.filename, one.compress_type) for one in stored.infolist()] == [
            (f"archive/{NAME}", zipfile.ZIP_STORED),
            ("indexes/index.cdx.gz", zipfile.ZIP_STORED),
            ("indexes/index.idx", zipfile.ZIP_DEFLATED),
            ("pages/pages.jsonl", zipfile.ZIP_DEFLATED),
            ("datapackage.json", zipfile.ZIP_DEFLATED),
            ("datapackage-digest.json", zipfile.ZIP_DEFLATED),
        ]


def test_the_manifest_names_all_files_by_names_that_are_allowed() -> None:
    manifest = json.loads(file("datapackage.json"))
    resources = manifest.pop("resources")
    assert manifest == {
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "title": "Straße 1%2Fa.dbce",
        "software": "dbce 0.1.0",
    }
    files = ["stra-e-1-2fa.dbce.warc.gz", "index.cdx.gz", "index.idx", "pages.jsonl"]
    assert [one["name"] for one in resources] == files
    assert [one["bytes"] for one in resources] == [len(file(one["path"])) for one in resources]


def test_the_pages_come_with_their_texts() -> None:
    head, first, *_ = file("pages/pages.jsonl").decode().splitlines()
    assert json.loads(head)["hasText"]
    page = json.loads(first)
    assert page.pop("id").startswith("urn:uuid:")
    assert page == {
        "url": "http://paper.example/0",
        "ts": "2016-01-01T00:00:00Z",
        "title": "Bread & Salt",
        "text": "Grüße\nBrot",
    }


def test_a_long_index_comes_in_sorted_blocks_that_its_own_index_finds() -> None:
    data = packed(2500)
    whole = file("indexes/index.cdx.gz", data)
    lines = gzip.decompress(whole).decode().splitlines()
    assert len(lines) == 2500
    assert lines == sorted(lines)
    _, *blocks = file("indexes/index.idx", data).decode().splitlines()
    places = [json.loads(block.split(" ", 2)[2]) for block in blocks]
    assert [block.split(" ", 2)[:2] for block in blocks] == [
        lines[start].split(" ", 2)[:2] for start in (0, 1024, 2048)
    ]
    assert sum(place["length"] for place in places) == len(whole)
    second = whole[places[1]["offset"] :][: places[1]["length"]]
    assert gzip.decompress(second).decode().splitlines() == lines[1024:2048]


def test_equal_pages_give_equal_bytes_wherever_they_are_written() -> None:
    class OneWay(BytesIO):
        def seek(self, *_: object) -> int:
            raise OSError

        tell = seek

    assert packed() == PACKAGE
    warc, out = BytesIO(file(f"archive/{NAME}")), OneWay()
    lines = gzip.decompress(file("indexes/index.cdx.gz")).decode().splitlines()
    write_package(out, warc, lines, [], name=NAME, software="dbce 0.1.0")
    assert out.getvalue()[:1000] == PACKAGE[:1000]


def test_a_file_behind_an_extra_field_has_one_in_the_directory_too(monkeypatch) -> None:
    """wabac.js takes a file without an extra field in the directory to have none before it."""
    size = len(file(f"archive/{NAME}"))
    for module in (zipfile, package):
        monkeypatch.setattr(module, "ZIP64_LIMIT", int(size * 1.02))
    data = packed()
    verify_package(BytesIO(data))
    (before,) = unpack("<H", data[28:30])
    with zipfile.ZipFile(BytesIO(data)) as stored:
        assert before
        assert stored.infolist()[0].extra


@pytest.mark.parametrize("name", ["archive", "index.cdx", "index.idx", "pages", "datapackage"])
def test_a_file_that_is_stored_otherwise_is_found(name: str) -> None:
    rotten = bytearray(PACKAGE)
    with zipfile.ZipFile(BytesIO(PACKAGE)) as stored:
        (info, *_) = (one for one in stored.infolist() if name in one.filename)
        rotten[info.header_offset + 30 + len(info.filename.encode()) + 20] ^= 1
    verify_package(BytesIO(PACKAGE))
    with pytest.raises(StoreError, match="does not read back as it was written"):
        verify_package(BytesIO(rotten))


def test_a_package_that_breaks_off_or_has_the_manifest_of_another_is_found() -> None:
    for end in (0, 100, len(PACKAGE) // 2, len(PACKAGE) - 1):
        with pytest.raises(StoreError):
            verify_package(BytesIO(PACKAGE[:end]))
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as other, zipfile.ZipFile(BytesIO(PACKAGE)) as stored:
        for info in stored.infolist():
            data = stored.read(info)
            other.writestr(info.filename, data + b" " if info.filename[:5] == "pages" else data)
    with pytest.raises(StoreError, match="does not read back as it was written"):
        verify_package(out)
