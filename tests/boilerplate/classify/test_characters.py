"""What kind of characters a text has."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.classify.lines import (
    CAPITAL,
    COMMA,
    DIGIT,
    ENDING,
    SPACE,
    STOP,
    UNSPACED,
    counts,
    kinds,
    word_starts,
)

text = st.text(
    st.one_of(
        st.sampled_from(" \n\xa0\u2003\u3000aZ.!?…。,;、:)”²٣Ⅷ気กİ\U0001d7ce\U0001f600\ud800"),
        st.characters(),
    ),
    max_size=30,
)


def marked(kind: int, of: str) -> str:
    chosen = (kinds(of) & kind) > 0
    return "".join(np.array(list(of))[chosen].tolist())


def test_a_character_can_be_of_several_kinds_or_of_none():
    of = "Fox 12, 気… ok?"
    assert marked(CAPITAL, of) == "F"
    assert marked(DIGIT, of) == "12"
    assert marked(COMMA, of) == ","
    assert marked(STOP, of) == "…?"
    assert marked(ENDING, of) == "…?"
    assert marked(UNSPACED, of) == "気"
    assert marked(SPACE, of) == "   "


def test_no_text_has_no_characters():
    assert kinds("").tolist() == []


@given(text)
def test_kinds_are_what_python_says(of):
    assert [bool(kind & SPACE) for kind in kinds(of)] == [c.isspace() for c in of]
    assert [bool(kind & DIGIT) for kind in kinds(of)] == [c.isdigit() for c in of]
    assert [bool(kind & CAPITAL) for kind in kinds(of)] == [c.isupper() for c in of]


@given(text)
def test_words_begin_where_they_do_when_python_splits_them(of):
    starts = [match.start() for match in re.finditer(r"\S+", of)]
    assert np.flatnonzero(word_starts(kinds(of))).tolist() == starts
    assert len(starts) == len(of.split())


@given(st.lists(text, min_size=1, max_size=5))
def test_texts_in_a_row_are_counted_each(texts):
    bounds = np.cumsum([0, *map(len, texts)])
    found = counts((kinds("".join(texts)) & SPACE) > 0, bounds)
    assert found.tolist() == [sum(map(str.isspace, one)) for one in texts]
