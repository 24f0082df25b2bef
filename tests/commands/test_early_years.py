"""Years before 1000, as clocks that are wrong give them: every command takes and prints them with all four digits."""

import gzip
import re
from html import unescape
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

from dbce.cli import main
from dbce.view.run import open_view
from tests.archive.build import answer, arc_head, arc_record
from tests.runs import finished_run, printed
from tests.site import TOPICS, page, stored
from tests.view.conftest import client_of

pytestmark = [pytest.mark.wing, pytest.mark.slow]  # a run, and all that reads it

YEARS = ("0002", "0999", "2016")
URL = f"http://harbour.example/{TOPICS[0]}"
SHORT = re.compile(r"(?<![\d.:])(?:2|999)(?:-\d\d-\d\d\b|0101000000)")
"""A date of these years without the zeros of its year."""


def in_arc() -> bytes:
    """The pages of the earliest year, each at another address, as ARC has them."""
    pages = (page(topic, f"{YEARS[0]}0101000000") for topic in TOPICS)
    records = (
        arc_record(block=answer(one.payload), date=f"{YEARS[0]}0101000000", url=f"{one.url}/arc")
        for one in pages
    )
    return arc_head() + b"".join(records)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory) -> Path:
    """An archive with the pages of each year, as WARC, and those of the first as ARC."""
    folder = tmp_path_factory.mktemp("early")
    pages = [page(topic, f"{year}0101000000") for year in YEARS for topic in TOPICS]
    (folder / "early.warc.gz").write_bytes(stored(*pages))
    (folder / "early.arc").write_bytes(in_arc())
    return folder


@pytest.fixture(scope="module")
def run(crawl) -> Path:
    out = finished_run(crawl, crawl.with_name(f"{crawl.name}-run"))
    assert main(["changes", str(out)]) == 0
    return out


@pytest.mark.parametrize(
    "words",
    [
        "list {run} --of captures",
        "list {run} --of captures --json",
        f"list {{run}} {URL}",
        f"show {{run}} {URL} --at 0002",
        f"show {{run}} {URL} --at 00020101000000",
        f"strip {{run}} {URL} --at 0002",
        f"strip {{run}} {URL}/arc",
        f"history {{run}} {URL}",
        f"history {{run}} {URL} --format markdown",
        f"history {{run}} {URL} --format json",
        f"history {{run}} {URL} --format html",
        *(
            f"text {{run}} --format {form}"
            for form in ("jsonl", "md", "txt", "tei", "html", "csv", "wet", "blocks", "chunks")
        ),
        "text {run} --from 0002 --to 0998",
        "text {crawl} --to 0999",
        "check {crawl} --json",
        "quality {run} --json",
        "same {run} --json",
        f"changes {{run}} --pair {URL} 0002 0999",
        "report {run}",
    ],
)
def test_a_command_takes_and_prints_early_years(crawl, run, words, capsysbinary):
    given = words.format(crawl=crawl, run=run).split()
    data = printed(capsysbinary, *given)
    told = (gzip.decompress(data) if "wet" in given else data).decode()
    if given[0] == "report":
        told = (run / "report.html").read_text()
    assert told
    assert not SHORT.findall(told.replace(str(run), ""))


@pytest.fixture(scope="module")
def client(crawl, run):
    """What asks the web page on the run."""
    opened = open_view(str(run), {path.name: str(path) for path in crawl.iterdir()})
    yield client_of(opened)
    opened.tables.close()


def test_no_page_of_the_viewer_shortens_early_years(client) -> None:
    record_id = page(TOPICS[0], f"{YEARS[0]}0101000000").record_id
    waiting = ["/", "/captures?since=0002&until=0998", f"/capture?id={quote(record_id)}"]
    asked: dict[str, int] = {}
    while waiting:
        address = waiting.pop()
        answered = client.get(address)
        asked[address] = answered.status_code
        assert not SHORT.findall(answered.text), address
        of_page = map(unescape, re.findall(r'href="(/[^"#]*)', answered.text))
        waiting += {
            one
            for one in of_page
            if one not in asked and ("id=" not in one or f"id={record_id}" in unquote(one))
        } - {*waiting}
    assert {*asked.values()} == {200}
    assert len(asked) > 20
