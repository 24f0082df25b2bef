"""The sample archive: its bytes, records, layout and prose, and its gold, held against its pages as they are read back."""

import json
import re
from collections import Counter, defaultdict
from contextlib import nullcontext
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from warcio.archiveiterator import ArchiveIterator

from dbce.archive import expand, read
from dbce.html import load, xpaths
from dbce.model import Capture, Limits, Reason, Reject
from dbce.sample import unpack, write
from scripts.sample.generate import DEPOSITS, generate, members
from tests.runs import in_python

Rows = list[dict[str, Any]]


@pytest.fixture(scope="session")
def entries(sample: Path) -> list[Capture | Reject]:
    """What the project's own reader makes of the two files."""
    return [entry for source in expand([str(sample)]) for entry in read(source, Limits())]


@pytest.fixture(scope="session")
def pages(sample: Path) -> Rows:
    return _rows(sample / "sample.gold.jsonl")


@pytest.fixture(scope="session")
def runs(sample: Path) -> Rows:
    return _rows(sample / "sample.nodes.gold.jsonl")


def _rows(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class Answer(NamedTuple):
    """A record that the index names, as warcio reads it at its offset."""

    url: str
    http: dict[str, str]
    body: bytes
    passed: bool


@pytest.fixture(scope="session")
def answers(sample: Path) -> list[Answer]:
    lines = (sample / "sample.cdxj").read_text(encoding="utf-8").splitlines()
    return [_answer(sample, json.loads(line.split(" ", 2)[2])) for line in lines]


def _answer(sample: Path, entry: dict[str, str]) -> Answer:
    with (sample / entry["filename"]).open("rb") as file:
        file.seek(int(entry["offset"]))
        record = next(iter(ArchiveIterator(file, check_digests=True)))
        body = record.content_stream().read()
    http = {name.lower(): value for name, value in record.http_headers.headers}
    is_sound = record.digest_checker.passed is not False
    return Answer(record.rec_headers["WARC-Target-URI"], http, body, is_sound)


def test_what_ships_has_the_bytes_that_its_generator_makes_at_every_call(sample, tmp_path) -> None:
    """Neither hash seed, time zone nor locale makes a difference."""
    packed = tmp_path / "packed"
    code = (
        "from pathlib import Path; from scripts.sample.generate import generate, pack; "
        f"Path({str(packed)!r}).write_bytes(pack(generate()))"
    )
    in_python(code, PYTHONHASHSEED="77", TZ="Pacific/Apia", LC_ALL="C")
    shipped = {path.name: path.read_bytes() for path in sample.iterdir()}
    assert unpack(packed.read_bytes()) == generate() == shipped
    # The gold beside the archive is not part of what is read.
    archive = [data for name, data in shipped.items() if not name.endswith(".jsonl")]
    assert len(archive) == 3
    assert sum(map(len, archive)) < 2_000_000


def test_what_is_told_of_it_is_counted(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "sample"
    records = sum(len(list(members(deposit))) for deposit in DEPOSITS)
    assert write(folder) == (
        f"wrote {records} records in 2 WARC files to {folder}, "
        "with their index and the gold labels of 97 pages (6944 text runs)"
    )


def test_every_capture_is_accounted_for_and_damage_hides_nothing_behind_it(entries) -> None:
    rejects = [e for e in entries if isinstance(e, Reject)]
    skipped = {Reason.HTTP_STATUS, Reason.NOT_HTML, Reason.NO_TEXT, Reason.REVISIT}
    assert {e.reason for e in rejects} == skipped | {Reason.DAMAGED}
    details = Counter(e.detail for e in rejects)
    assert (details["301"], details["404"], details["image/gif"]) == (2, 2, 2)
    (damaged,) = (e.origin for e in rejects if e.reason is Reason.DAMAGED)
    behind = [e.origin for e in entries if e.origin.filename == damaged.filename]
    assert max(origin.offset for origin in behind) > damaged.offset


def test_the_cut_record_ends_its_file(entries: list[Capture | Reject]) -> None:
    """What is there of its page is used."""
    assert [e for e in entries if getattr(e, "truncated", "")] == entries[-1:]


def test_the_index_names_every_sound_capture(sample: Path, entries: list[Capture | Reject]) -> None:
    whole = [e for e in entries if not getattr(e, "truncated", "")]
    sound = [e for e in whole if getattr(e, "reason", None) is not Reason.DAMAGED]
    indexed = [e for s in expand([str(sample / "sample.cdxj")]) for e in read(s, Limits())]
    named, expected = ({(e.origin, e.record_id) for e in some} for some in (indexed, sound))
    assert named == expected


def test_the_index_is_sorted_and_agrees_with_the_records(sample, answers):
    lines = (sample / "sample.cdxj").read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)
    assert [json.loads(line.split(" ", 2)[2])["url"] for line in lines] == [a.url for a in answers]
    assert all(a.passed for a in answers)


def test_bodies_are_coded_in_every_way(answers: list[Answer]) -> None:
    codings = {(a.http.get("content-encoding"), a.http.get("transfer-encoding")) for a in answers}
    assert codings == {(None, None), ("gzip", None), (None, "chunked"), ("gzip", "chunked")}


@pytest.mark.parametrize(
    ("host", "declared", "charset"),
    [
        ("www.uferbote.example", "iso-8859-1", "iso-8859-1"),
        ("kuchniapodlipa.example", "", "windows-1250"),
        ("kuchniapodlipa.example", "windows-1250", "windows-1250"),
        ("kuchniapodlipa.example", "utf-8", "utf-8"),
        ("www.lanternandledger.example", "ISO-8859-1", "windows-1252"),
    ],
)
def test_pages_come_in_charsets_of_their_time(answers, host, declared, charset):
    """Charset that a page declares in its <meta>, "" where there is none, and that of its bytes."""
    bodies = [a.body for a in answers if f"//{host}/" in a.url and b"<style" in a.body.lower()]
    said = [re.findall(rb"charset=\"?([\w-]+)\"", body)[:1] for body in bodies]
    bodies = [
        body
        for body, of in zip(bodies, said, strict=True)
        if of == [declared.encode()] * bool(declared)
    ]
    assert len(bodies) >= 6
    for body in bodies:
        assert not body.isascii()
        body.decode(charset)
        with nullcontext() if charset == "utf-8" else pytest.raises(UnicodeDecodeError):
            body.decode()


SHAPES = {"11000", "11001", "11010", "11011", "11100", "11101", "11110", "11111"}


def _template(page: dict[str, Any]) -> str:
    kind = re.search(r"example/(slownik|przepis|letters|essays)?", page["url"])[1] or "news"
    return kind + (" old" if kind == "news" and page["timestamp"] < "2015" else "")


def _shapes(pages: Rows) -> set[str]:
    """The bits of every capture's cross, if all pages of one template are its candidates."""
    times: dict[tuple[str, str], list[str]] = defaultdict(list)
    for page in pages:
        path = page["url"].split("//")[1]
        times[page["site"] + _template(page), path].append(page["timestamp"])
    shapes = set()
    for (template, path), own in times.items():
        others = sum(t == template and p != path for t, p in times)
        for at in own:
            if others:
                earlier, later = min(own) < at, max(own) > at
                shapes.add(f"11{others > 1:d}{earlier:d}{later:d}")
    return shapes


def test_every_shape_of_a_cross_occurs(pages: Rows) -> None:
    assert _shapes(pages) == SHAPES


# The sample's gold, held against its pages as they are read back.


def test_every_page_with_content_has_gold(entries: list[Capture | Reject], pages: Rows) -> None:
    """Without are the page with an empty body, the record's second copy, and the page cut short."""
    captured = Counter(e.record_id for e in entries if isinstance(e, Capture))
    gold = Counter(page["record_id"] for page in pages)
    assert set(gold.values()) == {1}
    assert len(captured - gold) == 3
    assert not gold - captured


def test_runs_tile_the_text_nodes_of_their_page(entries, runs):
    """Found at their XPath and offsets, in the page decoded from its archived bytes."""
    captured = {e.record_id: e for e in entries if isinstance(e, Capture)}
    for record_id, of_page in groupby(runs, key=lambda run: run["record_id"]):
        capture = captured[record_id]
        page = load(capture.payload, capture.content_type, Limits()).page
        expected = dict(zip(xpaths(page), (node.text for node in page.nodes), strict=True))
        tiled: dict[str, int] = defaultdict(int)
        for run in of_page:
            text = expected[run["xpath"]]
            assert run["start"] == tiled[run["xpath"]]
            assert " ".join(text[run["start"] : run["end"]].split()) == run["text"]
            tiled[run["xpath"]] = run["end"]
        assert tiled == {xpath: len(text) for xpath, text in expected.items()}


def test_gold_text_is_the_content_of_the_runs_and_neighbouring_ones_differ(pages, runs) -> None:
    content = defaultdict(list)
    for run in runs:
        if run["label"] == "content":
            content[run["record_id"]].append(run["text"])
    for page in pages:
        found, expected = " ".join(content[page["record_id"]]), page["gold_text"]
        assert "".join(found.split()) == "".join(expected.split())
    for before, run in pairwise(runs):
        if (before["record_id"], before["xpath"]) == (run["record_id"], run["xpath"]):
            assert before["label"] != run["label"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Gerberbrücke bleibt bis zum Herbst gesperrt", "content"),
        ("Umleitung über den Holzmarkt", "content"),
        ("sól i pieprz do smaku", "content"),
        ("Ciasto", "content"),
        ("Składniki", "boilerplate"),
        ("Meistgelesen", "boilerplate"),
        ("Vier Wochen Probe lesen", "boilerplate"),
        ("Frau Frenz hat recht", "boilerplate"),
        ("Przepis został zapisany", "boilerplate"),
        ("by", "boilerplate"),
        ("Besucher seit 2009: 4.318", "boilerplate"),
    ],
)
def test_labels_follow_the_convention(runs: Rows, text: str, label: str) -> None:
    """A headline is boilerplate where another page's teaser or breadcrumb repeats it."""
    labels = {
        run["label"]
        for run in runs
        if text == run["text"] or (len(text) > 15 and text in run["text"])
    }
    assert label in labels
    assert label == "content" or labels == {"boilerplate"}
