"""Correspondence of two segmentations: Cc, Co, Cu, Cm, Cf, Cq, for all and for important blocks (T 3.3.2).

They are counted in the block correspondence graph (BCG) between a gold and a computed segmentation (algorithm 4).
Paper and program of its authors differ, so there are two conventions. Both take normalised blocks, and give matrices
with a row for each gold block and a column for each computed one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dbce.visual.measure.flat import Booleans, Flat, Floats, NormalBlock, corners

Blocks = Sequence[NormalBlock]


class DirectedEdges(NamedTuple):
    """Edges of the convention `thesis`: from gold blocks to computed ones, and the other way."""

    to_computed: Booleans
    to_gold: Booleans


def thesis_edges(
    gold: Blocks, computed: Blocks, relative: float, geometric: float
) -> DirectedEdges:
    """The edges as the authors' program drew them (asanoja/segmentations), block by block from the top.

    Edges need a weight above `relative`. A gold block that has found its equal looks at no further
    block; corners are compared truncated, after the gold block was enlarged by `geometric`.
    """
    edges = DirectedEdges(*np.zeros((2, len(gold), len(computed)), np.bool_))
    in_order = sorted(range(len(computed)), key=lambda n: computed[n].top)
    for row, g in enumerate(gold):
        for column in in_order:
            p = computed[column]
            if _thesis_weight(g, p) <= relative:
                continue
            if _integer_corners(g) == _integer_corners(p) or _corners_match(g, p, geometric):
                edges.to_computed[row, column] = True
                break
            if _holds(g, p, geometric):
                edges.to_computed[row, column] = True
            elif _holds(p, g, geometric):
                edges.to_gold[row, column] = True
    return edges


def _thesis_weight(gold: NormalBlock, computed: NormalBlock) -> float:
    less, more = sorted((gold.elements + gold.words, computed.elements + computed.words))
    return less / more if more else 0.0


def _integer_corners(block: NormalBlock, by: float = 0.0) -> tuple[int, int, int, int]:
    left, top, right, bottom, *_ = block
    return int(left - by), int(top - by), int(right + by), int(bottom + by)


def _corners_match(gold: NormalBlock, computed: NormalBlock, tolerance: float) -> bool:
    """Return whether the corners of two blocks are near each other, with the gold block enlarged."""
    g, p = _integer_corners(gold, tolerance), _integer_corners(computed)
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
    within, around = _contained(g, p, geometric), _contained(p, g, geometric)
    n, m = _contents(gold)[:, None], _contents(computed)[None, :]
    of_gold, of_computed = _share(n, m), _share(m, n)
    weights = np.select(
        [within & around, within, around],
        [np.minimum(of_gold, of_computed), of_gold, of_computed],
        0.0,
    )
    return np.asarray((weights >= relative) & (weights > 0))


def _contained(inner: Floats, outer: Floats, tolerance: float) -> Booleans:
    starts = inner[..., :2] >= outer[..., :2] - tolerance
    ends = inner[..., 2:] <= outer[..., 2:] + tolerance
    return np.asarray((starts & ends).all(axis=-1))


def _contents(blocks: Blocks) -> Floats:
    return np.array([block.elements + block.words for block in blocks], np.float64)


def _share(within: Floats, around: Floats) -> Floats:
    """Of what is around, at most 1; all of what is empty, if anything is within."""
    shares: Floats = np.minimum(within, around) / np.where(around > 0, around, 1)
    return np.where(around > 0, shares, (within > 0).astype(np.float64))


class Tolerances(NamedTuple):
    """t_r: which weight makes an edge; t_t, in units of a normalised page; t_i: what is important."""

    relative: float
    geometric: float
    importance: float


class BlockCounts(NamedTuple):
    """Edges and blocks of a block correspondence graph.

    Correct are pairs that correspond to each other alone; over-segmented are gold blocks with
    several edges, under-segmented computed ones; missed are gold blocks without edge, false alarms
    computed ones. `gold` and `computed` are the numbers of blocks: GTB and PTB.
    """

    correct: int
    oversegmented: int
    undersegmented: int
    missed: int
    false_alarms: int
    gold: int
    computed: int

    @property
    def quality(self) -> int:
        """Cq: all acceptable blocks. It rewards cutting up: read it beside Cf and PTB."""
        return self.correct + self.oversegmented + self.undersegmented


class Correspondence(NamedTuple):
    """Counts over all blocks (Cc ...), and over important ones (ICc ...)."""

    blocks: BlockCounts
    important: BlockCounts


def in_thesis(gold: Flat, computed: Flat, tolerances: Tolerances) -> Correspondence:
    """As the authors' program counted, edges directed; unimportant blocks keep their edges."""
    to_computed, to_gold = thesis_edges(
        gold.blocks, computed.blocks, tolerances.relative, tolerances.geometric
    )
    out_of_gold, into_gold = to_computed.sum(axis=1), to_gold.sum(axis=1)
    out_of_computed, into_computed = to_gold.sum(axis=0), to_computed.sum(axis=0)
    correct = (to_computed & (out_of_gold == 1)[:, None] & (into_computed == 1)) | (
        to_gold & (out_of_computed == 1) & (into_gold == 1)[:, None]
    )
    whole = np.ones(len(gold.blocks), np.bool_), np.ones(len(computed.blocks), np.bool_)

    def block_counts(rows: Booleans, columns: Booleans) -> BlockCounts:
        return BlockCounts(
            int(correct[rows].sum()),  # by its gold block alone
            int((out_of_gold[rows] > 1).sum()),
            int((out_of_computed[columns] > 1).sum()),
            int((out_of_gold + into_gold == 0)[rows].sum()),
            int((out_of_computed + into_computed == 0)[columns].sum()),
            int(rows.sum()),
            int(columns.sum()),
        )

    important = (flat.important(tolerances.importance) for flat in (gold, computed))
    return Correspondence(block_counts(*whole), block_counts(*important))


def in_dbce(gold: Flat, computed: Flat, tolerances: Tolerances) -> Correspondence:
    """Edges undirected and significant; unimportant blocks leave the graph with their edges."""
    edges = dbce_edges(gold.blocks, computed.blocks, tolerances.relative, tolerances.geometric)
    rows, columns = (flat.important(tolerances.importance) for flat in (gold, computed))
    return Correspondence(_counts(edges), _counts(edges[np.ix_(rows, columns)]))


def corresponding(gold: Flat, computed: Flat) -> list[tuple[int, int]]:
    """The places of blocks that correspond to each other alone: the pairs that Cc counts, as `dbce`."""
    relative, geometric, _ = CONVENTIONS["dbce"].tolerances
    edges = dbce_edges(gold.blocks, computed.blocks, relative, geometric)
    return [(int(g), int(p)) for g, p in np.argwhere(_correct(edges))]


def _correct(edges: Booleans) -> Booleans:
    of_gold, of_computed = edges.sum(axis=1), edges.sum(axis=0)
    return np.asarray(edges & (of_gold == 1)[:, None] & (of_computed == 1))


def _counts(edges: Booleans) -> BlockCounts:
    of_gold, of_computed = edges.sum(axis=1), edges.sum(axis=0)
    return BlockCounts(
        int(_correct(edges).sum()),
        int((of_gold > 1).sum()),
        int((of_computed > 1).sum()),
        int((of_gold == 0).sum()),
        int((of_computed == 0).sum()),
        *edges.shape,
    )


class Convention(NamedTuple):
    """A way to draw and count, and the tolerances that it is used with."""

    correspond: Callable[[Flat, Flat, Tolerances], Correspondence]
    tolerances: Tolerances


CONVENTIONS: Mapping[str, Convention] = {
    "dbce": Convention(in_dbce, Tolerances(relative=0.1, geometric=1.0, importance=0.1)),
    # The captions of the thesis' tables say t_r = .1; its numbers come out with 0.
    "thesis": Convention(in_thesis, Tolerances(relative=0.0, geometric=1.0, importance=0.1)),
}
"""The conventions by name."""
