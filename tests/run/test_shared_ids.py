"""Captures that share a record id, and files in pieces: what is written does not depend on how files are read."""

import json
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.archive import read_annotated
from dbce.cli import main
from dbce.output import find_pages, open_run
from tests.archive.build import members, record
from tests.nights import Archive
from tests.runs import finished_run, printed
from tests.site import article, page, revisit, snapshots, stored

IDS = ("urn:uuid:7b817fe0-d529-11e8-8ec6-391ee1fffcc8", "urn:crawl:1")
NAMES = ("a.warc.gz", "b.warc.gz", "c.warc.gz")


@pytest.fixture(scope="module")
def crawl() -> list[bytes]:
    """Four years of a site under two ids, two records of them twice, an image and a revisit.

    One page is there with two texts of one second.
    """
    pages = [one for year in range(2010, 2014) for one in snapshots(year)]
    other = page("maps", "20130101000000", article("maps", "Another text of the same second."))
    named = [replace(one, record_id=i) for one, i in zip([*pages, other], cycle(IDS), strict=False)]
    named[-1] = replace(named[-1], record_id=named[-2].record_id)
    parts = [stored(one) for one in named]
    image = {"url": "http://harbour.example/a.gif", "kind": "resource", "media": "image/gif"}
    (first,) = members([record(block=b"GIF89a", record_id=f"<{IDS[0]}>", **image)])
    of = {"WARC_Refers_To_Target_URI": pages[3].url, "WARC_Refers_To_Date": "2010-01-01T00:00:00Z"}
    again = revisit(pages[3], "20150101", IDS[1], **of)
    return [first, *parts[:9], parts[0], *parts[9:], parts[8], again]


def run(crawl: list[bytes], folder: Path, cuts: tuple[int, ...], *more: str) -> Path:
    """A run on the records in as many files as the cuts make."""
    (folder / "in").mkdir(parents=True)
    bounds = [0, *cuts, len(crawl)]
    for name, start, stop in zip(NAMES, bounds, bounds[1:], strict=False):
        (folder / "in" / name).write_bytes(b"".join(crawl[start:stop]))
    return finished_run(folder / "in", folder / "out", *more)


@pytest.fixture(scope="module")
def whole(crawl, tmp_path_factory) -> Path:
    return run(crawl, tmp_path_factory.mktemp("whole"), ())


def rows(out: Path, kind: str) -> list[dict[str, object]]:
    """The rows of a table, without what says in which file they were."""
    places = {"warc_filename", "warc_record_offset", "name", "number", "offset"}
    return [
        {name: value for name, value in row.items() if name not in places}
        for row in all_rows(out, kind)
    ]


def all_rows(out: Path, kind: str) -> list[dict[str, object]]:
    tables = [pq.read_table(path) for path in sorted(out.glob(f"{kind}/*.parquet"))]
    return pa.concat_tables(tables).to_pylist()


def test_every_capture_has_an_id_of_its_own_but_those_that_are_there_twice(whole: Path) -> None:
    pages = rows(whole, "pages")
    assert [row["reason"] for row in pages].count("duplicate-record") == 2
    ids = [row["record_id"] for row in pages if row["reason"] != "duplicate-record"]
    assert len(ids) == len(set(ids)) == 18
    assert pages[0]["record_id"] != IDS[0]  # that is the image's
    assert pages[1]["record_id"] == IDS[1]
    folder, manifest = open_run(str(whole))
    assert manifest["captures"]["reasons"]["skipped/unchanged"] == 1
    judged = [row for row in pages if row["status"] in ("annotated", "single")]
    assert len(judged) == 17
    found = find_pages(folder, [row["record_id"] for row in judged])
    for row in judged:
        assert found[row["record_id"]]["url"] == row["url"]


ON_SPARK = pytest.param((9,), ("--master", "local[2]"), marks=pytest.mark.spark)


@pytest.mark.parametrize(("cuts", "more"), [((9,), ()), ((1, 12), ()), ((10, 11), ()), ON_SPARK])
def test_in_several_files_they_are_called_the_same(crawl, whole, tmp_path, cuts, more) -> None:
    several = run(crawl, tmp_path, cuts, *more)
    for kind in ("pages", "nodes", "rejects", "index"):
        assert rows(several, kind) == rows(whole, kind)


@pytest.mark.parametrize("more", [(), ("--keep-pages", "no"), ("--jobs", "2")])
def test_in_pieces_of_a_file_they_are_called_the_same(crawl, whole, tmp_path, more) -> None:
    split_bytes = str(sum(map(len, crawl)) // 6)
    pieces = run(crawl, tmp_path, (), "--split-bytes", split_bytes, *more)
    assert len(list(pieces.glob("index/*.parquet"))) > 3
    for kind in ("pages", "nodes", "rejects", "index"):
        assert rows(pieces, kind) == rows(whole, kind)
    assert main(["check", str(pieces)]) == 0


def test_repair_gives_a_lost_index_the_same_ids(crawl, tmp_path) -> None:
    several = run(crawl, tmp_path, (1, 12))
    before = {path.name: path.read_bytes() for path in several.glob("index/*.parquet")}
    for name, data in before.items():
        (several / "index" / name).unlink()
        assert main(["repair", str(several)]) == 0
        assert (several / "index" / name).read_bytes() == data


def test_a_night_calls_them_as_a_run_does(crawl, whole, tmp_path) -> None:
    archive = Archive(tmp_path)
    found = []
    for name, part in zip(NAMES, (crawl[:9], crawl[9:12], crawl[12:]), strict=True):
        archive.take(name, b"".join(part), "--revise", "apply")
    for night in map(archive.outputs, archive.nights()):
        found += [(row["url"], row["fetch_time"], row["record_id"]) for row in rows(night, "pages")]
        revised = night / "revised" / "rejects"
        assert not revised.exists() or not rows(revised.parent, "rejects")
    names = ("url", "fetch_time", "record_id")
    assert found == [tuple(row[name] for name in names) for row in rows(whole, "pages")]


def test_the_method_of_the_thesis_takes_them_for_different_pages(crawl, tmp_path) -> None:
    results = [
        rows(run(crawl, tmp_path / str(len(cuts)), cuts, "--method", "thesis"), "pages")
        for cuts in ((), (9,))
    ]
    assert results[0] == results[1]


def test_texts_are_of_all_of_them(crawl, tmp_path, capsys) -> None:
    (tmp_path / "a.warc.gz").write_bytes(b"".join(crawl))
    lines = printed(capsys, "text", tmp_path / "a.warc.gz", "--format", "jsonl").splitlines()
    assert len(lines) == 17


# A file that is read in pieces has the pages and the verdicts that it has as a whole


TABLES = ("pages", "nodes", "rejects")
OF_THE_ENGINE = {"name", "number"}  # in the index: the piece, and the place in it


@pytest.fixture(scope="module")
def big(tmp_path_factory) -> Path:
    """Six years of a site, one capture damaged and one stored twice."""
    parts = [stored(page) for year in range(2010, 2016) for page in snapshots(year)]
    parts[1] = parts[1][:40] + bytes(9) + parts[1][49:]
    parts[17] = parts[2]
    path = tmp_path_factory.mktemp("crawl") / "big.warc.gz"
    path.write_bytes(b"".join(parts))
    return path


@pytest.fixture(scope="module")
def uncut(big) -> Path:
    return finished_run(big, big.with_name("uncut"))


@pytest.fixture(scope="module")
def parted(big) -> Path:
    split_bytes = str(big.stat().st_size // 7)
    return finished_run(big, big.with_name("parted"), "--split-bytes", split_bytes)


def test_seven_pieces_have_files_of_their_own(parted: Path) -> None:
    names = [path.name for path in sorted(parted.glob("warc/*.warc.gz"))]
    assert names == [f"big.warc.gz.{n:04}.dbce.warc.gz" for n in range(7)]
    for kind in (*TABLES, "index"):
        assert len(list(parted.glob(f"{kind}/*.parquet"))) == 7


@pytest.mark.parametrize("kind", TABLES)
def test_tables_are_those_of_the_whole_file_row_for_row(uncut: Path, parted: Path, kind) -> None:
    assert all_rows(uncut, kind)
    assert all_rows(parted, kind) == all_rows(uncut, kind)


def test_the_index_says_which_piece_a_capture_is_of_and_else_the_same(uncut, parted) -> None:
    ours, theirs = all_rows(parted, "index"), all_rows(uncut, "index")
    assert {row["name"] for row in ours} == {f"big.warc.gz.{n:04}" for n in range(7)}
    for row in (*ours, *theirs):
        for name in OF_THE_ENGINE:
            del row[name]
    assert ours == theirs


def test_the_account_names_the_file_once(uncut: Path, parted: Path) -> None:
    ours, theirs = (json.loads((out / "run.json").read_text()) for out in (parted, uncut))
    assert ours["inputs"] == ["big.warc.gz"]
    for key in ("captures", "runs", "partner_recall", "inputs"):
        assert ours[key] == theirs[key]


def test_annotated_pages_are_found_in_the_file_of_their_piece(parted: Path, uncut, capsys) -> None:
    pages = [
        [
            (one.record_id, one.url)
            for file in sorted(out.glob("warc/*.gz"))
            for one in read_annotated(str(file))
        ]
        for out in (parted, uncut)
    ]
    assert pages[0] == pages[1]
    words = ("http://harbour.example/maps", "--at", "2013")
    said = [printed(capsys, "strip", out, *words) for out in (parted, uncut)]
    assert said[0] == said[1] != ""


def test_a_night_takes_a_large_file_in_pieces_and_later_ones_revise_it(big, tmp_path) -> None:
    archive = Archive(tmp_path)
    options = ("--split-bytes", str(big.stat().st_size // 3), "--revise", "apply")
    archive.take("big.warc.gz", big.read_bytes(), *options)
    archive.take("new.warc.gz", stored(*snapshots(2016)), *options)
    _, night = map(archive.outputs, archive.nights())
    stale = [json.loads(line) for line in (night / "stale.jsonl").read_text().splitlines()]
    assert {one["file"] for one in stale} == {"big.warc.gz"}
    revised = all_rows(night / "revised", "pages")
    assert len(revised) == len(stale)
    assert {row["warc_filename"] for row in revised} == {"big.warc.gz"}
    assert not all_rows(night / "revised", "rejects")
    assert archive.call(*options) == 0
    assert len(archive.nights()) == 2
