"""Composite blocks and the flow: an XY-cut along separators (Sanoja 2015, 2.4, algorithm 2)."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from dbce.visual import Rect
from dbce.visual.segment.boxes.node import Node, by_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SHRUNK = 1.0
"""Pixels that boxes are made smaller on each side, so that boxes which touch can be parted."""

THINNEST = 1.0
"""Pixels that a separator is thick at least."""


def separators(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """The maximal intervals that no span meets, in order; what lies before and behind all is none.

    A span is the start and the length of a box along one axis.
    """
    found = []
    reached: float | None = None
    for start, length in sorted(spans):
        shrunk = min(SHRUNK, length / 2)
        low, high = start + shrunk, start + length - shrunk
        if reached is not None and low - reached >= THINNEST:
            found.append((reached, low))
        reached = high if reached is None else max(reached, high)
    return found


def composite(rect: Rect, blocks: list[Node], goes_on: Callable[[Rect], bool]) -> Node:
    """`rect` with `blocks` in it, cut as long as `goes_on` says of a rectangle.

    All separators of one direction cut at once, in their middle, so that children tile their parent;
    horizontal ones first, vertical ones where there is none. A block goes where its centre lies.
    """
    node = Node(rect)
    parts = _parts(rect, blocks) if goes_on(rect) else []
    if parts:
        node.children = [composite(part, inside, goes_on) for part, inside in parts]
    else:
        node.children = sorted(blocks, key=by_place)
    return node


def _parts(rect: Rect, blocks: list[Node]) -> list[tuple[Rect, list[Node]]]:
    """The rectangles that separators cut, with their blocks; none if nothing is cut."""
    rows = separators((b.rect.y, b.rect.h) for b in blocks)
    if rows:
        edges = [rect.y, *(sum(row) / 2 for row in rows), rect.y + rect.h]
        rects = [Rect(rect.x, a, rect.w, b - a) for a, b in pairwise(edges)]
        return _placed(rects, edges, blocks, lambda r: r.y + r.h / 2)
    columns = separators((b.rect.x, b.rect.w) for b in blocks)
    if columns:
        edges = [rect.x, *(sum(column) / 2 for column in columns), rect.x + rect.w]
        rects = [Rect(a, rect.y, b - a, rect.h) for a, b in pairwise(edges)]
        return _placed(rects, edges, blocks, lambda r: r.x + r.w / 2)
    return []


def _placed(
    rects: list[Rect], edges: list[float], blocks: list[Node], centre: Callable[[Rect], float]
) -> list[tuple[Rect, list[Node]]]:
    inside: list[list[Node]] = [[] for _ in rects]
    for block in blocks:
        inside[bisect_right(edges, centre(block.rect), 1, len(rects)) - 1].append(block)
    return [(rect, held) for rect, held in zip(rects, inside, strict=True) if held]
