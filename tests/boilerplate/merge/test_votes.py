"""The labels of several crosses become one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.merge import RULES, overruled, pool, without_invalid
from dbce.model import BOILERPLATE, CONTENT, INVALID

SIGNS = {"+": CONTENT, "-": BOILERPLATE, "?": INVALID}
OF_LABEL = {label: sign for sign, label in SIGNS.items()}


def pooled(votes: str, *, invalid_counts: bool = False) -> tuple[str, float, str]:
    """(sign, probability, rule) of one word; votes are signs, the strongest cross first."""
    one = pool(np.array([[SIGNS[sign]] for sign in votes], dtype=np.uint8))
    one = without_invalid(one) if invalid_counts else one
    return OF_LABEL[int(one.labels[0])], float(one.probabilities[0]), RULES[one.rules[0]]


@pytest.mark.parametrize(
    ("votes", "label", "probability", "rule"),
    [
        ("+", "+", 0.75, "pattern"),
        ("-", "-", 0.25, "pattern"),
        ("?", "?", 0.5, "pattern"),
        ("+++", "+", 0.875, "pattern"),
        ("---", "-", 0.125, "pattern"),
        ("???", "?", 0.5, "pattern"),
        ("?+?", "+", 0.75, "pattern"),
        ("?-?", "-", 0.25, "pattern"),
        ("-++", "+", 0.625, "majority"),
        ("+--", "-", 0.375, "majority"),
        ("+?-?-", "-", 0.375, "majority"),
        ("+-", "+", 0.5, "strongest-cross"),
        ("-+", "-", 0.5, "strongest-cross"),
        ("?-+", "-", 0.5, "strongest-cross"),
        ("??+-", "+", 0.5, "strongest-cross"),
    ],
)
def test_votes_become_one_label(votes, label, probability, rule):
    assert pooled(votes) == (label, pytest.approx(probability), rule)


@given(st.lists(st.sampled_from("+-?"), min_size=1, max_size=9), st.randoms())
def test_the_order_of_the_crosses_matters_in_a_tie_alone(votes, rng):
    shuffled = rng.sample(votes, len(votes))
    one, other = pooled("".join(votes)), pooled("".join(shuffled))
    assert one[1:] == other[1:]
    assert one[0] == other[0] or one[2] == "strongest-cross"


@given(st.lists(st.sampled_from("+-?"), min_size=1, max_size=9), st.integers(0, 9))
def test_invalid_is_no_opinion(votes, place):
    with_one_more = [*votes[:place], "?", *votes[place:]]
    assert pooled("".join(votes)) == pooled("".join(with_one_more))


@given(st.lists(st.sampled_from("+-?"), min_size=1, max_size=9))
def test_the_label_and_the_probability_say_the_same(votes):
    label, probability, _ = pooled("".join(votes))
    assert 0 < probability < 1
    if probability != 0.5:
        assert label == ("+" if probability > 0.5 else "-")


@given(st.integers(1, 5), st.integers(1, 8), st.data())
def test_words_do_not_influence_each_other(crosses, words, data):
    rows = data.draw(
        st.lists(st.text("+-?", min_size=words, max_size=words), min_size=crosses, max_size=crosses)
    )
    together = pool(np.array([[SIGNS[s] for s in row] for row in rows], dtype=np.uint8))
    alone = [pooled("".join(column)) for column in zip(*rows, strict=True)]
    assert [OF_LABEL[label] for label in together.labels.tolist()] == [one[0] for one in alone]
    assert together.probabilities.tolist() == [one[1] for one in alone]
    assert [RULES[rule] for rule in together.rules.tolist()] == [one[2] for one in alone]


@pytest.mark.parametrize("votes", ["?", "???"])
def test_t002_counts_what_nobody_has_an_opinion_on_as_boilerplate(votes):
    assert pooled(votes, invalid_counts=True) == ("-", 0.5, "invalid-is-boilerplate")


@pytest.mark.parametrize("votes", ["+", "-", "?+", "+-", "-++"])
def test_t002_leaves_the_rest_as_it_is(votes):
    assert pooled(votes, invalid_counts=True) == pooled(votes)


def test_a_classifier_decides_the_words_that_it_has_a_probability_for():
    by_pattern = without_invalid(
        pool(np.array([[CONTENT, INVALID, BOILERPLATE, CONTENT]], np.uint8))
    )
    both = overruled(by_pattern, np.array([np.nan, 0.5, np.nan, 0.4999]))
    assert both.labels.tolist() == [CONTENT, CONTENT, BOILERPLATE, BOILERPLATE]
    assert both.probabilities.tolist() == [0.75, 0.5, 0.25, 0.4999]
    rules = [RULES[rule] for rule in both.rules]
    assert rules == ["pattern", "self-trained", "pattern", "self-trained"]
