"""The labels of several crosses become one (thesis, section 2.4, left open there)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dbce.model import BOILERPLATE, CONTENT, INVALID

if TYPE_CHECKING:
    from numpy.typing import NDArray

RULES = (
    *("pattern", "majority", "strongest-cross", "invalid-is-boilerplate"),
    *("density", "reclassified", "joint", "self-trained", "comment", "structure"),
    *("unseen", "of-site", "dial"),
)
"""The rules that can decide a verdict; arrays hold places in this tuple."""

PATTERN, MAJORITY, STRONGEST, NO_INVALID = range(4)
DENSITY, RECLASSIFIED, JOINT, SELF_TRAINED, COMMENT, STRUCTURE, UNSEEN, OF_SITE, DIAL = range(
    4, len(RULES)
)


@dataclass(frozen=True, slots=True, eq=False)
class Pooled:
    """One label, probability of content and deciding rule for every word, shape (words,)."""

    labels: NDArray[np.uint8]
    probabilities: NDArray[np.float64]
    rules: NDArray[np.uint8]


def pool(votes: NDArray[np.uint8]) -> Pooled:
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
    return Pooled(
        labels=np.where(even, first, majority).astype(np.uint8),
        probabilities=(content + 0.5) / (content + boilerplate + 1),
        rules=np.select([agreed, even], [PATTERN, STRONGEST], MAJORITY).astype(np.uint8),
    )


def without_invalid(pooled: Pooled) -> Pooled:
    """The same with boilerplate where nobody has an opinion (method T002, thesis, section 4.2)."""
    invalid = pooled.labels == INVALID
    return replace(
        pooled,
        labels=np.where(invalid, np.uint8(BOILERPLATE), pooled.labels),
        rules=np.where(invalid, np.uint8(NO_INVALID), pooled.rules),
    )


def overruled(pooled: Pooled, chances: NDArray[np.float64]) -> Pooled:
    """The same with the decisions of a self-trained classifier: words whose probability is not NaN."""
    its_own = ~np.isnan(chances)
    labels = np.where(chances >= 0.5, np.uint8(CONTENT), np.uint8(BOILERPLATE))
    return Pooled(
        labels=np.where(its_own, labels, pooled.labels),
        probabilities=np.where(its_own, chances, pooled.probabilities),
        rules=np.where(its_own, np.uint8(SELF_TRAINED), pooled.rules),
    )
