"""From which probability on lines are content, page by page."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.classify.cut import page_cut


def cut(chances: list[float], words: list[float] | None = None) -> float:
    lengths = np.array(words or [10.0] * len(chances), dtype=np.float32)
    return page_cut(np.array(chances), lengths).of_others


def test_certain_lines_are_parted_in_the_middle():
    assert cut([1.0, 1.0, 0.0, 0.0]) == pytest.approx(0.5)


def test_it_lies_half_way_between_half_of_the_best_f1_and_the_middle_of_the_widest_gap():
    # Keeping the first two may be expected to give 2 * 1.8 / (2 + 2.1); the gap is from .8 to .2.
    assert cut([1.0, 0.8, 0.2, 0.1]) == pytest.approx((1.8 / (2 + 2.1) + 0.5) / 2)


def test_where_all_probabilities_are_too_high_the_cut_goes_up_with_them():
    usual, high = [0.95, 0.93, 0.1, 0.05], [0.98, 0.97, 0.5, 0.45]
    assert cut(high) > cut(usual)
    assert cut(high) > 0.5, "what is least likely on this page is no content"


def test_a_page_of_one_line_is_content_if_that_is_likelier_than_not():
    assert cut([0.6]) <= 0.6
    assert cut([0.5]) <= 0.5
    assert cut([0.0]) == 0.5


def test_the_cut_is_lower_where_little_is_expected_but_not_for_comments_or_precision():
    lines = np.array([0.6, 0.4, 0.3, 0.2]), np.full(4, 10, dtype=np.float32)
    found = page_cut(*lines)
    assert found.of_others < found.of_comments
    precise = page_cut(*lines, beta=0.5)
    assert precise.of_others == precise.of_comments > found.of_comments
    sure = page_cut(np.array([1.0, 1.0, 0.0]), np.full(3, 10, dtype=np.float32))
    assert sure.of_others == sure.of_comments


def test_a_line_counts_by_its_words():
    assert cut([0.9, 0.5, 0.1], [100, 100, 1]) != cut([0.9, 0.5, 0.1], [1, 100, 100])
    assert cut([0.9, 0.5, 0.1], [10, 0, 10]) == cut([0.9, 0.1], [10, 10]), "a dash is no word"


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 500)), min_size=1, max_size=40),
    st.randoms(),
)
def test_the_cut_is_a_probability_whatever_the_order_of_lines(lines, random):
    chances, words = map(list, zip(*lines, strict=True))
    found = cut(chances, words)
    assert 0 <= found <= 1
    random.shuffle(lines)
    assert cut(*map(list, zip(*lines, strict=True))) == pytest.approx(found, abs=1e-6)
