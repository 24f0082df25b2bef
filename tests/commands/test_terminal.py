"""What commands print of pages that give orders to terminals."""

import csv
import io
import re
from pathlib import Path

import pytest

from dbce.output import annotated_page, find_pages, node_rows, open_whole
from tests.runs import finished_run, page_rows, printed
from tests.site import TOPICS, article, page, snapshots, stored, story

ORDERS = "&#27;]0;PWNED&#7; &#127;thirty\u009b1m"
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
URL = page(TOPICS[0]).url


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    """A finished run of a site, the latest capture of one page of which gives orders."""
    folder = tmp_path_factory.mktemp("hostile")
    html = article(TOPICS[0], f"{story(TOPICS[0])} {ORDERS} rope", "=1+1 rope and goats").replace(
        "<title>", f'<meta name="author" content="A {ORDERS} B"><title>=cmd {ORDERS}'
    )
    pages = stored(*snapshots(2014), page(TOPICS[0], "20150101000000", html))
    (folder / "a.warc.gz").write_bytes(pages)
    return finished_run(folder / "a.warc.gz", folder / "out")


@pytest.mark.parametrize(
    "command",
    [
        *(["text", "--format", name] for name in ("jsonl", "txt", "markdown", "html", "tei")),
        *(["show", URL], ["show", URL, "--node", "0"], ["list"], ["history", URL], ["quality"]),
        ["history", URL, "--format", "markdown"],
    ],
    ids=" ".join,
)
def test_no_command_prints_a_control_character(command, hostile, capsysbinary):
    name, *options = command
    out = printed(capsysbinary, name, hostile, *options).decode()
    assert out
    assert not CONTROLS.search(out)


def test_tables_have_texts_without_controls_and_runs_as_the_page_has_them(hostile) -> None:
    folder, _ = open_whole(str(hostile))
    (row,) = [r for r in page_rows(folder) if r["url"] == URL and "rope" in (r["text"] or "")]
    assert "]0;PWNED thirty1m rope" in row["text"]
    assert (row["title"][:4], row["author"]) == ("=cmd", "A ]0;PWNED thirty1m B")
    assert not CONTROLS.search("".join(value for value in row.values() if isinstance(value, str)))
    assert any("\x1b]0;PWNED\x07" in node["text"] for node in node_rows(folder, row["record_id"]))
    (kept,) = find_pages(folder, [row["record_id"]]).values()
    assert "\u009b" in annotated_page(folder, kept).decode()


def test_csv_is_guarded_for_spreadsheets_on_request(hostile, capsysbinary):
    def titles(*option):
        told = printed(capsysbinary, "text", hostile, "--format", "csv", *option).decode()
        return [row["title"] for row in csv.DictReader(io.StringIO(told))]

    plain, guarded = titles(), titles("--guard-formulas")
    assert [title for title in plain if title.startswith("=")]
    assert guarded == [f"'{title}" if title.startswith("=") else title for title in plain]
