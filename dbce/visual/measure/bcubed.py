"""Extended B-cubed: do pieces of a page that share a segment on one side share as many on the other?

Amigo and others, A comparison of extrinsic clustering evaluation metrics based on formal constraints,
Information Retrieval 12, 2009, section 5: for segments that may overlap. Low precision: too much was
merged; low recall: too much was cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from dbce.visual.measure.normalise import Booleans, Floats


class BCubed(NamedTuple):
    """Precision, recall and their harmonic mean; NaN where no atom is in a segment of that side."""

    precision: float
    recall: float
    f1: float


def bcubed(gold: Booleans, computed: Booleans, weights: Floats) -> BCubed:
    """Scores of atoms (rows) in segments (columns) of both sides, each atom counted by its weight.

    An atom in no segment of a side is left out of what is asked of that side.
    """
    gold, computed, weights = _classes(gold, computed, weights)
    shared_gold, shared_computed = _shared(gold), _shared(computed)
    precision = _agreement(shared_computed, shared_gold, weights)
    recall = _agreement(shared_gold, shared_computed, weights)
    return BCubed(precision, recall, harmonic(precision, recall))


def harmonic(precision: float, recall: float) -> float:
    """2PR / (P + R), 0 where both are."""
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def _classes(
    gold: Booleans, computed: Booleans, weights: Floats
) -> tuple[Booleans, Booleans, Floats]:
    """Atoms that are in the same segments on both sides taken together: the scores are the same."""
    both = np.packbits(np.hstack([gold, computed]), axis=1)  # an eighth as much to sort
    _, first, place = np.unique(both, axis=0, return_index=True, return_inverse=True)
    total = np.bincount(place.ravel(), weights, len(first)).astype(np.float64)
    return gold[first], computed[first], total


def _shared(segments: Booleans) -> Floats:
    """Number of segments that each two atoms share."""
    counted = segments.astype(np.float64)
    return counted @ counted.T


def _agreement(asked: Floats, other: Floats, weights: Floats) -> float:
    """Mean over atoms of the mean over those they share a segment with (on the side asked)."""
    together = (asked > 0) * weights
    agreed = np.minimum(asked, other) / np.where(asked > 0, asked, 1)
    of_atom = (agreed * together).sum(axis=1)
    partners = together.sum(axis=1)
    inside = partners > 0
    total = weights[inside].sum()
    if not total:
        return float("nan")
    return float((weights[inside] * of_atom[inside] / partners[inside]).sum() / total)
