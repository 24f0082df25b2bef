"""How good the labels of a page's blocks are, against those that people gave (thesis, 5.2.4)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import Levenshtein

if TYPE_CHECKING:
    from collections.abc import Sequence


class LabelScores(NamedTuple):
    """Two lists of labels in reading order, compared.

    `expected` counts the distinct labels of the gold, `found` those that are given too. `common` counts
    labels as often as both lists have them; `distance` is Levenshtein's between the lists.
    """

    expected: int
    found: int
    gold: int
    given: int
    common: int
    distance: int

    @property
    def share_found(self) -> float:
        """The share of distinct labels of the gold that are given."""
        return self.found / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        """The share of labels given that are gold."""
        return self.common / self.given if self.given else 1.0

    @property
    def recall(self) -> float:
        """The share of labels of the gold that are given."""
        return self.common / self.gold if self.gold else 1.0

    @property
    def relative_distance(self) -> float:
        """The distance by the length of the longer list."""
        return self.distance / max(1, self.gold, self.given)


def compare_labels(gold: Sequence[str], given: Sequence[str]) -> LabelScores:
    """The labels of a page compared, composites among them, but not the page's own."""
    return LabelScores(
        expected=len(set(gold)),
        found=len(set(gold) & set(given)),
        gold=len(gold),
        given=len(given),
        common=(Counter(gold) & Counter(given)).total(),
        distance=int(Levenshtein.distance(gold, given)),
    )
