"""What is surely no HTML by its first bytes, whatever it was served as."""

import gzip
import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.archive.records.answer import binary_type
from dbce.model import Limits, Status
from tests.archive.build import PAGE, answer, captures, outcomes, record

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
