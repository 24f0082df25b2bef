"""Plain text in the form of Common Crawl's WET files, compared with complete golden records."""

from __future__ import annotations

import gzip
from io import BytesIO

from dbce.archive import PlainText, TextWriter, capture, write_wet

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
    writer.write(BREAD, "Grüße\nBrot.")
    writer.close()
    text = gzip.decompress(out.getvalue()).decode().replace("\r\n", "\n")
    assert text == WARCINFO + TEXT


def test_a_file_without_a_name_says_none() -> None:
    out = BytesIO()
    text = PlainText(BREAD.record_id, BREAD.url, BREAD.surt, BREAD.timestamp, "Grüße\nBrot.")
    write_wet(out, [text], "0123456789ab", "0.1.0")
    written = gzip.decompress(out.getvalue()).decode().replace("\r\n", "\n")
    assert written.endswith(TEXT)
    assert "WARC-Filename" not in written


def test_the_id_of_a_text_changes_with_the_text_alone() -> None:
    ids = []
    for text, config in (("one", "a"), ("one", "b"), ("two", "a")):
        out = BytesIO()
        TextWriter(out, "", config, "0.1.0").write(BREAD, text)
        record = gzip.decompress(out.getvalue()).split(b"WARC/1.1")[2]
        ids.append(record.split(b"\r\n")[1])
    assert ids[0] == ids[1] != ids[2]
