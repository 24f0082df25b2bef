"""Names of files are bytes, and each has one written form."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.model import escape_bytes, speak_names, speakable, unescape_bytes

PIECES = st.sampled_from([b"%", b"x", b"E9", b"25", b"9", b"\xe9", b"\x80", "é".encode(), b"%xE9"])
NAMES = st.lists(st.one_of(PIECES, st.binary(max_size=3))).map(b"".join)


@given(NAMES)
def test_every_name_comes_back_from_what_is_written_which_is_utf8(name):
    inside = name.decode("utf-8", "surrogateescape")
    written = escape_bytes(inside)
    assert unescape_bytes(written).encode("utf-8", "surrogateescape") == name
    assert written.encode().decode() == written


@given(st.text().filter(lambda text: not re.search("%x[0-9A-F]{2}", text)))
def test_an_ordinary_name_is_written_as_it_is(name):
    assert escape_bytes(name) == unescape_bytes(name) == speakable(name) == name


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("caf\udce9.warc.gz", "caf%xE9.warc.gz"),
        ("50%.warc.gz", "50%.warc.gz"),
        ("caf%E9%20%xyz.warc.gz", "caf%E9%20%xyz.warc.gz"),
        ("caf%xE9.warc.gz", "caf%x25xE9.warc.gz"),
        ("caf%x25xE9.warc.gz", "caf%x25x25xE9.warc.gz"),
    ],
)
def test_only_what_would_be_read_as_a_byte_has_its_percent_sign_written_so(name, written):
    assert escape_bytes(name) == written
    assert unescape_bytes(written) == name


def test_a_sentence_with_a_written_name_stays_as_it_is():
    assert speakable("cannot read a\udce9/caf%xE9.warc.gz") == "cannot read a%xE9/caf%xE9.warc.gz"


@pytest.mark.parametrize(
    ("encoding", "errors", "written"),
    [
        ("utf-8", "strict", "a%xE9 é".encode()),
        ("ascii", "replace", b"a%xE9 ?"),
        ("ascii", "backslashreplace", b"a%xE9 \\xe9"),
    ],
)
def test_a_stream_writes_names_so_and_other_signs_that_it_lacks_as_before(
    encoding, errors, written
):
    stream = io.TextIOWrapper(io.BytesIO(), encoding, errors)
    for _ in range(2):
        speak_names(stream)
    stream.write("a\udce9 é")
    stream.flush()
    assert stream.buffer.getvalue() == written
