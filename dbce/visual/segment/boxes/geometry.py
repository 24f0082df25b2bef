"""Rectangles: unions, distances, alignment, cover; of one against many at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dbce.visual import Rect

if TYPE_CHECKING:
    from collections.abc import Iterable

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]


def union(rects: Iterable[Rect]) -> Rect | None:
    """The smallest rectangle round all; None if there are none."""
    edges = [(r.x, r.y, r.x + r.w, r.y + r.h) for r in rects]
    if not edges:
        return None
    lefts, tops, rights, bottoms = zip(*edges, strict=True)
    x, y = min(lefts), min(tops)
    return Rect(x, y, max(rights) - x, max(bottoms) - y)


def around(a: Rect, b: Rect) -> Rect:
    """The smallest rectangle round two."""
    x, y = min(a.x, b.x), min(a.y, b.y)
    return Rect(x, y, max(a.x + a.w, b.x + b.w) - x, max(a.y + a.h, b.y + b.h) - y)


def overlap(a: Rect, b: Rect) -> Rect | None:
    """Return the rectangle that two rectangles share; None if it has no area."""
    x, y = max(a.x, b.x), max(a.y, b.y)
    w, h = min(a.x + a.w, b.x + b.w) - x, min(a.y + a.h, b.y + b.h) - y
    return Rect(x, y, w, h) if w > 0 and h > 0 else None


class Boxes(NamedTuple):
    """Many rectangles, as columns."""

    x: Numbers
    y: Numbers
    w: Numbers
    h: Numbers

    @classmethod
    def of(cls, rects: Iterable[Rect]) -> Boxes:
        columns = np.array([tuple(r) for r in rects], dtype=float).reshape(-1, 4).T
        return cls(*columns)

    def part(self, start: int, stop: int) -> Boxes:
        """The rectangles from `start` to `stop`, without a copy."""
        return Boxes(*(column[start:stop] for column in self))


def gaps(boxes: Boxes, rect: Rect) -> Numbers:
    """Euclidean distance of closed rectangles to one, 0 where they meet."""
    across = np.maximum(boxes.x - (rect.x + rect.w), rect.x - (boxes.x + boxes.w))
    down = np.maximum(boxes.y - (rect.y + rect.h), rect.y - (boxes.y + boxes.h))
    distances: Numbers = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    return distances


def corner_distances(boxes: Boxes, rect: Rect) -> Numbers:
    """Least distance of any corner of the boxes to the edges of `rect`: not symmetric."""
    lefts, rights = (_from_sides(x, rect.x, rect.w) for x in (boxes.x, boxes.x + boxes.w))
    tops, bottoms = (_from_sides(y, rect.y, rect.h) for y in (boxes.y, boxes.y + boxes.h))
    corners = [_to_edges(a, b) for a in (lefts, rights) for b in (tops, bottoms)]
    nearest: Numbers = np.minimum.reduce(corners)
    return nearest


def _from_sides(values: Numbers, start: float, length: float) -> Numbers:
    """Distance of each value from an interval; negative if it is inside."""
    outside: Numbers = np.maximum(start - values, values - (start + length))
    return outside


def _to_edges(across: Numbers, down: Numbers) -> Numbers:
    outside = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    inside = -np.maximum(across, down)
    distances: Numbers = np.where((across <= 0) & (down <= 0), inside, outside)
    return distances


def aligned(boxes: Boxes, rect: Rect, tolerance: float, how: str) -> Flags:
    """Flag of each box: True if it is in line with `rect`, vertically or horizontally, with like sides.

    Vertically: x and ("and"; "or" asks for one) width differ by less than `tolerance`; horizontally
    the same of y and height.
    """
    x, y, w, h = (
        np.abs(column - value) < tolerance for column, value in zip(boxes, rect, strict=True)
    )
    flags: Flags = (x & w) | (y & h) if how == "and" else x | w | y | h
    return flags


def inside(boxes: Boxes, rect: Rect) -> Flags:
    """Flag of each box: True if `rect` covers it."""
    flags: Flags = (
        (boxes.x >= rect.x)
        & (boxes.y >= rect.y)
        & (boxes.x + boxes.w <= rect.x + rect.w)
        & (boxes.y + boxes.h <= rect.y + rect.h)
    )
    return flags


def outside(boxes: Boxes, rect: Rect) -> Flags:
    """Flag of each box: True if it covers `rect`."""
    flags: Flags = (
        (boxes.x <= rect.x)
        & (boxes.y <= rect.y)
        & (boxes.x + boxes.w >= rect.x + rect.w)
        & (boxes.y + boxes.h >= rect.y + rect.h)
    )
    return flags
