"""Labels of words by patterns and by models; and words become text runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dbce import model
from dbce.kernel import compiled
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
    """One label, probability of content, of four digits, and deciding rule for every word, shape (words,)."""

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

_BITS = tuple(f"{bits:05b}" for bits in range(32))


def text_runs(
    nodes: tuple[TextNode, ...],
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
    columns = word_labels.labels, word_labels.probabilities, bits, word_labels.rules
    names = LABELS, _BITS, comparisons, RULES
    return compiled.runs(nodes, ends, columns, structures, (TextRun, model.Verdict), names)
