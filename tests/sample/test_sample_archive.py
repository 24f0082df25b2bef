"""The sample archive: its bytes, records, layout and prose."""

import gzip
import json
import os
import re
import subprocess
import sys
import zlib
from collections import Counter, defaultdict
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from dbce.archive import expand, read
from dbce.model import Capture, Limits, Reason, Reject
from dbce.sample import unpack, write
from scripts.sample.generate import DEPOSITS, generate, members
from scripts.sample.layout import turn
from scripts.sample.marks import BLOCK, END, RUN, content, unmarked
from scripts.sample.prose import read as read_prose
from scripts.sample.records import chunked, damaged, digest, member, record

ROOT = Path(__file__).resolve().parents[2]
WARCS = ("sample-2013.warc.gz", "sample-2017.warc.gz")


class Answer(NamedTuple):
    """A record that the index names, as warcio reads it at its offset."""

    kind: str
    id: str
    url: str
    http: dict[str, str]
    raw: bytes
    body: bytes
    passed: bool


@pytest.fixture(scope="session")
def answers(sample: Path) -> list[Answer]:
    lines = (sample / "sample.cdxj").read_text(encoding="utf-8").splitlines()
    return [_answer(sample, json.loads(line.split(" ", 2)[2])) for line in lines]


def _answer(sample: Path, entry: dict[str, str]) -> Answer:
    def at_offset():
        file.seek(int(entry["offset"]))
        return next(iter(ArchiveIterator(file, check_digests=True)))

    with (sample / entry["filename"]).open("rb") as file:
        record = at_offset()
        raw = record.raw_stream.read()
        passed = record.digest_checker.passed is not False
        record = at_offset()
        body = record.content_stream().read()
    head = record.rec_headers
    return Answer(
        head["WARC-Type"],
        head["WARC-Record-ID"].strip("<>"),
        head["WARC-Target-URI"],
        {name.lower(): value for name, value in record.http_headers.headers},
        raw,
        body,
        passed,
    )


def test_what_ships_has_the_bytes_that_its_generator_makes(sample: Path) -> None:
    assert {path.name: path.read_bytes() for path in sample.iterdir()} == generate()


def test_the_generator_makes_the_same_bytes_at_every_call(sample: Path, tmp_path: Path) -> None:
    """Neither hash seed, time zone nor locale makes a difference."""
    packed = tmp_path / "packed"
    code = (
        "from pathlib import Path; from scripts.sample.generate import generate, pack; "
        f"Path({str(packed)!r}).write_bytes(pack(generate()))"
    )
    env = os.environ | {"PYTHONHASHSEED": "77", "TZ": "Pacific/Apia", "LC_ALL": "C"}
    subprocess.run([sys.executable, "-c", code], check=True, env=env, cwd=ROOT)
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
    assert sum((sample / name).stat().st_size for name in (*WARCS, "sample.cdxj")) < 2_000_000


def test_every_capture_is_accounted_for(entries: list[Capture | Reject]) -> None:
    reasons = Counter(e.reason for e in entries if isinstance(e, Reject))
    assert set(reasons) == {
        Reason.HTTP_STATUS,
        Reason.NOT_HTML,
        Reason.NO_TEXT,
        Reason.REVISIT,
        Reason.DAMAGED,
    }
    assert reasons[Reason.DAMAGED] == 1
    details = Counter(e.detail for e in entries if isinstance(e, Reject))
    assert details["301"] == 2
    assert details["404"] == 2
    assert details["image/gif"] == 2


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


@pytest.mark.parametrize(("name", "version"), [(WARCS[0], "WARC/1.0"), (WARCS[1], "WARC/1.1")])
def test_files_open_with_warcinfo_and_hold_requests(sample: Path, name: str, version: str) -> None:
    kinds: list[str] = []
    with (sample / name).open("rb") as file:
        for record in ArchiveIterator(file):
            assert record.rec_headers.protocol == version
            kinds.append(record.rec_type)
            if len(kinds) == 9:  # far before the damage, at which warcio gives up
                break
    assert kinds == ["warcinfo", *["request", "response"] * 4]


def test_a_record_stands_twice_and_bytes_come_again_later(answers: list[Answer]) -> None:
    twice = [a.url for i, a in enumerate(answers) if a.id in {b.id for b in answers[:i]}]
    assert len(twice) == 1
    soup = [a for a in answers if a.url.endswith("/soup-for-strangers.html")]
    assert len({a.id for a in soup}) == len(soup) == 6
    assert max(Counter(a.body for a in soup if "2015" in a.http["date"]).values()) == 2


def test_a_revisit_refers_to_a_capture_of_its_url(answers: list[Answer]) -> None:
    (revisit,) = [a for a in answers if a.kind == "revisit"]
    assert revisit.raw == b""
    assert sum(a.url == revisit.url and a.kind == "response" for a in answers) >= 1


def test_bodies_are_coded_in_every_way(answers: list[Answer]) -> None:
    codings = {(a.http.get("content-encoding"), a.http.get("transfer-encoding")) for a in answers}
    assert codings == {(None, None), ("gzip", None), (None, "chunked"), ("gzip", "chunked")}
    assert all(
        a.raw[:2] == b"\x1f\x8b"
        for a in answers
        if a.http.get("content-encoding") and not a.http.get("transfer-encoding")
    )


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


def test_some_pages_declare_no_useful_content_type(answers: list[Answer]) -> None:
    types = Counter(a.http.get("content-type") for a in answers if b"<html" in a.body.lower())
    assert types[None] == 1
    assert types["application/octet-stream"] == 1


def test_pages_hold_tag_soup_and_hidden_elements(answers: list[Answer]) -> None:
    pages = b"".join(a.body for a in answers)
    for oddity in (
        b'style="display:none"',
        b"<div hidden",
        b"<BODY BGCOLOR=#fbfaf5>",
        b"<noscript>",
    ):
        assert oddity in pages
    soup = next(a.body for a in answers if "/przepis/pierogi" in a.url)
    assert soup.count(b"<li>") > 20
    assert b"</li>" not in soup


def test_one_page_has_an_empty_body(answers: list[Answer]) -> None:
    assert any(b"<body></body>" in a.body for a in answers)
    assert any(
        a.body == b"" and a.http.get("content-length") == "0"
        for a in answers
        if a.http.get("content-type", "").startswith("text/html") and a.kind == "response"
    )


# Records as bytes


@given(st.binary(max_size=100))
def test_a_member_is_gzip(data: bytes) -> None:
    assert gzip.decompress(member(data)) == data


@pytest.mark.parametrize("size", [0, 65_535, 65_536, 200_000])
def test_a_member_holds_any_size(size: int) -> None:
    data = bytes(n % 251 for n in range(size))
    assert gzip.decompress(member(data)) == data


def test_a_damaged_member_keeps_its_length_and_does_not_inflate() -> None:
    sound = member(b"words " * 100)
    assert len(damaged(sound)) == len(sound)
    with pytest.raises(zlib.error):
        gzip.decompress(damaged(sound))


def test_a_chunked_body_ends_with_an_empty_chunk() -> None:
    assert chunked(b"abcdef", size=4) == b"4\r\nabcd\r\n2\r\nef\r\n0\r\n\r\n"


def test_a_record_declares_its_length_and_digest() -> None:
    assert record("WARC/1.1", [("WARC-Type", "metadata")], b"ab") == (
        b"WARC/1.1\r\nWARC-Type: metadata\r\n"
        b"WARC-Block-Digest: sha1:3IRWCTQCI2NA27D32G62WXE4I5FRSBG4\r\n"
        b"Content-Length: 2\r\n\r\nab\r\n\r\n"
    )
    assert digest(b"") == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"


# The sample's timelines: what can be compared with what


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


def test_sites_have_six_urls_of_four_snapshots(pages: Rows) -> None:
    snapshots: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for page in pages:
        snapshots[page["site"]][page["url"].split("//")[1]] += 1
    for site in ("uferbote.example", "kuchniapodlipa.example", "lanternandledger.example"):
        assert sum(count >= 4 for count in snapshots[site].values()) >= 6


def test_one_page_has_no_partner(pages: Rows) -> None:
    assert sum(page["site"] == "turmuhr.example" for page in pages) == 1


# The format of the prose files, and the marks that carry the truth through rendering


TEXT = """path: /a.html
section: Work
title: A Day: Its Hours
date: 2012-03-20

First {teh|the} paragraph.
## Heading
- item
1. step
% Ada: comment
@3 Added later.
"""


def test_a_piece_has_facts_and_blocks() -> None:
    piece = read_prose(TEXT)
    assert (piece.title, piece.date, piece.author) == ("A Day: Its Hours", date(2012, 3, 20), "")
    kinds = [block.kind for block in piece.blocks]
    assert kinds == ["paragraph", "heading", "item", "step", "comment", "paragraph"]
    assert piece.of("item", "step") == ("item", "step")


def test_a_crawl_sees_what_is_there_by_then() -> None:
    early, late = read_prose(TEXT).at(1), read_prose(TEXT).at(3)
    assert early.of("paragraph") == ("First teh paragraph.",)
    assert late.of("paragraph") == ("First the paragraph.", "Added later.")


def test_marks_stand_around_text_and_never_around_white_space() -> None:
    marked = content("One *two* **three** & [four](/4).")
    assert marked == (
        f"{BLOCK}One {END}<em>{RUN}two{END}</em> <strong>{RUN}three{END}</strong>"
        f'{RUN} &amp; {END}<a href="/4">{RUN}four{END}</a>{RUN}.{END}'
    )
    assert unmarked(marked).startswith("One <em>two</em> <strong>three</strong> &amp; ")


def test_furniture_turns_round() -> None:
    assert turn("abc", 2, 4) == ["c", "a", "b", "c"]
