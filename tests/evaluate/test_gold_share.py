"""Which texts of a page are in its gold text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.evaluate import scores
from dbce.evaluate.scores import gold_share, score_page, words

TEXTS = st.lists(st.lists(st.sampled_from("ferry goat Bank über 12 :".split())).map(" ".join))


def test_texts_of_the_gold_have_all_their_words_in_it_and_others_none():
    page = ["Home", "The last ferry", "It takes a goat.", "Printed in the harbour"]
    assert gold_share(page, "The last ferry\nIt takes a goat.").tolist() == [0, 1, 1, 0]


def test_part_of_a_text_counts_by_its_words():
    assert gold_share(["Monday: the last ferry"], "The last ferry").tolist() == [0.75]


def test_order_tells_a_word_in_the_menu_from_the_same_word_in_the_story():
    page = ["Ferry", "Clocks", "Clocks", "are wound on Friday", "Ferry"]
    assert gold_share(page, "Clocks are wound on Friday")[3:].tolist() == [1, 0]


def test_a_text_without_words_has_no_share():
    assert np.isnan(gold_share(["...", "", "x"], "x")).tolist() == [True, True, False]


def test_a_page_without_texts_and_gold_without_words_are_no_error():
    assert gold_share([], "x").tolist() == []
    assert gold_share(["x"], "").tolist() == [0]


def test_words_of_a_page_too_large_to_align_are_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scores, "CELLS", 3)
    assert gold_share(["a b", "b", "c"], "b a").tolist() == [1, 0, 0]


@given(TEXTS, TEXTS)
def test_as_many_words_are_found_as_a_longest_common_subsequence_has(page: list, gold: list):
    lengths = np.array([len(words(text)) for text in page])
    share = np.nan_to_num(gold_share(page, " ".join(gold)))
    assert share @ lengths == pytest.approx(score_page(" ".join(gold), " ".join(page)).lcs)
