"""Runs of a small site whose pages change."""

from pathlib import Path

import pyarrow.parquet as pq

from dbce.archive import capture
from dbce.cli import main
from dbce.model import Capture
from dbce.output import Row
from tests.site import MENU, article, page, stored, story

TOPICS = ("ferry", "clocks", "benches", "maps")
OTHER_MENU = (*MENU, "Jobs at the harbour office")


def run(folder: Path, *captures: Capture) -> Path:
    """The folder of a run on captures, with those of a site of four articles beside them."""
    others = [page(topic, f"{year}0101000000") for year in (2014, 2015) for topic in TOPICS]
    return finished(folder, stored(*others, *captures))


def finished(folder: Path, archive: bytes) -> Path:
    """The folder of a run on an archive."""
    folder.mkdir(exist_ok=True)
    (folder / "a.warc.gz").write_bytes(archive)
    out = folder / "clean"
    assert main(["run", str(folder / "a.warc.gz"), "--out", str(out), "--master", "none"]) == 0
    return out


def harbour(at: str, html: str) -> Capture:
    return capture("http://harbour.example/lighthouse", html, f"{at}0101000000")


def lighthouse(*words: str, menu: tuple[str, ...] = MENU) -> str:
    """The article on the lighthouse with some more paragraphs."""
    return article("lighthouse", story("lighthouse"), story("keeper"), *words, menu=menu)


def changes_of(folder: Path, *pages: str) -> list[Row]:
    """The rows of the table of changes of a run on snapshots of the lighthouse, a year apart from 2014 on."""
    captures = (harbour(str(2014 + n), html) for n, html in enumerate(pages))
    return changes(run(folder, *captures))


def changes(out: Path, *options: str) -> list[Row]:
    """The rows of the table of changes of a run, in order."""
    assert main(["changes", str(out), "--overwrite", *options]) == 0
    rows = [
        row
        for path in sorted((out / "changes").glob("part-*.parquet"))
        for row in pq.read_table(path).to_pylist()
    ]
    return [row for row in rows if "lighthouse" in row["url"]]
