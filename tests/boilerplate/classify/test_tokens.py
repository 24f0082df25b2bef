"""Tokens of many lines."""

from __future__ import annotations

from dbce.boilerplate.classify.tokens import distinct

LINES = [(3, 5), (), (5,), (3, 5)]


def test_lines_with_the_same_tokens_are_kept_once():
    tokens = distinct(LINES)
    assert tokens.count == 3
    assert tokens.token.tolist() == [3, 5, 5]
    assert tokens.row.tolist() == [0, 1, 2, 0]


def test_a_sum_is_over_the_tokens_of_a_line():
    assert distinct(LINES).sums([1, 10, 100]).tolist() == [11, 0, 100, 11]


def test_tokens_of_lines_are_those_that_were_given():
    assert distinct(LINES).of_lines() == LINES
    assert distinct([]).of_lines() == []


def test_there_may_be_no_tokens_at_all():
    assert distinct([(), ()]).sums([]).tolist() == [0, 0]
