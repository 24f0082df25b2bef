"""The sample archive: its bytes, records, layout and prose, and its gold, held against its pages as they are read back."""

import json
import re
from collections import Counter, defaultdict
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


def test_what_ships_has_the_bytes_that_its_generator_makes(sample: Path) -> None:
    assert {path.name: path.read_bytes() for path in sample.iterdir()} == generate()


def test_the_generator_makes_the_same_bytes_at_every_call(sample: Path, tmp_path: Path) -> None:
    """Neither hash seed, time zone nor locale makes a difference."""
    packed = tmp_path / "packed"
    code = (
        "from pathlib import Path; from scripts.sample.generate import generate, pack; "
        f"Path({str(packed)!r}).write_bytes(pack(generate()))"
    )
    in_python(code, PYTHONHASHSEED="77", TZ="Pacific/Apia", LC_ALL="C")
    assert unpack(packed.read_bytes()) == generate()


def test_what_is_told_of_it_is_counted(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "sample"
    records = sum(len(list(members(deposit))) for deposit in DEPOSITS)
    assert write(folder) == (
        f"wrote {records} records in 2 WARC files to {folder}, "
        "with their index and the gold labels of 97 pages (6944 text runs)"
    )


def test_stays_under_two_megabytes(sample: Path) -> None:
    """The archive; the gold beside it is not part of what is read."""
    assert (
        sum(
            (sample / name).stat().st_size
            for name in ("sample-2013.warc.gz", "sample-2017.warc.gz", "sample.cdxj")
        )
        < 2_000_000
    )


def test_every_capture_is_accounted_for(entries: list[Capture | Reject]) -> None:
    reasons = Counter(e.reason for e in entries if isinstance(e, Reject))
    skipped = {Reason.HTTP_STATUS, Reason.NOT_HTML, Reason.NO_TEXT, Reason.REVISIT}
    assert set(reasons) == skipped | {Reason.DAMAGED}
    assert reasons[Reason.DAMAGED] == 1
    details = Counter(e.detail for e in entries if isinstance(e, Reject))
    assert (details["301"], details["404"], details["image/gif"]) == (2, 2, 2)


def test_damage_hides_nothing_behind_it(entries: list[Capture | Reject]) -> None:
    place = next(e.origin for e in entries if getattr(e, "reason", None) is Reason.DAMAGED)
    behind = [
        e for e in entries if e.origin.filename == place.filename and e.origin.offset > place.offset
    ]
    assert behind
    assert all(isinstance(e, Capture) or e.reason is not Reason.DAMAGED for e in behind)


def test_the_cut_record_ends_its_file(entries: list[Capture | Reject]) -> None:
    """What is there of its page is used."""
    assert [e for e in entries if getattr(e, "truncated", "")] == entries[-1:]


def test_the_index_names_every_sound_capture(sample: Path, entries: list[Capture | Reject]) -> None:
    whole = [e for e in entries if not getattr(e, "truncated", "")]
    sound = {
        (e.origin, e.record_id) for e in whole if getattr(e, "reason", None) is not Reason.DAMAGED
    }
    (*sources,) = expand([str(sample / "sample.cdxj")])
    indexed = {(e.origin, e.record_id) for s in sources for e in read(s, Limits())}
    assert indexed == sound


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
    """What a page declares in its <meta>, and what its bytes are."""
    bodies = [a.body for a in answers if f"//{host}/" in a.url and b"<style" in a.body.lower()]
    bodies = [body for body in bodies if _declared(body) == declared]
    assert len(bodies) >= 6
    for body in bodies:
        assert not body.isascii()
        body.decode(charset)
        assert _is_utf8(body) == (charset == "utf-8")


def _declared(body: bytes) -> str:
    """The charset in a <meta>, "" where there is none."""
    found = re.search(rb"charset=\"?([\w-]+)\"", body)
    return found[1].decode() if found else ""


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


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


def test_gold_text_is_the_content_of_the_runs(pages: Rows, runs: Rows) -> None:
    content = defaultdict(list)
    for run in runs:
        if run["label"] == "content":
            content[run["record_id"]].append(run["text"])
    for page in pages:
        assert _letters(page["gold_text"]) == _letters(" ".join(content[page["record_id"]]))


def _letters(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_neighbouring_runs_differ(runs: Rows) -> None:
    for before, run in pairwise(runs):
        if before["record_id"] == run["record_id"] and before["xpath"] == run["xpath"]:
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
