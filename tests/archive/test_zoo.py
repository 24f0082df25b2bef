"""Odd archives that others made: every capture is delivered or counted.

The numbers are those of odd_archives.md: responses, resources and revisits as warcio counts them, or counted by hand
where it gives up (files that are one gzip member, records over several members, wrong lengths).
"""

from pathlib import Path

import pytest

from dbce.archive import Source, expand, read
from dbce.model import Limits
from tests.archive.build import outcome
from tests.data import FOLDER, shared

pytestmark = pytest.mark.data

ARCHIVES = (".warc", ".warc.gz", ".arc", ".arc.gz", ".bad")
TABLE = Path(__file__).with_name("odd_archives.md").read_text("utf-8")
ROWS = [line.split(" | ") for line in TABLE.splitlines() if line.startswith("| ")]
CAPTURES = {row[0][2:]: row[3] for row in ROWS if row[0].endswith(ARCHIVES)}


@pytest.mark.parametrize("name", CAPTURES)
def test_every_capture_of_an_odd_archive_is_delivered_or_counted(name: str) -> None:
    file = shared(f"warc-zoo/{name}")
    found = list(read(Source(file.name, str(file), None), Limits()))
    assert str(len(found)) == CAPTURES[name]


def test_nothing_in_the_zoo_raises() -> None:
    shared("warc-zoo")
    for file in sorted((FOLDER / "warc-zoo").rglob("*.*")):
        list(read(Source(file.name, str(file), None), Limits()))


def test_encodings_that_others_wrote_decode_to_one_page() -> None:
    folder = shared("warc-zoo/webarchive-discovery/compression")
    pages = {
        entry.payload
        for file in sorted(folder.iterdir())
        for entry in read(Source(file.name, str(file), None), Limits())
        if outcome(entry) == "page"
    }
    assert len(pages) == 1


@pytest.mark.parametrize("name", ["flink", "cleanportaleval"])
def test_an_index_gives_the_same_captures_as_its_file(name: str) -> None:
    (whole,) = expand([str(shared(f"{name}/{name}.warc.gz"))])
    for ending in ("cdx", "cdxj"):
        (listed,) = expand([str(shared(f"{name}/{name}.{ending}"))])
        assert list(read(listed, Limits())) == list(read(whole, Limits()))
