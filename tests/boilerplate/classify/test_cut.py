"""From which probability on lines are content, page by page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.classify.joint import AGAINST_ALL, cuts, page_cut

if TYPE_CHECKING:
    from dbce.boilerplate.classify import Features


def cut(chances: list[float], words: list[float] | None = None) -> float:
    lengths = np.array(words or [10.0] * len(chances), dtype=np.float32)
    return page_cut(np.array(chances), lengths).usual


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


def test_the_cut_is_lowered_where_little_is_expected_but_not_for_precision():
    lines = np.array([0.6, 0.4, 0.3, 0.2]), np.full(4, 10, dtype=np.float32)
    found = page_cut(*lines)
    assert found.lowered < found.usual
    precise = page_cut(*lines, beta=0.5)
    assert precise.lowered == precise.usual > found.usual
    sure = page_cut(np.array([1.0, 1.0, 0.0]), np.full(3, 10, dtype=np.float32))
    assert sure.lowered == sure.usual


def test_a_page_alone_has_the_lowered_cut_but_for_comments(examples):
    features = examples[0].features
    chance = np.linspace(0.2, 0.6, len(features.matrix))
    comment = np.where(np.arange(len(chance)) == 0, 0.9, 0.0)
    column = features.names.index("votes")
    matrix = features.matrix.copy()
    matrix[:, column] = np.nan
    alone = cuts(replace(features, matrix=matrix), chance, comment)
    usual, lowered = page_cut(chance, features.lines.words)
    assert alone[0] == usual > lowered
    assert set(alone[1:].tolist()) == {lowered}
    matrix[:, column] = 0.5
    assert set(cuts(replace(features, matrix=matrix), chance, comment).tolist()) == {usual}


def of_others(features: Features, **columns: float) -> Features:
    """The features with some evidence of other pages, the same for all lines, none of them a heading."""
    matrix = features.matrix.copy()
    for name, value in columns.items():
        matrix[:, features.names.index(name)] = value
    return replace(features, matrix=matrix, heading=np.full(len(matrix), -1))


AGAINST = {"votes": 0, "shared_by": 1, "place_on": 1}
"""Evidence that all other pages have a line at its place."""


def test_a_line_that_all_other_pages_have_at_its_place_must_be_surer(examples):
    features = examples[0].features
    chance = np.linspace(0, 1, len(features.matrix))
    none = np.zeros(len(chance))
    assert set(cuts(of_others(features, **AGAINST), chance, none)) == {AGAINST_ALL}
    usual = page_cut(chance, features.lines.words).usual
    for but in ({"votes": 0.5}, {"shared_by": 0.8}, {"place_on": 0}):
        assert set(cuts(of_others(features, **AGAINST | but), chance, none)) == {usual}


def test_a_heading_that_all_other_pages_have_need_not(examples):
    features = of_others(examples[0].features, **AGAINST)
    chance = np.linspace(0, 1, len(features.matrix))
    heading = np.where(np.arange(len(chance)) >= 1, 1, -1)
    found = cuts(replace(features, heading=heading), chance, np.zeros(len(chance)))
    assert found[1] == page_cut(chance, features.lines.words).usual < AGAINST_ALL
    assert set(np.delete(found, 1)) == {AGAINST_ALL}


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
