"""Archives as they are written: annotated pages and plain texts; and read back."""

import gzip
import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from dbce import archive
from dbce.archive import capture
from dbce.model import Capture, InputError, Origin, StoreError, UsageError

BREAD = capture("http://example.com/Brot?a=1", "", "20240506070809", record_id="urn:test:bread")
BUTTER = capture("http://example.com/ä", "", "2024-05-06T07:08:10.5Z", record_id="urn:test:butter")
HTML = "<p data-dbce=content>Grüße".encode()
TWO = (BREAD, HTML), (BUTTER, b"")
CONFIG = "0123456789ab"


def warcinfo(record_id: str, name: str) -> str:
    return f"""\
WARC/1.1
WARC-Record-ID: <urn:uuid:{record_id}>
WARC-Date: 2024-05-06T07:08:09Z
WARC-Filename: {name}
WARC-Type: warcinfo
WARC-Block-Digest: sha1:K5LMGWJ4HCVUGWL6UILKGYKKL5VPHM4J
Content-Type: application/warc-fields
Content-Length: 178

software: dbce/0.1.0
format: WARC File Format 1.1
conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/
dbce-configuration: 0123456789ab


"""


CONVERSION = """\
WARC/1.1
WARC-Record-ID: <urn:uuid:c50a02dd-033d-5e60-8090-76f4e965b9de>
WARC-Date: 2024-05-06T07:08:09Z
WARC-Refers-To: <urn:test:bread>
WARC-Refers-To-Filename: memory
WARC-Refers-To-File-Offset: 0
WARC-Refers-To-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ
WARC-Conversion-Software: dbce/0.1.0
WARC-Conversion-Options: {"configuration": "0123456789ab"}
WARC-Type: conversion
WARC-Target-URI: http://example.com/Brot?a=1
WARC-Payload-Digest: sha1:3P6APV5DYY2AQSXLRZXHEUX4FFS5T7PW
WARC-Block-Digest: sha1:3P6APV5DYY2AQSXLRZXHEUX4FFS5T7PW
Content-Type: text/html; charset=utf-8
Content-Length: 28

<p data-dbce=content>Grüße

"""
RESPONSE = """\
WARC/1.1
WARC-Record-ID: <urn:uuid:c50a02dd-033d-5e60-8090-76f4e965b9de>
WARC-Date: 2024-05-06T07:08:09Z
DBCE-Refers-To: <urn:test:bread>
WARC-Type: response
WARC-Target-URI: http://example.com/Brot?a=1
WARC-Payload-Digest: sha1:3P6APV5DYY2AQSXLRZXHEUX4FFS5T7PW
WARC-Block-Digest: sha1:VXZS7YOEUTXCOTNF75WANHLEJ74SXGKY
Content-Type: application/http; msgtype=response
Content-Length: 107

HTTP/1.1 200 OK
Content-Type: text/html; charset=utf-8
Content-Length: 28

<p data-dbce=content>Grüße

"""


def written(
    record_type: str = "conversion",
    *pages: tuple[Capture, bytes],
    config: str = CONFIG,
    name: str = "x/a.dbce.warc.gz",
) -> tuple[bytes, list[str]]:
    """A file of pages, and its index lines."""
    out = BytesIO()
    writer = archive.AnnotatedWriter(out, name, record_type, config, "0.1.0")
    lines = [writer.write(*each) for each in pages or TWO]
    writer.close()
    return out.getvalue(), lines


def texts(*written: archive.PlainText, config: str = CONFIG) -> list[str]:
    """The records of a file of texts without a name, the warcinfo first."""
    out = BytesIO()
    archive.write_wet(out, written, config, "0.1.0")
    return gzip.decompress(out.getvalue()).decode().split("WARC/1.1")[1:]


def members(data: bytes, lines: list[str]) -> list[str]:
    """The stored records as text, cut where the index lines say."""
    entries = [json.loads(line.split(" ", 2)[2]) for line in lines]
    ends = [(int(e["offset"]), int(e["offset"]) + int(e["length"])) for e in entries]
    parts = [data[: ends[0][0]], *(data[start:end] for start, end in ends)]
    assert b"".join(parts) == data
    return [gzip.decompress(part).decode() for part in parts]


@pytest.mark.parametrize("record_type", ["conversion", "response"])
def test_a_file_is_a_warcinfo_and_the_pages(record_type: str) -> None:
    info, bread, _ = members(*written(record_type))
    golden = {"conversion": CONVERSION, "response": RESPONSE}[record_type]
    for text, expected in (
        (info, warcinfo("68cc69d2-02d7-5903-a869-caf60541fb33", "a.dbce.warc.gz")),
        (bread, golden),
    ):
        assert text.replace("\r\n", "\n") == expected


def test_the_index_line_is_as_players_read_it() -> None:
    _, lines = written()
    key, timestamp, fields = lines[0].split(" ", 2)
    assert (key, timestamp) == ("com,example)/brot?a=1", "20240506070809")
    assert list((json.loads(fields) | dict.fromkeys(("digest", "length", "offset"))).items()) == [
        *(("url", "http://example.com/Brot?a=1"), ("mime", "text/html"), ("status", "200")),
        *(("digest", None), ("length", None), ("offset", None)),
        ("filename", "x/a.dbce.warc.gz"),
    ]
    assert lines[1].isascii()


def test_the_same_pages_give_the_same_bytes_and_another_configuration_other_ids() -> None:
    assert written() == written()
    ids = [[part.split("\r\n")[1] for part in members(*written(config=c))] for c in ("a", "b")]
    assert not set(ids[0]) & set(ids[1])


@pytest.mark.parametrize("record_type", ["conversion", "response"])
def test_others_read_what_is_written(record_type: str, tmp_path: Path, capsys) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(written(record_type)[0])
    assert Checker(SimpleNamespace(inputs=[str(file)], verbose=False)).process_all() == 0
    assert capsys.readouterr().out == ""
    with file.open("rb") as stream:
        records = [(r.rec_type, r.content_stream().read()) for r in ArchiveIterator(stream)]
    assert records[1:] == [(record_type, HTML), (record_type, b"")]


@pytest.mark.parametrize("record_type", ["conversion", "response"])
def test_the_pages_come_back(record_type: str, tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    data, lines = written(record_type)
    file.write_bytes(data)
    pages = list(archive.read_annotated(str(file)))
    assert [(p.record_id, p.url, p.timestamp, p.html) for p in pages] == [
        ("urn:test:bread", BREAD.url, BREAD.timestamp, HTML),
        ("urn:test:butter", BUTTER.url, BUTTER.timestamp, b""),
    ]
    offsets = [int(json.loads(line.split(" ", 2)[2])["offset"]) for line in lines]
    assert [archive.read_annotated_at(str(file), offset) for offset in offsets] == pages


def test_a_damaged_file_of_ours_is_an_input_error(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(written()[0][:-30])
    with pytest.raises(InputError):
        list(archive.read_annotated(str(file)))
    with pytest.raises(InputError, match="no annotated page at offset 0"):
        archive.read_annotated_at(str(file), 0)
    with pytest.raises(UsageError, match="cannot read"):
        list(archive.read_annotated(str(tmp_path / "gone.warc.gz")))


# Plain text in the form of Common Crawl's WET files, compared with complete golden records


TEXT = """\
WARC/1.1
WARC-Record-ID: <urn:uuid:2f02c74c-c129-5a54-8a67-66d7cd815347>
WARC-Date: 2024-05-06T07:08:09Z
WARC-Refers-To: <urn:test:bread>
WARC-Refers-To-Filename: memory
WARC-Refers-To-File-Offset: 0
WARC-Refers-To-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ
WARC-Conversion-Software: dbce/0.1.0
WARC-Conversion-Options: {"configuration": "0123456789ab", "model": "joint/default"}
WARC-Type: conversion
WARC-Target-URI: http://example.com/Brot?a=1
WARC-Payload-Digest: sha1:GMEWT6UR6G2436KAR72SIDIKVNWRM75G
WARC-Block-Digest: sha1:GMEWT6UR6G2436KAR72SIDIKVNWRM75G
Content-Type: text/plain
Content-Length: 13

Grüße
Brot.

"""


def test_a_file_is_a_warcinfo_and_the_texts() -> None:
    plain = archive.PlainText.from_capture(BREAD, "Grüße\nBrot.", "joint/default")
    out = BytesIO()
    writer = archive.TextWriter(out, "x/a.warc.wet.gz", CONFIG, "0.1.0")
    writer.write(plain)
    writer.close()
    text = gzip.decompress(out.getvalue()).decode().replace("\r\n", "\n")
    info, unnamed = texts(plain)
    assert f"WARC/1.1{unnamed}".replace("\r\n", "\n") == TEXT
    assert "WARC-Filename" not in info
    assert text == warcinfo("2ac50173-2511-57ae-94f6-a2ccb636edcd", "a.warc.wet.gz") + TEXT


def test_the_id_of_a_text_changes_with_the_text_alone() -> None:
    cases = ("one", "a"), ("one", "b"), ("two", "a")
    plain = [(archive.PlainText.from_capture(BREAD, text), config) for text, config in cases]
    ids = [texts(one, config=config)[1].split("\r\n")[1] for one, config in plain]
    assert all(each.startswith("WARC-Record-ID: <urn:uuid:") for each in ids)
    assert ids[0] == ids[1] != ids[2]


def test_a_text_of_the_crawler_names_its_record_and_no_model() -> None:
    plain = archive.PlainText.from_capture(
        BREAD, "Bread", "joint/default", text_record="urn:test:text"
    )
    _, record = texts(plain)
    assert "\r\nDBCE-Text-Source: crawler urn:test:text\r\n" in record
    assert '\r\nWARC-Conversion-Options: {"configuration": "0123456789ab"}\r\n' in record


def test_a_text_that_is_in_no_file_names_none_and_a_file_name_ends_no_line() -> None:
    alone = archive.PlainText.from_capture(BREAD, "Bread")
    _, first, second = texts(
        replace(alone, origin=None, digest=""),
        replace(alone, origin=Origin("Bäcker\r\nX: y.warc.gz", 7, 9)),
    )
    assert "Refers-To-Filename" not in first
    assert "Refers-To-Payload-Digest" not in first
    assert "\r\nWARC-Refers-To-Filename: Bäcker%0D%0AX: y.warc.gz\r\n" in second


# Files read back are those that were written, or nothing takes their name


PAGES = [
    (capture(f"http://paper.example/{n}", "", f"2016010{n}000000"), f"<p>Number {n}".encode())
    for n in (1, 2, 3)
]

FILE, LINES = written("conversion", *PAGES, name="a.dbce.warc.gz")
STARTS = [json.loads(line.split(" ", 2)[2])["offset"] for line in LINES]


def holds(data: bytes, lines: list[str]) -> bool:
    try:
        archive.verify(BytesIO(data), lines)
    except StoreError:
        return False
    return True


def test_pages_texts_and_files_without_either_hold() -> None:
    for kind in ("conversion", "response"):
        assert holds(*written(kind, *PAGES))
    out = BytesIO()
    writer = archive.TextWriter(out, "a.warc.wet.gz", CONFIG, "0.1.0")
    assert holds(out.getvalue(), []) is False
    lines = [writer.write(archive.PlainText.from_capture(page, "Ünlü")) for page, _ in PAGES[:2]]
    assert holds(out.getvalue(), lines)
    empty = BytesIO()
    archive.TextWriter(empty, "a.warc.wet.gz", CONFIG, "0.1.0").close()
    assert holds(empty.getvalue(), [])
    # A payload may hold what ends a record.
    assert holds(*written("response", (BREAD, b"<p>a\r\n\r\nWARC/1.1\r\n\r\nb\r\n\r\n")))


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
    # A length that takes in more than the record.
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
    with pytest.raises(StoreError, match=rf"at byte {SECOND}: .*file system"):
        archive.verify(BytesIO(FILE[:SECOND] + bytes(100)), LINES)
