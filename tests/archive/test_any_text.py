"""Whatever a URL, a record id or a header says: what is written of it can be read back."""

import gzip
import json
import subprocess
from io import BytesIO
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from dbce import archive
from dbce.archive import capture, timestamp14
from dbce.archive.inputs.expand import index_entries
from dbce.archive.inputs.selection import EVERYTHING
from dbce.html import load
from dbce.model import Capture, Config
from dbce.output import annotated_page, open_run
from dbce.storage.folder import Folder
from tests.acceptance.conftest import environment
from tests.archive.build import PAGE, answer, stored
from tests.runs import page_rows, whole

CHARACTERS = st.characters(exclude_categories=()) | st.sampled_from('<> \t\r\n{}"%\u00a0\u2028\x85')
TEXTS = st.text(CHARACTERS, max_size=20)
URLS = (
    TEXTS
    | TEXTS.map(lambda text: f"http://{text}/")
    | TEXTS.map(lambda text: f"http://a{text}b.com/{text}?{text}")
)
CAPTURES = st.builds(
    lambda url, own, media: capture(url, PAGE, "20240506070809", record_id=own, content_type=media),
    *(URLS, TEXTS, TEXTS),
)
LINES = st.binary(max_size=20).map(lambda data: data.replace(b"\n", b" ").replace(b"\r", b" "))
"""What can stand in one line of a header."""


@settings(max_examples=40)
@given(st.lists(CAPTURES, min_size=1, max_size=3), st.sampled_from(["conversion", "response"]))
def test_annotated_pages_come_back_with_url_and_record_id(pages: list[Capture], kind: str) -> None:
    out = BytesIO()
    writer = archive.AnnotatedWriter(out, "a.warc.gz", kind, "0123456789ab", "0.1.0")
    lines = [writer.write(page, page.payload) for page in pages]
    writer.close()
    archive.verify(BytesIO(out.getvalue()), lines)
    found = list(archive.read_annotated(stored(out.getvalue()).uri))
    assert [(one.url, one.record_id) for one in found] == [(p.url, p.record_id) for p in pages]


@settings(max_examples=40)
@given(st.lists(CAPTURES, min_size=1, max_size=3))
@example([capture("!", PAGE, "20240506070809", record_id="!")])  # headers of an index begin so too
@example([capture("-", PAGE, "20240506070809", record_id="-")])  # and CDX means nothing by this
def test_an_index_gives_every_line_back(pages: list[Capture]) -> None:
    out = BytesIO()
    writer = archive.TextWriter(out, "a.warc.wet.gz", "0123456789ab", "0.1.0")
    lines = [writer.write(archive.PlainText.from_capture(page, "Bread.")) for page in pages]
    archive.verify(BytesIO(out.getvalue()), lines)
    sorted_lines = "".join(f"{line}\n" for line in sorted(lines))
    uri = stored(sorted_lines.encode(), "index.cdxj").uri
    offsets = [int(json.loads(line.split(" ", 2)[2])["offset"]) for line in lines]
    for page, offset in zip(pages, offsets, strict=True):
        assert ("a.warc.wet.gz", offset) in archive.lines_of(
            uri, page.surt, timestamp14(page.timestamp)
        )
    read = [(one.offset, one.url) for _, one in index_entries(uri, EVERYTHING)]
    known = [(offset, p.url or None) for p, offset in zip(pages, offsets, strict=True)]
    assert sorted(read, key=repr) == sorted(known, key=repr)


@settings(max_examples=40)
@given(st.lists(CAPTURES, min_size=1, max_size=3))
def test_a_package_is_what_its_manifest_says(pages: list[Capture]) -> None:
    warc, package = BytesIO(), BytesIO()
    writer = archive.AnnotatedWriter(warc, "a.warc.gz", "response", "0123456789ab", "0.1.0")
    lines = [writer.write(page, page.payload) for page in pages]
    text = {"title": "Bread", "text": "Butter"}
    told = [
        {"record_id": page.record_id, "url": page.url, "fetch_time": page.timestamp} | text
        for page in pages
    ]
    archive.write_package(package, warc, lines, told, name="a.warc.gz", software="test")
    archive.verify_package(package)


@given(TEXTS | TEXTS.map("text/html; charset=".__add__))
def test_any_content_type_leaves_a_page(content_type: str) -> None:
    for payload in (PAGE, "<p>Grüße".encode("latin-1"), b"<p>\x1b$B"):
        assert load(payload, content_type, Config().limits).page.nodes


def odd_record(number: int, url: bytes, own: bytes, field: bytes, media: bytes) -> bytes:
    """A record whose headers hold whatever bytes fit into a line."""
    block = answer(PAGE, content_type=None).replace(
        b"\r\n\r\n", b"\r\nContent-Type: text/html; charset=" + media + b"\r\n\r\n", 1
    )
    head = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a" + url + b"b.com/%d\r\n"
        b"WARC-Record-ID: <urn:%d:" % (number, number) + own + b">\r\nX-Any: " + field + b"\r\n"
        b"WARC-Date: 2024-05-06T07:08:09Z\r\nContent-Type: application/http\r\n"
        b"Content-Length: %d\r\n\r\n" % len(block)
    )
    return gzip.compress(head + block + b"\r\n\r\n", mtime=0)


@settings(max_examples=8)
@given(st.lists(st.tuples(LINES, LINES, LINES, LINES), min_size=1, max_size=3))
def test_a_run_finds_every_page_again_whatever_bytes_its_headers_hold(headers):
    data = b"".join(odd_record(number, *one) for number, one in enumerate(headers))
    with TemporaryDirectory() as folder:
        manifest = whole([stored(data)], folder, Config(method="T002", wet=True, wacz=True))
        captures = manifest["captures"]
        assert captures["total"] >= len(headers)
        rows = list(page_rows(open_run(folder)[0]))
        judged = [row for row in rows if row["runs_content"] is not None]
        assert len(judged) == captures["annotated"] + captures["single"]
        for row in judged:
            assert b"Bread and butter" in annotated_page(Folder(folder), row)


READER = """
import json, sys
from pywb.warcserver.index.cdxobject import CDXObject
for line in sys.stdin.buffer:
    one = CDXObject(line)
    print(json.dumps([one["urlkey"], one["timestamp"], one["url"], one["offset"]]))
"""


@pytest.mark.tools
@settings(max_examples=2, phases=[Phase.generate])
@given(st.lists(CAPTURES, min_size=100, max_size=200))
def test_pywb_reads_every_line_as_it_was_meant(pages: list[Capture]) -> None:
    writer = archive.AnnotatedWriter(BytesIO(), "a.warc.gz", "response", "0123456789ab", "0.1.0")
    lines = [writer.write(page, page.payload) for page in pages]
    python = environment("pywb") / "bin" / "python"
    text = "".join(f"{line}\n" for line in lines).encode()
    said = subprocess.run(
        [python, "-c", READER], input=text, capture_output=True, check=True
    ).stdout
    found = [json.loads(line) for line in said.splitlines()]
    assert [one[:2] for one in found] == [[p.surt, timestamp14(p.timestamp)] for p in pages]
    plain = [(p.url, one[2]) for p, one in zip(pages, found, strict=True) if p.url.isascii()]
    assert [url for url, _ in plain] == [url for _, url in plain]
