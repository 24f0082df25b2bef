"""Labels of words by patterns and by models; and words become text runs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbce import model
from dbce.model import BOILERPLATE, CONTENT, INVALID, LABELS, Hashes, TextNode, TextRun

RULES = (
    *("pattern", "invalid-is-boilerplate", "density", "joint"),
    *("comment", "structure", "unseen", "of-site", "dial"),
    *("reclassified", "majority", "strongest-cross", "forest"),  # of the method thesis alone
)
"""Rules by which verdicts are decided; arrays hold places in this tuple."""

PATTERN, NO_INVALID, DENSITY, JOINT, COMMENT, STRUCTURE, UNSEEN, OF_SITE, DIAL = range(9)


@dataclass(frozen=True, slots=True, eq=False)
class WordLabels:
    """One label, probability of content and deciding rule for every word, shape (words,)."""

    labels: NDArray[np.uint8]
    probabilities: NDArray[np.float64]
    rules: NDArray[np.uint8]


_PATTERN_CHANCES = np.full(len(LABELS), 0.5)
_PATTERN_CHANCES[[CONTENT, BOILERPLATE]] = 0.75, 0.25


def pattern_verdicts(labels: NDArray[np.uint8]) -> WordLabels:
    """The labels of the bit patterns, each a vote for its class, with half a vote for either class added."""
    rules = np.full(len(labels), PATTERN, dtype=np.uint8)
    return WordLabels(labels, _PATTERN_CHANCES[labels], rules)


def without_invalid(word_labels: WordLabels) -> WordLabels:
    """Labels with boilerplate where the patterns decide nothing (method T002, thesis, section 4.2)."""
    invalid = word_labels.labels == INVALID
    return replace(
        word_labels,
        labels=np.where(invalid, np.uint8(BOILERPLATE), word_labels.labels),
        rules=np.where(invalid, np.uint8(NO_INVALID), word_labels.rules),
    )


# Words become text runs: neighbours in one text node with one verdict.

_BITS = [f"{bits:05b}" for bits in range(32)]
_NON_SPACE = re.compile(r"\S+")


def text_runs(
    nodes: Sequence[TextNode],
    ends: Hashes,
    bits: NDArray[np.uint8],
    word_labels: WordLabels,
    comparisons: int,
    *,
    structures: Sequence[model.Structure | None] | None = None,
) -> tuple[TextRun, ...]:
    """Runs of all text nodes, in order; each node is tiled without gaps.

    `ends` is where each node's words end among all, `bits` are those of every word in the strongest cross,
    `comparisons` the number of crosses that count, `structures` those that each node was decided with.
    """
    columns_of_words = word_labels.labels, word_labels.probabilities, word_labels.rules
    starts = run_starts(ends, bits, *columns_of_words)
    # What is true of most runs, that they are whole nodes, is said of all in one go. Numbers of Python
    # are quicker to take one by one than those of numpy. Runs of which the same is said share a verdict.
    said = [
        *zip(
            word_labels.labels[starts].tolist(),
            word_labels.probabilities[starts].round(4).tolist(),
            bits[starts].tolist(),
            word_labels.rules[starts].tolist(),
            strict=True,
        )
    ]
    distinct = {
        (n, chance, own, rule): model.Verdict(
            LABELS[n], chance, _BITS[own], comparisons, RULES[rule]
        )
        for n, chance, own, rule in set(said)
    }
    verdicts = map(distinct.__getitem__, said)
    run_nodes, begins, stops = _places(nodes, ends, starts, len(bits))
    # tuple.__new__ is what TextRun() calls, in a function of Python.
    of_runs = (
        repeat(None, len(run_nodes)) if structures is None else [structures[n] for n in run_nodes]
    )
    columns = zip(run_nodes, begins, stops, verdicts, of_runs, strict=True)
    return tuple(map(tuple.__new__, repeat(TextRun), columns))


def _places(
    nodes: Sequence[TextNode], ends: Hashes, starts: NDArray[np.int64], words_of_page: int
) -> tuple[list[int], list[int], list[int]]:
    """The node of each run, and where it begins and ends in the text of that."""
    its_node = np.searchsorted(ends, starts, side="right")
    run_nodes = its_node.tolist()
    begins = [0] * len(run_nodes)
    stops = [len(nodes[node].text) for node in run_nodes]
    if len(starts) == len(nodes):  # as on most pages: each run is a node
        return run_nodes, begins, stops
    first = starts - np.append(0, ends)[its_node]
    last = np.append(starts[1:], words_of_page) - np.append(0, ends)[its_node]
    is_part = (first > 0) | (last < np.diff(ends, prepend=0)[its_node])
    parted, words = -1, [0]  # the last node of several runs, and where its words begin
    for run in np.flatnonzero(is_part).tolist():
        if run_nodes[run] != parted:
            parted = run_nodes[run]
            text = nodes[parted].text
            begin = [match.start() for match in _NON_SPACE.finditer(text)]
            words = [0, *begin[1:], len(text)]
        begins[run], stops[run] = words[first[run]], words[last[run]]
    return run_nodes, begins, stops


def run_starts(ends: Hashes, *values: NDArray[Any]) -> NDArray[np.int64]:
    """First word of every text run: where a text node begins, or one of the values of words changes."""
    changes = np.zeros(len(values[0]), dtype=np.bool_)
    changes[0] = True
    changes[ends[:-1]] = True
    for of_words in values:
        changes[1:] |= of_words[1:] != of_words[:-1]
    return np.flatnonzero(changes)
