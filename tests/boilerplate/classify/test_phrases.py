"""Short texts that recur on the web."""

from __future__ import annotations

from zlib import crc32

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.classify.lines import plant, read_lines
from dbce.boilerplate.classify.tokens import (
    PHRASE_SLOTS,
    SHORT,
    distinct,
    phrase_scores,
    phrase_tokens,
)
from tests.html.soup import page


def tokens(html: str) -> list[tuple[int, ...]]:
    pages = [page(html)]
    return phrase_tokens(read_lines(pages, plant(pages))).of_lines()


def hashed(*phrases: str) -> tuple[int, ...]:
    return tuple(sorted({crc32(phrase.encode()) % PHRASE_SLOTS for phrase in phrases}))


def test_a_short_line_is_its_words_its_beginning_and_all_of_it():
    assert tokens("<p>Leave a <b>Reply</b>!") == [
        hashed("leave", "a", "reply", "^leave a", "=leave a reply")
    ]


def test_numbers_and_signs_do_not_count():
    assert tokens("<p>42 comments<p>7 Comments &raquo;<p>1, 2, 3") == [
        *[hashed("comments", "=comments")] * 2,
        (),
    ]


def test_of_a_long_line_the_beginning_counts():
    long_one = "Posted by the goat, " + "which has a lot to say " * (SHORT // 10)
    assert tokens(f"<p>{long_one}") == [hashed("^posted by")]


def test_the_weights_of_a_line_add_up_and_the_unknown_weighs_nothing():
    weights = np.zeros(PHRASE_SLOTS, dtype=np.float32)
    weights[list(hashed("share"))] = -2
    weights[list(hashed("=share this"))] = -1
    of_lines = tokens("<p>Share this<p>Teilen<p>7")
    assert phrase_scores(distinct(of_lines), weights).tolist() == [-3, 0, 0]


@given(st.text(max_size=200))
def test_any_text_has_hashes_in_range(text):
    escaped = text.replace("&", "").replace("<", "")
    for found in tokens(f"<p>a {escaped}"):
        assert list(found) == sorted(set(found))
        assert all(0 <= one < PHRASE_SLOTS for one in found)
