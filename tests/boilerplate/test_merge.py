"""The labels of several crosses become one."""

from itertools import accumulate, groupby, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.merge import RULES, WordLabels, overrule, pool, text_runs, without_invalid
from dbce.model import BOILERPLATE, CONTENT, INVALID, LABELS, TextNode, TextRun

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
    both = overrule(by_pattern, np.array([np.nan, 0.5, np.nan, 0.4999]))
    assert both.labels.tolist() == [CONTENT, CONTENT, BOILERPLATE, BOILERPLATE]
    assert both.probabilities.tolist() == [0.75, 0.5, 0.25, 0.4999]
    rules = [RULES[rule] for rule in both.rules]
    assert rules == ["pattern", "self-trained", "pattern", "self-trained"]


# Words become text runs that tile their nodes.


def runs(texts: list[str], signs: str, bits: list[int] | None = None) -> tuple[TextRun, ...]:
    """The runs of text nodes whose words have the labels of the signs."""
    ends = np.array(list(accumulate(len(text.split()) for text in texts)), dtype=np.uint32)
    labels = np.array([SIGNS[sign] for sign in signs], dtype=np.uint8)
    pooled = WordLabels(labels, np.where(labels == CONTENT, 0.75, 0.25), np.zeros_like(labels))
    its_bits = np.array([16] * len(signs) if bits is None else bits, dtype=np.uint8)
    nodes = [
        TextNode(element=0, position=i + 1, after=i, spaced=False, text=t)
        for i, t in enumerate(texts)
    ]
    return text_runs(nodes, ends, its_bits, pooled, comparisons=2)


def cut(texts: list[str], found: tuple[TextRun, ...]) -> list[str]:
    return [texts[run.node][run.start : run.end] for run in found]


@pytest.mark.parametrize(
    ("texts", "signs", "expected"),
    [
        (["one two three"], "+++", ["one two three"]),
        (["one two three"], "++-", ["one two ", "three"]),
        (["one two three"], "+-+", ["one ", "two ", "three"]),
        (["  one\n two  "], "+-", ["  one\n ", "two  "]),
        (["\xa0one\xa0two\u2003"], "+-", ["\xa0one\xa0", "two\u2003"]),
        (["one", "two"], "++", ["one", "two"]),
        (["one two", "three"], "+--", ["one ", "two", "three"]),
        ([" one", "two "], "-+", [" one", "two "]),
    ],
)
def test_neighbouring_words_of_one_verdict_in_one_node_are_a_run(texts, signs, expected):
    assert cut(texts, runs(texts, signs)) == expected


def test_words_of_one_label_with_other_bits_are_two_runs():
    found = runs(["a b c"], "---", bits=[0b11000, 0b11000, 0b11011])
    assert [run.verdict.bits for run in found] == ["11000", "11011"]


def test_a_verdict_says_label_probability_bits_comparisons_and_rule():
    (run,) = runs(["word"], "+", bits=[0b10011])
    verdict = run.verdict
    assert (verdict.label, verdict.probability) == ("content", 0.75)
    assert (verdict.bits, verdict.comparisons, verdict.decided_by) == ("10011", 2, "pattern")


# All that Python takes for white space may stand between words, before and after.
space = st.sampled_from([*" \t\n\r\f\v\xa0\x85\x1c\u2003\u2028\u3000", "  \n"])
word = st.text(st.sampled_from("ab\u200b\u00e9\U0001f600&<-"), min_size=1, max_size=3)


@st.composite
def texts_and_signs(draw) -> tuple[list[str], str]:
    texts = []
    for _ in range(draw(st.integers(1, 5))):
        words = draw(st.lists(word, min_size=1, max_size=5))
        pieces = [piece for each in words for piece in (each, draw(space))]
        texts.append(
            draw(st.sampled_from(["", " ", "\xa0\n"]))
            + "".join(pieces[:-1])
            + draw(st.sampled_from(["", " ", "\u3000"]))
        )
    count = sum(len(text.split()) for text in texts)
    return texts, draw(st.text("+-?", min_size=count, max_size=count))


@given(texts_and_signs())
def test_runs_tile_every_text_without_gaps_and_hold_whole_words(case):
    texts, signs = case
    found = runs(texts, signs)
    by_node = {node: list(of) for node, of in groupby(found, key=lambda run: run.node)}
    assert list(by_node) == list(range(len(texts)))
    for node, of_node in by_node.items():
        edges = [run.start for run in of_node] + [of_node[-1].end]
        assert [run.end for run in of_node] == edges[1:]
        assert (edges[0], edges[-1]) == (0, len(texts[node]))
    words = [word for piece in cut(texts, found) for word in piece.split()]
    assert words == [word for text in texts for word in text.split()]


@given(texts_and_signs())
def test_every_word_is_in_a_run_with_its_label_and_neighbouring_runs_differ(case):
    texts, signs = case
    found = runs(texts, signs)
    labels = [
        run.verdict.label
        for run, piece in zip(found, cut(texts, found), strict=True)
        for _ in piece.split()
    ]
    assert labels == [LABELS[SIGNS[sign]] for sign in signs]
    for one, other in pairwise(found):
        assert one.node != other.node or one.verdict != other.verdict
