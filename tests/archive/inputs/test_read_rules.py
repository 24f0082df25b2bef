"""Captures that are pages, what is known of each, and bodies told by their first bytes."""

import gzip
import io
import zipfile
import zlib
from datetime import UTC, datetime

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from dbce.archive import capture
from dbce.archive.records.answer import binary_type
from dbce.archive.records.identity import sha1
from dbce.model import Capture, Limits, Reference, Reject, Status
from tests.archive.build import (
    PAGE,
    answer,
    arc_head,
    arc_record,
    captures,
    members,
    outcome,
    outcomes,
    record,
)


def only(data: bytes, limits: Limits | None = None) -> Capture | Reject:
    (entry,) = captures(data, limits=limits)
    return entry


def page(data: bytes) -> Capture:
    entry = only(data)
    assert isinstance(entry, Capture), entry
    return entry


def test_a_page_carries_all_that_its_record_says() -> None:
    head = record(0, b"software: test\r\n", kind="warcinfo", media="application/warc-fields")
    parts = members([head, record(7, WARC_Payload_Digest="sha1:ABC")])
    entry = page(b"".join(parts))
    assert entry.record_id == "urn:test:7"
    assert entry.url == "http://example.com/7"
    assert entry.surt == "com,example)/7"
    assert entry.timestamp == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert entry.digest == "sha1:ABC"
    assert entry.content_type == "text/html"
    assert entry.payload == PAGE
    assert entry.origin.filename == "test.warc.gz"
    assert (entry.origin.offset, entry.origin.length) == (len(parts[0]), len(parts[1]))
    plain = page(record())  # ends with its block
    assert (plain.origin.offset, plain.origin.length) == (0, len(record()) - 4)


SILENT = (None, "", "application/octet-stream", "*/*", "unknown/unknown")
"""Media types that say nothing."""


@pytest.mark.parametrize(
    "data",
    [
        *(record(version=version) for version in ("0.17", "1.0", "1.1")),
        record(1, answer(status="200")),  # without a reason phrase
        record(1, PAGE, kind="resource", media="text/html"),
        *(record(1, answer(content_type=media)) for media in SILENT),
    ],
)
def test_a_page_is_read_as_it_is(data: bytes) -> None:
    assert page(data).payload == PAGE


KNOWN = ("warcinfo", "request", "metadata", "conversion", "continuation")


@pytest.mark.parametrize("kind", [*KNOWN, "annotation", "X-Later", "response\x1b[2J"])
def test_records_that_are_no_captures_are_passed_over(kind: str) -> None:
    assert outcomes(record(1, kind=kind) + record(2)) == ["page"]
    assert captures(record(1, kind=kind), (0,)) == []


def test_a_record_without_a_type_may_have_been_a_capture() -> None:
    _, entry = captures(record(1) + record(2, kind=None))
    assert (outcome(entry), entry.detail) == ("bad-record", "no WARC-Type")


def test_an_arc_record_is_a_page() -> None:
    data = arc_head() + arc_record(3, url="http://example.com/a b")
    entry = page(data)
    assert entry.url == "http://example.com/a b"
    assert entry.timestamp == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert entry.payload == PAGE
    assert entry.record_id.startswith("urn:uuid:")
    assert entry.record_id == page(data).record_id
    first, second = captures(record(1, record_id="") + record(2, record_id=""))
    assert first.record_id != second.record_id


def test_a_revisit_is_skipped_and_says_what_it_refers_to() -> None:
    assert outcomes(record(kind="revisit", block=b"")) == ["revisit"]
    said = {
        "WARC_Refers_To": "<urn:test:7>",
        "WARC_Refers_To_Target_URI": "<http://example.com/7>",
        "WARC_Refers_To_Date": "2024-05-06T07:08:09Z",
    }
    one, bare = captures(
        record(kind="revisit", block=answer(b""), WARC_Payload_Digest="sha1:A", **said)
        + record(kind="revisit", block=answer(b""), WARC_Refers_To_Date="yesterday")
    )
    assert (outcome(one), one.status, one.is_html) == ("revisit", Status.SKIPPED, True)
    moment = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert one.refers_to == Reference("urn:test:7", "http://example.com/7", moment)
    assert one.digest == "sha1:A"
    assert (bare.refers_to, bare.digest) == (Reference("", "", None), "")
    other = only(record(1, answer(status="404 Gone"), WARC_Refers_To="<urn:test:7>"))
    assert other.refers_to is None


CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


@pytest.mark.parametrize(
    "interim",
    [
        *(CONTINUE, CONTINUE + b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"),
        *(b"HTTP/1.0 200 Connected\r\nVia: a proxy\r\n\r\n", answer(b"")),
    ],
)
@pytest.mark.parametrize("fields", [{}, {"Transfer_Encoding": "chunked"}])
def test_the_answer_behind_others_is_read(interim: bytes, fields: dict[str, str]) -> None:
    body = chunked(PAGE) if fields else PAGE
    entry = page(record(1, interim + answer(body, **fields)))
    assert (entry.payload, entry.content_type) == (PAGE, "text/html")


@pytest.mark.parametrize(
    ("block", "status"),
    [
        *((block, "100") for block in (CONTINUE, CONTINUE + b"<p>no", CONTINUE * 1000 + answer())),
        (CONTINUE + answer(status="404 Not Found"), "404"),
        (b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + answer(), "101"),
    ],
)
def test_the_last_answer_counts(block: bytes, status: str) -> None:
    entry = only(record(1, block))
    assert (outcome(entry), entry.detail) == ("http-status", status)


@pytest.mark.parametrize(
    ("data", "reason", "detail", "is_html"),
    [
        *(
            (record(1, answer(status=status)), "http-status", status[:3], True)
            for status in ("301 Moved", "404 Not Found", "500", "304 Not Modified")
        ),
        *(
            (record(1, answer(content_type=media)), "not-html", media.partition(";")[0], False)
            for media in ("image/png", "text/plain", "application/pdf; x=y")
        ),
        (record(1, PAGE, kind="resource", media="text/plain"), "not-html", "text/plain", False),
        (record(1, b"2024\n", url="dns:a", media="text/dns"), "not-html", "text/dns", False),
        (record(1, answer(b"")), "no-text", "the body is empty", True),
        # A revisit of no time could not be a snapshot.
        (record(1, kind="revisit", date="soon"), "bad-record", "the date is 'soon'", True),
    ],
)
def test_what_is_no_page_says_why(data: bytes, reason: str, detail: str, is_html: bool) -> None:
    entry = only(data)
    assert (outcome(entry), entry.detail, entry.is_html) == (reason, detail, is_html)


def test_html_is_told_by_its_media_type_and_one_that_says_nothing_makes_no_page() -> None:
    for media in ("TEXT/HTML", "application/xhtml+xml", "text/html;charset=x"):
        assert page(record(1, answer(content_type=media))).content_type == media
    for media in SILENT:
        assert outcomes(record(1, answer(b"%PDF-1.4", content_type=media))) == ["not-html"]


@pytest.mark.parametrize(
    "body",
    [
        *(b"  \n<!DOCTYPE html><p>", b"\xef\xbb\xbf<html>", b"<!-- a page -->\n<p>Bread"),
        b"<?xml version='1.0'?>\n<!-- x --><html>",
        *("\ufeff<html>".encode("utf-16-le"), gzip.compress(PAGE, mtime=0)),
    ],
)
def test_html_is_sniffed_as_browsers_do_it(body: bytes) -> None:
    packed = {"Content_Encoding": "gzip"} if body[:1] == b"\x1f" else {}
    assert outcomes(record(1, answer(body, content_type=None, **packed))) == ["page"]


def chunked(body: bytes, size: int = 7) -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


RAW_DEFLATE = zlib.compress(PAGE)[2:-4]
GZIPPED = gzip.compress(PAGE, mtime=0)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (GZIPPED, {"Content_Encoding": "gzip"}),
        (b"".join(members([PAGE[:9], PAGE[9:]])), {"Content_Encoding": "x-gzip"}),
        (GZIPPED + bytes(9), {"Content_Encoding": "gzip"}),
        (RAW_DEFLATE, {"Content_Encoding": "deflate"}),
        (brotli.compress(PAGE), {"Content_Encoding": "br"}),
        (brotli.compress(GZIPPED), {"Content_Encoding": "gzip, br"}),
        (zstandard.compress(PAGE[:9]) + zstandard.compress(PAGE[9:]), {"Content_Encoding": "ZSTD"}),
        (zstandard.compress(zlib.compress(PAGE)), {"Content_Encoding": "deflate, zstd"}),
        (chunked(PAGE), {"Transfer_Encoding": "chunked"}),
        *((chunked(PAGE)[:-5], {}), (chunked(GZIPPED), {"Content_Encoding": "gzip"})),
        (chunked(PAGE)[:-5], {"Transfer_Encoding": "chunked"}),  # the last chunk is left out
        (chunked(PAGE, 10**6), {"Transfer_Encoding": "Chunked"}),
        (chunked(GZIPPED), {"Transfer_Encoding": "gzip, chunked"}),
        (chunked(GZIPPED), {"Transfer_Encoding": "chunked", "Content_Encoding": "gzip"}),
        # Declared, but the crawler stored what it had decoded.
        (PAGE, {"Transfer_Encoding": "chunked", "Content_Encoding": "gzip"}),
        *((PAGE, {"Content_Encoding": coding}) for coding in ("br", "deflate", "zstd", "utf-8")),
    ],
)
def test_encodings_are_removed(body: bytes, fields: dict[str, str]) -> None:
    assert page(record(1, answer(body, **fields))).payload == PAGE


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (GZIPPED[:20] + bytes(30), {"Content_Encoding": "gzip"}),
        (zstandard.compress(PAGE)[:9] + bytes(30), {"Content_Encoding": "zstd"}),
        (b"\x00\x01\x02", {"Content_Encoding": "compress"}),
        (PAGE, {"Content_Encoding": "gzip, gzip, gzip, gzip, gzip"}),
    ],
)
def test_what_does_not_decode_is_rejected(body: bytes, fields: dict[str, str]) -> None:
    entry = only(record(1, answer(body, **fields)))
    assert (outcome(entry), entry.is_html) == ("bad-encoding", True)
    assert (entry.record_id, entry.surt) == ("urn:test:1", "com,example)/1")


@pytest.mark.parametrize(
    ("coding", "pack"),
    [
        *(("gzip", gzip.compress), ("deflate", zlib.compress)),
        *(("br", brotli.compress), ("zstd", zstandard.compress)),
    ],
)
def test_a_bomb_is_too_large(coding, pack) -> None:
    block = answer(pack(bytes(5_000_000)), Content_Encoding=coding)
    assert outcome(only(record(1, block), Limits(payload_bytes=100_000))) == "too-large"
    # The limit counts decoded bytes and includes itself.
    whole = record(1, answer(pack(PAGE * 99), Content_Encoding=coding))
    assert outcome(only(whole, Limits(payload_bytes=len(PAGE * 99)))) == "page"
    assert outcome(only(whole, Limits(payload_bytes=len(PAGE * 99) - 1))) == "too-large"


def test_the_digest_is_computed_over_the_stored_body_where_none_is_declared() -> None:
    stored = chunked(PAGE)
    assert page(record(1, answer(stored, Transfer_Encoding="chunked"))).digest == sha1(stored)


def test_offsets_give_the_same_captures_as_reading_through() -> None:
    for parts in (members(record(number) for number in range(9)), [record(n) for n in range(9)]):
        data = b"".join(parts)
        offsets = tuple(len(b"".join(parts[:number])) for number in range(9))
        assert captures(data, offsets) == captures(data)
        assert captures(data, offsets[2:4]) == captures(data)[2:4]


def test_a_page_in_memory_is_a_capture() -> None:
    entry = capture("http://www.example.com/", "<p>Grüße", "20240506070809")
    assert entry.payload == "<p>Grüße".encode()
    assert entry.content_type == "text/html; charset=utf-8"
    assert entry.surt == "com,example)/"
    assert entry.timestamp == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert entry == capture("http://www.example.com/", "<p>Grüße", "2024-05-06T07:08:09Z")
    assert entry.record_id != capture("http://www.example.com/", "", "2024").record_id
    with pytest.raises(ValueError, match="not a date"):
        capture("http://example.com/", "", "today")


LONG = "x" * 100_000


def test_a_header_line_of_100_kb_is_named_as_what_it_is() -> None:
    told = "a header line of more than 65,536 bytes: "
    (entry,) = captures(record(1, answer(X_Policy=LONG)))
    assert (outcome(entry), entry.detail) == ("bad-http", f"{told}'X-Policy: {'x' * 30}'...")
    (entry,) = captures(record(1, answer(status=f"200 {LONG}")))
    assert (outcome(entry), entry.detail) == ("bad-http", f"{told}'HTTP/1.1 200 {'x' * 27}'...")
    entry, other = captures(record(1, url=f"http://a/{LONG}") + record(2))
    assert entry.detail == f"{told}'WARC-Target-URI: http://a/{'x' * 14}'..."
    assert (outcome(entry), outcome(other)) == ("bad-record", "page")
    entry, other = captures(arc_head() + arc_record(1, url=f"http://a/{LONG}") + arc_record(2))
    assert entry.detail == "a header line of more than 8,000 bytes"
    assert (outcome(entry), outcome(other)) == ("damaged", "page")


# What is surely no HTML by its first bytes, whatever it was served as


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 20
ZIP = io.BytesIO()
with zipfile.ZipFile(ZIP, "w") as _file:
    _file.writestr("bread.txt", "butter")

BINARIES = {
    "image/png": PNG,
    "image/jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF" + bytes(2000),
    "image/gif": b"GIF89a\1\0\1\0" + bytes(2000),
    "image/webp": b"RIFF\x10\0\0\0WEBPVP8 " + bytes(2000),
    "application/pdf": b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n" + bytes(2000),
    "application/zip": ZIP.getvalue() + bytes(2000),
    "application/gzip": gzip.compress(PNG),
    "application/x-shockwave-flash": b"CWS\x09\x10\0\0\0" + bytes(2000),
    "video/mp4": b"\0\0\0\x18ftypmp42" + bytes(2000),
}


@pytest.mark.parametrize("kind", BINARIES)
@pytest.mark.parametrize("declared", ["text/html", "application/xhtml+xml; charset=utf-8"])
def test_a_binary_that_is_served_as_html_is_skipped_as_what_it_is(kind: str, declared: str) -> None:
    (entry,) = captures(record(1, answer(BINARIES[kind], content_type=declared)))
    assert (entry.status, entry.reason, entry.is_html) == (Status.SKIPPED, "not-html", False)
    assert entry.detail == f"{declared.partition(';')[0]}, but {kind} by its first bytes"


def test_so_is_one_behind_encodings_and_one_that_is_too_large() -> None:
    packed = answer(gzip.compress(PNG), Content_Encoding="gzip")
    chunked = answer(b"%x\r\n%s\r\n0\r\n\r\n" % (len(PNG), PNG), Transfer_Encoding="chunked")
    assert outcomes(record(1, packed) + record(2, chunked)) == ["not-html"] * 2
    (large,) = captures(record(1, answer(PNG)), limits=Limits(payload_bytes=100))
    assert large.reason == "not-html"
    (page,) = captures(record(1, answer(PAGE * 9)), limits=Limits(payload_bytes=100))
    assert page.reason == "too-large"


@given(st.text(min_size=1) | st.sampled_from(["BM", "RIFF", "II*", "MZ", "GIF", "%P", "ID3", "PK"]))
def test_no_text_is_a_binary(text: str) -> None:
    for charset in ("utf-8", "utf-16"):
        assert binary_type(f"{text.lstrip()}<p>Bread".encode(charset, "replace")) == ""
