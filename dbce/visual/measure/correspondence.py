"""Correspondence of two segmentations: Cc, Co, Cu, Cm, Cf, Cq, for all and for important blocks (T 3.3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.visual.measure.graph import dbce_edges, thesis_edges

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dbce.visual.measure.flat import Flat
    from dbce.visual.measure.normalise import Booleans


class Tolerances(NamedTuple):
    """t_r: which weight makes an edge; t_t, in units of a normalised page; t_i: what is important."""

    relative: float
    geometric: float
    importance: float


class Counts(NamedTuple):
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

    blocks: Counts
    important: Counts


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

    def counted(rows: Booleans, columns: Booleans) -> Counts:
        return Counts(
            int(correct[rows].sum()),  # by its gold block alone
            int((out_of_gold[rows] > 1).sum()),
            int((out_of_computed[columns] > 1).sum()),
            int((out_of_gold + into_gold == 0)[rows].sum()),
            int((out_of_computed + into_computed == 0)[columns].sum()),
            int(rows.sum()),
            int(columns.sum()),
        )

    important = (flat.important(tolerances.importance) for flat in (gold, computed))
    return Correspondence(counted(*whole), counted(*important))


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


def _counts(edges: Booleans) -> Counts:
    of_gold, of_computed = edges.sum(axis=1), edges.sum(axis=0)
    return Counts(
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
