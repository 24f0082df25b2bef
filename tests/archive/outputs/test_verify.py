"""What is read back is what was written, or nothing takes its name."""

import gzip
import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.archive import AnnotatedWriter, PlainText, TextWriter, capture, verify
from dbce.model import StoreError

PAGES = [
    (capture(f"http://paper.example/{n}", "", f"2016010{n}000000"), f"<p>Number {n}".encode())
    for n in (1, 2, 3)
]


def written(kind: str = "conversion") -> tuple[bytes, list[str]]:
    """A file of three pages, and its index lines."""
    out = BytesIO()
    writer = AnnotatedWriter(out, "a.dbce.warc.gz", kind, "0123456789ab", "0.1.0")
    lines = [writer.write(page, html) for page, html in PAGES]
    writer.close()
    return out.getvalue(), lines


FILE, LINES = written()
STARTS = [json.loads(line.split(" ", 2)[2])["offset"] for line in LINES]


def holds(data: bytes, lines: list[str]) -> bool:
    try:
        verify(BytesIO(data), lines)
    except StoreError:
        return False
    return True


@pytest.mark.parametrize("kind", ["conversion", "response"])
def test_what_was_written_holds(kind: str) -> None:
    assert holds(*written(kind))


def test_texts_and_files_without_pages_hold() -> None:
    out = BytesIO()
    writer = TextWriter(out, "a.warc.wet.gz", "0123456789ab", "0.1.0")
    assert holds(out.getvalue(), []) is False
    lines = [writer.write(PlainText.from_capture(page, "Ünlü")) for page, _ in PAGES[:2]]
    assert holds(out.getvalue(), lines)
    empty = BytesIO()
    TextWriter(empty, "a.warc.wet.gz", "0123456789ab", "0.1.0").close()
    assert holds(empty.getvalue(), [])


def test_the_payload_may_hold_what_ends_a_record() -> None:
    out = BytesIO()
    writer = AnnotatedWriter(out, "a.dbce.warc.gz", "response", "0123456789ab", "0.1.0")
    lines = [writer.write(PAGES[0][0], b"<p>a\r\n\r\nWARC/1.1\r\n\r\nb\r\n\r\n")]
    assert holds(out.getvalue(), lines)


def cut(start: int, end: int) -> bytes:
    return FILE[:start] + FILE[end:]


FIRST, SECOND, THIRD = map(int, STARTS)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        FILE[:-1],
        FILE[:THIRD],
        FILE + b"\0",
        FILE + FILE[THIRD:],
        cut(0, FIRST),
        cut(FIRST, SECOND),
        FILE[:FIRST] + FILE[SECOND:THIRD] + FILE[FIRST:SECOND] + FILE[THIRD:],
        FILE[:SECOND] + bytes(THIRD - SECOND) + FILE[THIRD:],
        FILE[:SECOND] + FILE[FIRST:SECOND] + FILE[THIRD:],
    ],
    ids="empty cut short longer twice headless gap swapped zeroed repeated".split(),
)
def test_a_file_that_is_stored_otherwise_does_not_hold(data: bytes) -> None:
    assert not holds(data, LINES)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("offset", str(SECOND + 1)),
        ("length", str(THIRD - SECOND - 1)),
        ("length", str(len(FILE))),
        ("digest", "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        ("url", "http://paper.example/4"),
    ],
)
def test_an_index_that_leads_elsewhere_does_not_hold(field: str, value: str) -> None:
    key, at, fields = LINES[1].split(" ", 2)
    other = f"{key} {at} {json.dumps(json.loads(fields) | {field: value})}"
    assert not holds(FILE, [LINES[0], other, LINES[2]])
    assert not holds(FILE, [LINES[0], f"{key} 20170102000000 {fields}", LINES[2]])


def test_a_length_that_takes_in_more_than_the_record_does_not_hold() -> None:
    key, at, fields = LINES[2].split(" ", 2)
    more = json.loads(fields) | {"length": str(len(FILE) - THIRD + 1)}
    assert not holds(FILE + b"\0", [*LINES[:2], f"{key} {at} {json.dumps(more)}"])


@pytest.mark.parametrize(
    ("what", "instead"),
    [
        (b"Number 2", b"Number 9"),
        (b"Content-Length: 11", b"Content-Length: 12"),
        (b"WARC-Payload-Digest: sha1:", b"WARC-Payload-Digest: md5:."),
        (b"\r\n\r\n<p>", b"\r\n<p>"),
        (b"Number 2\r\n\r\n", b"Number 2\r\n"),
    ],
)
def test_a_record_that_says_something_else_does_not_hold(what: bytes, instead: bytes) -> None:
    plain = gzip.decompress(FILE[SECOND:THIRD])
    assert plain.count(what) == 1
    other = gzip.compress(plain.replace(what, instead))
    key, at, fields = LINES[1].split(" ", 2)
    line = f"{key} {at} {json.dumps(json.loads(fields) | {'length': str(len(other))})}"
    assert not holds(FILE[:SECOND] + other, [LINES[0], line])


@given(st.integers(0, len(FILE) - 1), st.integers(0, 7))
def test_no_flipped_bit_changes_a_record_unseen(byte: int, bit: int) -> None:
    rotten = bytearray(FILE)
    rotten[byte] ^= 1 << bit
    # A few bits of a gzip header say nothing that a reader goes by: the time, for instance.
    assert not holds(bytes(rotten), LINES) or gzip.decompress(rotten) == gzip.decompress(FILE)


def test_the_error_says_where_and_what_to_do() -> None:
    with pytest.raises(StoreError, match=rf"at byte {SECOND}: .*file system, .* --resume"):
        verify(BytesIO(FILE[:SECOND] + bytes(100)), LINES)
