"""Labels of words by patterns and classifiers, and the text runs they become."""

from itertools import accumulate, groupby, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.word_labels import (
    RULES,
    WordLabels,
    overrule,
    pattern_verdicts,
    text_runs,
    without_invalid,
)
from dbce.model import BOILERPLATE, CONTENT, INVALID, LABELS, TextNode, TextRun

SIGNS = {"+": CONTENT, "-": BOILERPLATE, "?": INVALID}
OF_LABEL = {label: sign for sign, label in SIGNS.items()}


def decided(signs: str, *, invalid_counts: bool = False) -> list[tuple[str, float, str]]:
    """(sign, probability, rule) of words, given the signs of their labels by the patterns."""
    words = pattern_verdicts(np.array([SIGNS[sign] for sign in signs], dtype=np.uint8))
    words = without_invalid(words) if invalid_counts else words
    columns = words.labels.tolist(), words.probabilities.tolist(), words.rules.tolist()
    return [
        (OF_LABEL[label], chance, RULES[rule]) for label, chance, rule in zip(*columns, strict=True)
    ]


def test_patterns_give_a_label_with_half_a_vote_for_either_class_added():
    assert decided("+-?") == [("+", 0.75, "pattern"), ("-", 0.25, "pattern"), ("?", 0.5, "pattern")]


def test_t002_counts_what_the_patterns_leave_open_as_boilerplate():
    assert decided("+-?", invalid_counts=True) == [
        *decided("+-"),
        ("-", 0.5, "invalid-is-boilerplate"),
    ]


def test_a_classifier_decides_the_words_that_it_has_a_probability_for():
    of_patterns = without_invalid(
        pattern_verdicts(np.array([CONTENT, INVALID, BOILERPLATE, CONTENT], np.uint8))
    )
    both = overrule(of_patterns, np.array([np.nan, 0.5, np.nan, 0.4999]))
    assert both.labels.tolist() == [CONTENT, CONTENT, BOILERPLATE, BOILERPLATE]
    assert both.probabilities.tolist() == [0.75, 0.5, 0.25, 0.4999]
    rules = [RULES[rule] for rule in both.rules]
    assert rules == ["pattern", "self-trained", "pattern", "self-trained"]


# Words become text runs that tile their nodes.


def runs(texts: list[str], signs: str, bits: list[int] | None = None) -> tuple[TextRun, ...]:
    """The runs of text nodes whose words have the labels of the signs."""
    ends = np.array(list(accumulate(len(text.split()) for text in texts)), dtype=np.uint32)
    labels = np.array([SIGNS[sign] for sign in signs], dtype=np.uint8)
    word_labels = WordLabels(labels, np.where(labels == CONTENT, 0.75, 0.25), np.zeros_like(labels))
    its_bits = np.array([16] * len(signs) if bits is None else bits, dtype=np.uint8)
    nodes = [
        TextNode(element=0, position=i + 1, after=i, spaced=False, text=t)
        for i, t in enumerate(texts)
    ]
    return text_runs(nodes, ends, its_bits, word_labels, comparisons=2)


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
def test_runs_tile_every_text_and_hold_whole_words_with_their_labels_and_neighbours_differ(case):
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
    labels = [
        run.verdict.label
        for run, piece in zip(found, cut(texts, found), strict=True)
        for _ in piece.split()
    ]
    assert labels == [LABELS[SIGNS[sign]] for sign in signs]
    for one, other in pairwise(found):
        assert one.node != other.node or one.verdict != other.verdict
