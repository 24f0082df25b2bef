"""Pages that break off: used if enough of them is there, and marked."""

import gzip
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.boilerplate.sketch import sketch
from dbce.model import Capture, Config, Limits, Reason, Reject, Sketch
from tests.archive.build import answer, arc_head, arc_record, captures, members, outcome, record

SENTENCES = "".join(f"<p>Sentence {n} of {n * n}.</p>" for n in range(200)).encode()
LONG = b"<html><body>" + SENTENCES + b"</body></html>"
MUCH = LONG + b"".join(b"<p>%d" % (n * n) for n in range(40_000))  # several blocks of zstd
CHUNKED = b"".join(b"40\r\n%s\r\n" % LONG[at : at + 64] for at in range(0, 6400, 64))
WHOLE = record(1, answer(LONG))


def page(data: bytes, number: int = 0) -> Capture:
    entry = captures(data)[number]
    assert isinstance(entry, Capture), entry
    return entry


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress])
def test_a_record_that_the_end_of_the_file_cuts_is_used_as_far_as_it_goes(pack) -> None:
    stored = pack(WHOLE)
    entry = page(stored[: len(stored) * 2 // 3])
    assert entry.truncated == "record"
    assert LONG.startswith(entry.payload)
    assert len(entry.payload) > 1_024


@pytest.mark.parametrize("pack", [b"".join, lambda parts: b"".join(members(parts))])
def test_a_record_shorter_than_declared_ends_where_the_next_begins(pack) -> None:
    short = record(1, answer(LONG[:5000]), length=len(answer(LONG)))
    first, second = captures(pack([short, record(2)]))
    assert isinstance(first, Capture)
    assert (first.payload.rstrip(), first.truncated) == (LONG[:5000], "record")
    assert outcome(second) == "page"
    arc, other = captures(arc_head() + arc_record(1, answer(LONG), length=10**6) + arc_record(2))
    assert (outcome(other), arc.truncated) == ("page", "record")


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        *(("gzip", gzip.compress(LONG)), ("br", brotli.compress(LONG))),
        *(("deflate", body) for body in (zlib.compress(LONG), zlib.compress(LONG)[2:-4])),
        ("zstd", zstandard.compress(MUCH)),
        ("deflate, gzip", gzip.compress(zlib.compress(LONG))),
    ],
)
def test_a_compressed_body_that_breaks_off_is_used_as_far_as_it_decodes(coding, body) -> None:
    entry = page(record(1, answer(body[: len(body) * 9 // 10], Content_Encoding=coding)))
    assert entry.truncated == "content-encoding"
    assert MUCH.startswith(entry.payload)


def test_a_body_that_breaks_off_inside_of_a_chunk_is_used() -> None:
    for body in (CHUNKED[:3000], CHUNKED[:2100] + b"no chunk"):
        entry = page(record(1, answer(body, Transfer_Encoding="chunked")))
        assert entry.truncated == "chunk"
        assert LONG.startswith(entry.payload)
    endless = page(record(1, answer(b"FFFFFFFFFFFFF\r\n" + LONG, Transfer_Encoding="chunked")))
    assert (endless.truncated, endless.payload) == ("chunk", LONG)


@pytest.mark.parametrize("why", ["length", "time", "disconnect", "unspecified"])
def test_what_a_crawler_cut_short_says_why(why: str) -> None:
    assert page(record(1, answer(LONG), WARC_Truncated=why)).truncated == why
    broken = answer(gzip.compress(LONG)[:-600], Content_Encoding="gzip")
    assert page(record(1, broken, WARC_Truncated=why)).truncated == why


def test_a_cut_record_with_a_compressed_body_is_used_though_line_ends_follow() -> None:
    body = answer(gzip.compress(LONG)[:-500], Content_Encoding="gzip")
    entry = page(record(1, body, length=len(body) + 500) + record(2))
    assert entry.truncated == "record"
    assert LONG.startswith(entry.payload[:1_024])


@pytest.mark.parametrize(
    "data",
    [
        record(1, answer(LONG[:500]), length=9_000),
        record(1, answer(gzip.compress(LONG)[:40], Content_Encoding="gzip")),
        record(1, answer(CHUNKED[:600], Transfer_Encoding="chunked")),
        record(1, answer(LONG[:500]), WARC_Truncated="time"),
        record(1, answer(b""), WARC_Truncated="disconnect"),
        record(1, answer(gzip.compress(LONG), Content_Encoding="gzip"), length=10**6)[:300],
    ],
)
def test_where_too_little_is_there_it_is_rejected(data: bytes) -> None:
    (entry,) = captures(data)
    assert isinstance(entry, Reject)
    assert (entry.reason, entry.is_html) == (Reason.TRUNCATED, True)


def test_how_little_is_too_little_can_be_set() -> None:
    data = record(1, answer(LONG[:500]), length=9_000)
    for least, found in ((501, "page"), (600, "truncated")):
        (entry,) = captures(data, limits=Limits(truncated_bytes=least))
        assert outcome(entry) == found


@pytest.mark.parametrize(
    "body", [b"<html><!--" + LONG, b"<script>" + LONG, b"<body>" + b" " * 2000]
)
def test_a_page_that_breaks_off_before_its_text_is_rejected_as_such(body: bytes) -> None:
    entry = page(record(1, answer(body), length=10**6))
    result = sketch(entry, Config())
    assert isinstance(result, Reject)
    assert result.reason == Reason.TRUNCATED
    assert isinstance(sketch(page(record(1, answer(LONG), length=10**6)), Config()), Sketch)


def test_what_is_no_page_is_not_made_one_by_breaking_off() -> None:
    for block in (answer(LONG, "404 Not Found"), answer(LONG, content_type="image/png")):
        assert [outcome(e) for e in captures(record(1, block)[:-3000])] == ["truncated"]
    (entry,) = captures(record(1, answer(bytes(range(256)) * 20, Content_Encoding="br")))
    assert outcome(entry) == "bad-encoding"


@given(st.integers(0, len(WHOLE)), st.booleans())
@settings(deadline=None)
def test_wherever_a_record_is_cut_its_page_is_a_part_of_the_whole(cut: int, packed: bool) -> None:
    stored = gzip.compress(WHOLE[:cut]) if packed else WHOLE[:cut]
    for entry in captures(stored):
        if isinstance(entry, Capture):
            assert (LONG + b"\r\n\r\n").startswith(entry.payload)
            assert entry.truncated == ("record" if cut < len(WHOLE) - 4 else "")
