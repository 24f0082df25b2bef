"""Extended B-cubed: do pieces of a page that share a segment on one side share as many on the other?

The pieces are atoms, the smallest in which two segmentations are compared: texts, elements, area. Amigo and others, A
comparison of extrinsic clustering evaluation metrics based on formal constraints, Information Retrieval 12, 2009,
section 5: for segments that may overlap. Low precision: too much was merged; low recall: too much was cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.visual.measure.flat import ND, corners

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.visual.measure.flat import Booleans, Floats, NormalBlock


@dataclass(frozen=True, slots=True, eq=False)
class Atoms:
    """Pieces of a page: their centres in units of a normalised page, and what each counts."""

    x: Floats
    y: Floats
    weights: Floats

    def evenly(self) -> Atoms:
        """Return these atoms with a weight of 1 each."""
        return Atoms(self.x, self.y, np.ones_like(self.weights))


def atoms(places: Sequence[tuple[float, float, float]]) -> Atoms:
    """Of (x, y, weight)."""
    return Atoms(*np.array(places, np.float64).reshape(-1, 3).T)


def area() -> Atoms:
    """The cells of a grid of ND x ND over the page, each counted once."""
    centres = np.arange(ND) + 0.5
    x, y = np.meshgrid(centres, centres)
    return Atoms(x.ravel(), y.ravel(), np.ones(x.size))


def members(pieces: Atoms, blocks: Sequence[NormalBlock]) -> Booleans:
    """Return for each atom (row) and block (column) whether the atom's centre is in it, edges included."""
    left, top, right, bottom = corners(blocks).T
    x, y = pieces.x[:, None], pieces.y[:, None]
    return np.asarray((left <= x) & (x <= right) & (top <= y) & (y <= bottom))


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
