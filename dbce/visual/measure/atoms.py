"""Smallest pieces in which two segmentations are compared: texts, elements, area."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce.visual.measure.normalise import ND, corners

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.visual.measure.normalise import Booleans, Floats, NormalBlock


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
