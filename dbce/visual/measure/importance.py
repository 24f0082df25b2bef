"""Importance of blocks: how much of the middle of what shows first they cover (T 3.2.3)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dbce.visual.measure.normalise import ND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.visual.measure.normalise import Floats, NormalBlock

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
