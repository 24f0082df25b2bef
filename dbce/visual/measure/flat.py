"""A page's segmentation as it is measured: the blocks that hold no others, normalised, with their importance.

T is Sanoja, Web Page Segmentation, Evaluation and Applications, 2015. T 3.2.2 stretches every page to
ND x ND, so that segmentations by several browsers can be compared; its printed formula has the page's x for the
block's. Importance is how much of the middle of what shows first blocks cover (T 3.2.3).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dbce.visual import Rect

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]

ND = 100.0
"""Width and height of a normalised page (T 3.2.2)."""


class NormalBlock(NamedTuple):
    """A block: its edges in units of a page of ND x ND, and how many elements and words it has."""

    left: float
    top: float
    right: float
    bottom: float
    elements: int
    words: int


def normalise(
    rect: Rect, size: tuple[float, float], elements: int = 0, words: int = 0
) -> NormalBlock:
    """A block of a page of some size (width, height); lengths of both in the same unit.

    Where a page has no width or height, nothing in it has.
    """
    across, down = (ND / length if length > 0 else 0.0 for length in size)
    return NormalBlock(
        rect.x * across,
        rect.y * down,
        (rect.x + rect.w) * across,
        (rect.y + rect.h) * down,
        elements,
        words,
    )


def corners(blocks: Iterable[NormalBlock]) -> Floats:
    """Left, top, right and bottom of blocks, one row each; 0 x 4 where there is none."""
    return np.array([block[:4] for block in blocks], np.float64).reshape(-1, 4)


@dataclass(frozen=True, slots=True)
class Flat:
    """A flat segmentation, gold or computed.

    `algorithm` names what made it. `importance` has each block's share in the sum over all. `words`
    are those of the page as its maker counted them. `size` is (width, height) of the page in CSS pixels.
    `copied`: it is stored as an algorithm's, and seems to be the gold itself.
    """

    algorithm: str
    size: tuple[float, float]
    words: int
    blocks: tuple[NormalBlock, ...]
    importance: tuple[float, ...]
    copied: bool = False

    def important(self, tolerance: float) -> Booleans:
        """Flag of each block: True if its importance is larger than `tolerance`."""
        return np.array([share > tolerance for share in self.importance], np.bool_)


NP = 10
"""Cells of the grid, across and down (T 3.2.3)."""

_EDGE = 1e-9  # of a cell: an edge that lies on a line of the grid but for rounding does


def grid(visible: float, cells: int = NP) -> Floats:
    """The values of the cells, row by row.

    Over the rows of the visible part, which is `visible` of the page's height (0 to 1), they are 1
    at the edge, 2, 3 and so on inwards; elsewhere 1. The thesis gives no values; rings are what its
    authors' program has.
    """
    rows = min(cells, max(1, math.ceil(visible * cells - _EDGE)))
    values = np.ones((cells, cells))
    row, column = np.indices((rows, cells))
    rings = np.minimum.reduce([row, rows - 1 - row, column, cells - 1 - column])
    values[:rows] += rings
    return values


def importances(
    blocks: Sequence[NormalBlock], visible: float, cells: int = NP
) -> tuple[float, ...]:
    """The share of each block in the sum over all; 0 for all where none meets a cell."""
    values = grid(visible, cells)
    return shares([_sum_of_met(block, values) for block in blocks])


def shares(values: Sequence[float]) -> tuple[float, ...]:
    """Each value's part of their sum; 0 for all if that is 0."""
    total = sum(values)
    return tuple(value / total if total else 0.0 for value in values)


def _sum_of_met(block: NormalBlock, values: Floats) -> float:
    cells = len(values)

    def met(start: float, end: float) -> slice:
        first = math.floor(start * cells / ND + _EDGE)
        return slice(max(0, first), max(0, math.ceil(end * cells / ND - _EDGE)))

    return float(values[met(block.top, block.bottom), met(block.left, block.right)].sum())
