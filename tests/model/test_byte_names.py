"""Names of files are bytes, and each has one written form."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.model import escape_bytes, speakable, unescape_bytes

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
