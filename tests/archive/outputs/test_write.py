"""Annotated pages as WARC records, compared with complete golden records."""

import gzip
import json
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from dbce.archive import AnnotatedWriter, capture, read_annotated, read_annotated_at
from dbce.model import InputError, UsageError

BREAD = capture("http://example.com/Brot?a=1", "", "20240506070809", record_id="urn:test:bread")
BUTTER = capture("http://example.com/ä", "", "2024-05-06T07:08:10.5Z", record_id="urn:test:butter")
HTML = "<p data-dbce=content>Grüße".encode()

WARCINFO = """\
WARC/1.1
WARC-Record-ID: <urn:uuid:68cc69d2-02d7-5903-a869-caf60541fb33>
WARC-Date: 2024-05-06T07:08:09Z
WARC-Filename: a.dbce.warc.gz
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
    record_type: str = "conversion", config: str = "0123456789ab"
) -> tuple[bytes, list[str]]:
    """A file of two pages, and its index lines."""
    out = BytesIO()
    writer = AnnotatedWriter(out, "x/a.dbce.warc.gz", record_type, config, "0.1.0")
    lines = [writer.write(BREAD, HTML), writer.write(BUTTER, b"")]
    writer.close()
    return out.getvalue(), lines


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
    for text, expected in ((info, WARCINFO), (bread, golden)):
        assert text.replace("\r\n", "\n") == expected


def test_the_index_line_is_as_players_read_it() -> None:
    _, lines = written()
    key, timestamp, fields = lines[0].split(" ", 2)
    assert (key, timestamp) == ("com,example)/brot?a=1", "20240506070809")
    assert list(json.loads(fields)) == [
        "url", "mime", "status", "digest", "length", "offset", "filename",
    ]  # fmt: skip
    assert json.loads(fields) | {"digest": "", "length": "", "offset": ""} == {
        "url": "http://example.com/Brot?a=1",
        "mime": "text/html",
        "status": "200",
        "digest": "",
        "length": "",
        "offset": "",
        "filename": "x/a.dbce.warc.gz",
    }
    assert lines[1].isascii()


def test_the_same_pages_give_the_same_bytes() -> None:
    assert written() == written()


def test_another_configuration_gives_other_ids() -> None:
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
    pages = list(read_annotated(str(file)))
    assert [(p.record_id, p.url, p.timestamp, p.html) for p in pages] == [
        ("urn:test:bread", BREAD.url, BREAD.timestamp, HTML),
        ("urn:test:butter", BUTTER.url, BUTTER.timestamp, b""),
    ]
    offsets = [int(json.loads(line.split(" ", 2)[2])["offset"]) for line in lines]
    assert [read_annotated_at(str(file), offset) for offset in offsets] == pages


def test_a_damaged_file_of_ours_is_an_input_error(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(written()[0][:-30])
    with pytest.raises(InputError):
        list(read_annotated(str(file)))
    with pytest.raises(InputError, match="no annotated page at offset 0"):
        read_annotated_at(str(file), 0)
    with pytest.raises(UsageError, match="cannot read"):
        list(read_annotated(str(tmp_path / "gone.warc.gz")))


def test_a_file_without_pages_is_a_whole_archive() -> None:
    out = BytesIO()
    AnnotatedWriter(out, "a.warc.gz", "conversion", "c", "0.1.0").close()
    out.seek(0)
    assert [record.rec_type for record in ArchiveIterator(out)] == ["warcinfo"]
