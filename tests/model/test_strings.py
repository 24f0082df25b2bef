"""Strings: their words, control characters and hashes, and names of files, which are bytes."""

import io
import re
import unicodedata

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce import model
from dbce.model import WORD, escape_bytes, hash_strings, stable_id, unescape_bytes
from tests import reference

MIXED = st.lists(
    st.one_of(
        st.text(max_size=8), st.sampled_from(["naïve", "字幕", "a_b", "\x1c", " ", "’", "\ud800"])
    )
).map("".join)


@given(MIXED)
def test_words_are_those_of_the_pattern(text: str) -> None:
    assert model.words_of(text) == WORD.findall(text)
    assert model.count_words(text) == len(WORD.findall(text))


@given(MIXED)
def test_rows_of_words_are_those_of_the_words_of_the_pattern(text: str) -> None:
    words = hash_strings(WORD.findall(model.fold_text(text))).tolist()
    assert model.shingle_hashes(text).tolist() == reference.shingles(words)


def test_signs_that_are_taken_for_no_letters_without_asking_are_none() -> None:
    assert not WORD.search("\xa0" + "".join(map(chr, range(0x2000, 0x2040))))


WIDTHLESS = "\u00ad\u200b\u2060\ufeff"


@given(st.text(st.characters() | st.sampled_from(WIDTHLESS)))
def test_nothing_but_controls_and_breaks_without_width_is_taken_from_a_text(text: str) -> None:
    is_control = {sign: unicodedata.category(sign) == "Cc" and sign not in "\t\n" for sign in text}
    kept = [sign for sign in text if not is_control[sign] and sign not in WIDTHLESS]
    assert model.printable(text).replace(" ", "") == "".join(kept).replace(" ", "")


def test_a_control_that_parts_words_parts_them_still() -> None:
    assert model.printable("a\fb\rc\x85d e\x1b[31mf\x9bg\x7f\th\ni") == "a b c d e[31mfg\th\ni"


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
    assert escape_bytes(name) == unescape_bytes(name) == model.speakable(name) == name


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
    said = model.speakable("cannot read a\udce9/caf%xE9.warc.gz")
    assert said == "cannot read a%xE9/caf%xE9.warc.gz"


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
        model.speak_names(stream)
    stream.write("a\udce9 é")
    stream.flush()
    assert stream.buffer.getvalue() == written


def test_words_have_the_hashes_that_earlier_releases_stored():
    assert hash_strings(["Buy", "More", ""]).tolist() == [2368205310, 1838291768, 1445345862]
    assert hash_strings([]).tolist() == []
    with pytest.raises(UnicodeEncodeError):  # what is no text for a file has no hash
        hash_strings(["a", "\ud83d"])


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])) | st.text("ab", max_size=300)))
def test_the_hashes_are_those_of_pandas(words):
    hashes, of_pandas = hash_strings(words), reference.hash_strings(words)
    assert hashes.dtype == of_pandas.dtype
    assert hashes.tolist() == of_pandas.tolist()


@given(st.lists(st.integers(-3, 3) | st.integers(-(2**63), 2**63 - 1), max_size=300))
def test_values_are_numbered_in_the_order_in_which_they_first_occur(values):
    numbers, distinct = model.first_numbers(np.array(values, np.int64))
    expected, of_pandas = pd.factorize(np.array(values, np.int64))
    assert (numbers.tolist(), distinct.tolist()) == (expected.tolist(), of_pandas.tolist())


def test_ids_and_digests_are_those_that_earlier_releases_stored():
    assert stable_id("cross", "a", "b") == "urn:uuid:b430ab84-c341-50c8-9a5d-3eef09e87c84"
    assert model.digest64(b"words") == 5268617479337866752


def test_an_id_depends_on_where_its_parts_end():
    assert stable_id("ab", "c") != stable_id("a", "bc")
    assert stable_id("\ud800") != stable_id("\udfff")
