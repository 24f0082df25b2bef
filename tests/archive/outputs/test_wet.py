"""Plain text in the form of Common Crawl's WET files, compared with complete golden records."""

import gzip
from dataclasses import replace
from io import BytesIO

from dbce.archive import PlainText, TextWriter, capture, write_wet
from dbce.model import Origin

BREAD = capture("http://example.com/Brot?a=1", "", "20240506070809", record_id="urn:test:bread")

WARCINFO = """\
WARC/1.1
WARC-Record-ID: <urn:uuid:2ac50173-2511-57ae-94f6-a2ccb636edcd>
WARC-Date: 2024-05-06T07:08:09Z
WARC-Filename: a.warc.wet.gz
WARC-Type: warcinfo
WARC-Block-Digest: sha1:K5LMGWJ4HCVUGWL6UILKGYKKL5VPHM4J
Content-Type: application/warc-fields
Content-Length: 178

software: dbce/0.1.0
format: WARC File Format 1.1
conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/
dbce-configuration: 0123456789ab


"""
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
    out = BytesIO()
    writer = TextWriter(out, "x/a.warc.wet.gz", "0123456789ab", "0.1.0")
    writer.write(PlainText.from_capture(BREAD, "Grüße\nBrot.", "joint/default"))
    writer.close()
    text = gzip.decompress(out.getvalue()).decode().replace("\r\n", "\n")
    assert text == WARCINFO + TEXT


def test_a_file_without_a_name_says_none() -> None:
    out = BytesIO()
    text = PlainText.from_capture(BREAD, "Grüße\nBrot.", "joint/default")
    write_wet(out, [text], "0123456789ab", "0.1.0")
    written = gzip.decompress(out.getvalue()).decode().replace("\r\n", "\n")
    assert written.endswith(TEXT)
    assert "WARC-Filename" not in written


def test_the_id_of_a_text_changes_with_the_text_alone() -> None:
    ids = []
    for text, config in (("one", "a"), ("one", "b"), ("two", "a")):
        out = BytesIO()
        TextWriter(out, "", config, "0.1.0").write(PlainText.from_capture(BREAD, text))
        record = gzip.decompress(out.getvalue()).split(b"WARC/1.1")[2]
        ids.append(record.split(b"\r\n")[1])
    assert ids[0] == ids[1] != ids[2]


def test_a_text_of_the_crawler_names_its_record_and_no_model() -> None:
    out = BytesIO()
    TextWriter(out, "", "0123456789ab", "0.1.0").write(
        PlainText.from_capture(BREAD, "Bread", "joint/default", text_record="urn:test:text")
    )
    record = gzip.decompress(out.getvalue()).decode().split("WARC/1.1")[2]
    assert "\r\nDBCE-Text-Source: crawler urn:test:text\r\n" in record
    assert '\r\nWARC-Conversion-Options: {"configuration": "0123456789ab"}\r\n' in record


def test_a_text_that_is_in_no_file_names_none_and_a_file_name_ends_no_line() -> None:
    out = BytesIO()
    writer = TextWriter(out, "", "0123456789ab", "0.1.0")
    alone = PlainText.from_capture(BREAD, "Bread")
    writer.write(replace(alone, origin=None, digest=""))
    writer.write(replace(alone, origin=Origin("Bäcker\r\nX: y.warc.gz", 7, 9)))
    first, second = gzip.decompress(out.getvalue()).decode().split("WARC/1.1")[2:4]
    assert "Refers-To-Filename" not in first
    assert "Refers-To-Payload-Digest" not in first
    assert "\r\nWARC-Refers-To-Filename: Bäcker%0D%0AX: y.warc.gz\r\n" in second
