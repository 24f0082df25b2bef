"""A file that is read in pieces has the pages and the verdicts that it has as a whole."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.archive import read_annotated
from dbce.cli import main
from tests.nights import Archive
from tests.runs import finished_run
from tests.site import snapshots, stored

TABLES = ("pages", "nodes", "rejects")
OF_THE_ENGINE = {"name", "number"}  # in the index: the piece, and the place in it


@pytest.fixture(scope="module")
def crawl(tmp_path_factory) -> Path:
    """Six years of a site, one capture damaged and one stored twice."""
    parts = [stored(page) for year in range(2010, 2016) for page in snapshots(year)]
    parts[1] = parts[1][:40] + bytes(9) + parts[1][49:]
    parts[17] = parts[2]
    path = tmp_path_factory.mktemp("crawl") / "big.warc.gz"
    path.write_bytes(b"".join(parts))
    return path


@pytest.fixture(scope="module")
def whole(crawl) -> Path:
    return finished_run(crawl, crawl.with_name("whole"))


@pytest.fixture(scope="module")
def parted(crawl) -> Path:
    split_bytes = str(crawl.stat().st_size // 7)
    return finished_run(crawl, crawl.with_name("parted"), "--split-bytes", split_bytes)


def rows(out: Path, kind: str) -> list[dict[str, object]]:
    tables = [pq.read_table(path) for path in sorted(out.glob(f"{kind}/*.parquet"))]
    return pa.concat_tables(tables).to_pylist()


def test_seven_pieces_have_files_of_their_own(parted: Path) -> None:
    names = [path.name for path in sorted(parted.glob("warc/*.warc.gz"))]
    assert names == [f"big.warc.gz.{n:04}.dbce.warc.gz" for n in range(7)]
    for kind in (*TABLES, "index"):
        assert len(list(parted.glob(f"{kind}/*.parquet"))) == 7


@pytest.mark.parametrize("kind", TABLES)
def test_tables_are_those_of_the_whole_file_row_for_row(whole: Path, parted: Path, kind) -> None:
    assert rows(whole, kind)
    assert rows(parted, kind) == rows(whole, kind)


def test_the_index_says_which_piece_a_capture_is_of_and_else_the_same(whole, parted) -> None:
    ours, theirs = rows(parted, "index"), rows(whole, "index")
    assert {row["name"] for row in ours} == {f"big.warc.gz.{n:04}" for n in range(7)}
    for row in (*ours, *theirs):
        for name in OF_THE_ENGINE:
            del row[name]
    assert ours == theirs


def test_the_account_names_the_file_once(whole: Path, parted: Path) -> None:
    ours, theirs = (json.loads((out / "run.json").read_text()) for out in (parted, whole))
    assert ours["inputs"] == ["big.warc.gz"]
    for key in ("captures", "runs", "partner_recall", "inputs"):
        assert ours[key] == theirs[key]


def test_annotated_pages_are_found_in_the_file_of_their_piece(parted: Path, whole, capsys) -> None:
    pages = [
        [
            (one.record_id, one.url)
            for file in sorted(out.glob("warc/*.gz"))
            for one in read_annotated(str(file))
        ]
        for out in (parted, whole)
    ]
    assert pages[0] == pages[1]
    said = []
    for out in (parted, whole):
        assert main(["strip", str(out), "http://harbour.example/maps", "--at", "2013"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] != ""


def test_a_night_takes_a_large_file_in_pieces_and_later_ones_revise_it(crawl, tmp_path) -> None:
    archive = Archive(tmp_path)
    options = ("--split-bytes", str(crawl.stat().st_size // 3), "--revise", "apply")
    archive.take("big.warc.gz", crawl.read_bytes(), *options)
    archive.take("new.warc.gz", stored(*snapshots(2016)), *options)
    _, night = map(archive.outputs, archive.nights())
    stale = [json.loads(line) for line in (night / "stale.jsonl").read_text().splitlines()]
    assert {one["file"] for one in stale} == {"big.warc.gz"}
    revised = rows(night / "revised", "pages")
    assert len(revised) == len(stale)
    assert {row["warc_filename"] for row in revised} == {"big.warc.gz"}
    assert not rows(night / "revised", "rejects")
    assert archive.call(*options) == 0
    assert len(archive.nights()) == 2
