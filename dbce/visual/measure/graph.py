"""The block correspondence graph (BCG) between a gold and a computed segmentation, T 3.3.2, algorithm 4.

Paper and program of its authors differ, so there are two conventions. Both take normalised blocks,
and give matrices with a row for each gold block and a column for each computed one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.visual.measure.normalise import corners

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.visual.measure.normalise import Booleans, Floats, NormalBlock

    Blocks = Sequence[NormalBlock]


class Directed(NamedTuple):
    """Edges of the convention `thesis`: from gold blocks to computed ones, and the other way."""

    to_computed: Booleans
    to_gold: Booleans


def thesis_edges(gold: Blocks, computed: Blocks, relative: float, geometric: float) -> Directed:
    """The edges as the authors' program drew them (asanoja/segmentations), block by block from the top.

    Edges need a weight above `relative`. A gold block that has found its equal looks at no further
    block; corners are compared truncated, after the gold block was enlarged by `geometric`.
    """
    found = Directed(*np.zeros((2, len(gold), len(computed)), np.bool_))
    in_order = sorted(range(len(computed)), key=lambda n: computed[n].top)
    for row, g in enumerate(gold):
        for column in in_order:
            p = computed[column]
            if _thesis_weight(g, p) <= relative:
                continue
            if _truncated(g) == _truncated(p) or _near(g, p, geometric):
                found.to_computed[row, column] = True
                break
            if _holds(g, p, geometric):
                found.to_computed[row, column] = True
            elif _holds(p, g, geometric):
                found.to_gold[row, column] = True
    return found


def _thesis_weight(one: NormalBlock, other: NormalBlock) -> float:
    less, more = sorted((one.elements + one.words, other.elements + other.words))
    return less / more if more else 0.0


def _truncated(block: NormalBlock, by: float = 0.0) -> tuple[int, int, int, int]:
    left, top, right, bottom, *_ = block
    return int(left - by), int(top - by), int(right + by), int(bottom + by)


def _near(gold: NormalBlock, computed: NormalBlock, tolerance: float) -> bool:
    """Return whether the corners of two blocks are near each other, with the gold block enlarged."""
    g, p = _truncated(gold, tolerance), _truncated(computed)
    return math.dist(g[:2], p[:2]) <= tolerance and math.dist(g[2:], p[2:]) <= tolerance


def _holds(outer: NormalBlock, inner: NormalBlock, tolerance: float) -> bool:
    return (
        outer.left - tolerance < inner.left
        and outer.top - tolerance < inner.top
        and outer.right + tolerance > inner.right
        and outer.bottom + tolerance > inner.bottom
    )


def dbce_edges(gold: Blocks, computed: Blocks, relative: float, geometric: float) -> Booleans:
    """The significant edges of the convention `dbce`, undirected.

    There is an edge where one block holds the other, give or take `geometric`; it weighs the elements
    and words of the block within as a share of those of the block around, at most 1, and is
    significant from `relative` on if it weighs anything. Where each holds the other the one with fewer
    elements and words is the one within.
    """
    g, p = corners(gold)[:, None], corners(computed)[None, :]
    within, around = _inside(g, p, geometric), _inside(p, g, geometric)
    n, m = _contents(gold)[:, None], _contents(computed)[None, :]
    of_gold, of_computed = _share(n, m), _share(m, n)
    weights = np.select(
        [within & around, within, around],
        [np.minimum(of_gold, of_computed), of_gold, of_computed],
        0.0,
    )
    return np.asarray((weights >= relative) & (weights > 0))


def _inside(inner: Floats, outer: Floats, tolerance: float) -> Booleans:
    starts = inner[..., :2] >= outer[..., :2] - tolerance
    ends = inner[..., 2:] <= outer[..., 2:] + tolerance
    return np.asarray((starts & ends).all(axis=-1))


def _contents(blocks: Blocks) -> Floats:
    return np.array([block.elements + block.words for block in blocks], np.float64)


def _share(within: Floats, around: Floats) -> Floats:
    """Of what is around, at most 1; all of what is empty, if anything is within."""
    shares: Floats = np.minimum(within, around) / np.where(around > 0, around, 1)
    return np.where(around > 0, shares, (within > 0).astype(np.float64))
