"""Labels of several crosses become one (thesis, section 2.4, left open there), and words become text runs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from dbce.model import (
    BOILERPLATE,
    CONTENT,
    INVALID,
    LABELS,
    Hashes,
    Structure,
    TextNode,
    TextRun,
    Verdict,
)

RULES = (
    *("pattern", "majority", "strongest-cross", "invalid-is-boilerplate"),
    *("density", "reclassified", "joint", "self-trained", "comment", "structure"),
    *("unseen", "of-site", "dial", "forest"),
)
"""Rules by which verdicts are decided; arrays hold places in this tuple."""

PATTERN, MAJORITY, STRONGEST, NO_INVALID = range(4)
DENSITY, RECLASSIFIED, JOINT, SELF_TRAINED, COMMENT, STRUCTURE, UNSEEN, OF_SITE, DIAL, FOREST = (
    range(4, len(RULES))
)


@dataclass(frozen=True, slots=True, eq=False)
class WordLabels:
    """One label, probability of content and deciding rule for every word, shape (words,)."""

    labels: NDArray[np.uint8]
    probabilities: NDArray[np.float64]
    rules: NDArray[np.uint8]


def pool(votes: NDArray[np.uint8]) -> WordLabels:
    """One label a word from the votes of all crosses.

    Equal votes are inherited; where they differ the majority decides, and where it is even the
    strongest cross that has an opinion. Invalid is no opinion, and stays where nobody has one. The
    probability is the share of votes for content, with one undecided vote added.

    Args:
        votes: labels, shape (crosses, words), the strongest cross first.
    """
    content = (votes == CONTENT).sum(axis=0)
    boilerplate = (votes == BOILERPLATE).sum(axis=0)
    first = votes[np.argmax(votes != INVALID, axis=0), np.arange(votes.shape[1])]
    majority = np.where(content > boilerplate, np.uint8(CONTENT), np.uint8(BOILERPLATE))
    even = content == boilerplate
    agreed = (content == 0) | (boilerplate == 0)
    return WordLabels(
        labels=np.where(even, first, majority).astype(np.uint8),
        probabilities=(content + 0.5) / (content + boilerplate + 1),
        rules=np.select([agreed, even], [PATTERN, STRONGEST], MAJORITY).astype(np.uint8),
    )


def without_invalid(pooled: WordLabels) -> WordLabels:
    """Labels with boilerplate where no cross has an opinion (method T002, thesis, section 4.2)."""
    invalid = pooled.labels == INVALID
    return replace(
        pooled,
        labels=np.where(invalid, np.uint8(BOILERPLATE), pooled.labels),
        rules=np.where(invalid, np.uint8(NO_INVALID), pooled.rules),
    )


def overrule(pooled: WordLabels, chances: NDArray[np.float64]) -> WordLabels:
    """Labels with the decisions of a self-trained classifier: words whose probability is not NaN."""
    its_own = ~np.isnan(chances)
    labels = np.where(chances >= 0.5, np.uint8(CONTENT), np.uint8(BOILERPLATE))
    return WordLabels(
        labels=np.where(its_own, labels, pooled.labels),
        probabilities=np.where(its_own, chances, pooled.probabilities),
        rules=np.where(its_own, np.uint8(SELF_TRAINED), pooled.rules),
    )


# Words become text runs: neighbours in one text node with one verdict.


_NON_SPACE = re.compile(r"\S+")


def text_runs(
    nodes: Sequence[TextNode],
    ends: Hashes,
    bits: NDArray[np.uint8],
    pooled: WordLabels,
    comparisons: int,
    *,
    structures: Sequence[Structure | None] | None = None,
) -> tuple[TextRun, ...]:
    """Runs of all text nodes, in order; each node is tiled without gaps.

    Args:
        nodes: the page's text nodes.
        ends: end of each node's words among all words.
        bits: every word's bits in the strongest cross, as five-bit numbers.
        pooled: every word's label, probability and rule.
        comparisons: number of crosses that were pooled.
        structures: the structure that each node was decided on with.
    """
    starts = _starts(ends, bits, pooled)
    # What is true of most runs, that they are whole nodes, is said of all in one go. Numbers of Python
    # are quicker to take one by one than those of numpy. Runs of which the same is said share a verdict.
    keys = zip(
        pooled.labels[starts].tolist(),
        pooled.probabilities[starts].round(4).tolist(),
        bits[starts].tolist(),
        pooled.rules[starts].tolist(),
        strict=True,
    )
    distinct: dict[tuple[int, float, int, int], Verdict] = {}
    verdicts = []
    for key in keys:
        verdict = distinct.get(key)
        if verdict is None:
            label, probability, its_bits, rule = key
            verdict = distinct[key] = Verdict(
                LABELS[label], probability, f"{its_bits:05b}", comparisons, RULES[rule]
            )
        verdicts.append(verdict)
    its_node = np.searchsorted(ends, starts, side="right")
    run_nodes = its_node.tolist()
    begins = [0] * len(run_nodes)
    stops = [len(nodes[node].text) for node in run_nodes]
    first = starts - np.append(0, ends)[its_node]
    last = np.append(starts[1:], len(bits)) - np.append(0, ends)[its_node]
    is_part = (first > 0) | (last < np.diff(ends, prepend=0)[its_node])
    parted, words = -1, [0]  # the last node of several runs, and where its words begin
    for run in np.flatnonzero(is_part).tolist():
        if run_nodes[run] != parted:
            parted = run_nodes[run]
            words = _word_starts(nodes[parted].text)
        begins[run], stops[run] = words[first[run]], words[last[run]]
    # tuple.__new__ is what TextRun() calls, in a function of Python.
    of_runs = (
        repeat(None, len(run_nodes)) if structures is None else [structures[n] for n in run_nodes]
    )
    columns = zip(run_nodes, begins, stops, verdicts, of_runs, strict=True)
    return tuple(map(tuple.__new__, repeat(TextRun), columns))


def _starts(ends: Hashes, bits: NDArray[np.uint8], pooled: WordLabels) -> NDArray[np.int64]:
    """First word of every run."""
    changes = np.zeros(len(bits), dtype=np.bool_)
    changes[0] = True
    changes[ends[:-1]] = True
    for values in (bits, pooled.labels, pooled.probabilities, pooled.rules):
        changes[1:] |= values[1:] != values[:-1]
    return np.flatnonzero(changes)


def _word_starts(text: str) -> list[int]:
    """The place where each word's share of a text begins, and the end of the last one."""
    starts = [match.start() for match in _NON_SPACE.finditer(text)]
    return [0, *starts[1:], len(text)]
