"""The sample archive: its bytes, records, layout and prose."""

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from warcio.archiveiterator import ArchiveIterator

from dbce.archive import expand, read
from dbce.model import Capture, Limits, Reason, Reject
from dbce.sample import unpack, write
from scripts.sample.generate import DEPOSITS, generate, members
from tests.runs import in_python


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


Rows = list[dict[str, Any]]
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
