"""Sibling blocks as columns, so that one is held against many at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.visual.segment.boxes import SECTIONING, Boxes, around, smallest_common

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dbce.visual import Rect
    from dbce.visual.segment.boxes import Flags, Node, Numbers

    Weight = Callable[[Rect], float]

REACH = 1000
"""Number of siblings behind it that a block is held against at most: so a page of 20,000 blocks below one
costs what its blocks cost, not the square of it. No page of the data sets comes near it."""


class SiblingWindow(NamedTuple):
    """Columns of some siblings that stand one after the other."""

    boxes: Boxes
    weights: Numbers
    sectioning: Flags


class Row:
    """Siblings in order, some of which are gone.

    A block changes only while it looks at those behind it, so the columns of those stay true.
    """

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes = list(nodes)
        self._left = np.ones(0, dtype=bool)
        self._columns = _columns([])

    def add(self, nodes: Iterable[Node]) -> None:
        """More siblings at the end."""
        self.nodes += nodes

    def is_left(self, place: int) -> bool:
        """Return whether a sibling is still there."""
        return place >= len(self._left) or bool(self._left[place])

    def drop(self, place: int) -> None:
        """A sibling is gone."""
        self._measure()
        self._left[place] = False

    def first(self, start: int, fits: Callable[[SiblingWindow], Flags]) -> int | None:
        """The first sibling from `start` on that is left and fits; None if there is none in reach."""
        stop = min(start + REACH, len(self.nodes))
        if stop > len(self._left):
            self._measure()
        boxes, weights, sectioning = self._columns
        window = SiblingWindow(boxes.part(start, stop), weights[start:stop], sectioning[start:stop])
        places = np.flatnonzero(fits(window) & self._left[start:stop])
        return start + int(places[0]) if places.size else None

    def remaining(self) -> list[Node]:
        """Those that are left, in order."""
        return [node for n, node in enumerate(self.nodes) if self.is_left(n)]

    def _measure(self) -> None:
        """Columns of the siblings that came since the last time."""
        new = self.nodes[len(self._left) :]
        if new:
            self._left = np.concatenate([self._left, np.ones(len(new), dtype=bool)])
            boxes, weights, sectioning = _columns(new)
            old = self._columns
            self._columns = SiblingWindow(
                Boxes(*(np.concatenate(both) for both in zip(old.boxes, boxes, strict=True))),
                np.concatenate([old.weights, weights]),
                np.concatenate([old.sectioning, sectioning]),
            )


def _columns(nodes: list[Node]) -> SiblingWindow:
    return SiblingWindow(
        Boxes.of(node.rect for node in nodes),
        np.array([node.weight for node in nodes], dtype=float),
        np.array([node.category == SECTIONING for node in nodes], dtype=bool),
    )


def take(node: Node, other: Node, weight: Weight) -> None:
    """Merge `other` into a block: union of boxes, elements of both, smallest common category."""
    node.rect = around(node.rect, other.rect)
    node.elements += other.elements
    node.category = smallest_common(node.category, other.category)
    node.weight = weight(node.rect)
