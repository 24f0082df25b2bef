"""A block while a page is cut: its weight, its place in a tree, and the XY-cut that makes composite ones.

The weight of a block is its normalised size, 0 to 10: one name, four formulas. Composite blocks and the flow are an
XY-cut along separators (Sanoja 2015, 2.4, algorithm 2).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from dbce.visual import Block, Rect, Segmentation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dbce.visual.segment.boxes.outline import Outline

Size = tuple[float, float]
Weigh = Callable[[Rect, Size], float]


def half_up(value: float) -> int:
    """Rounded as JavaScript does: .5 upwards (Python rounds it to the even neighbour)."""
    return math.floor(value + 0.5)


def area(rect: Rect, size: Size) -> float:
    """The share of the page's area (Sanoja 2015, 2.1, with pND = 100): 0 to 10."""
    return 10 * rect.w * rect.h / (size[0] * size[1])


def cells(rect: Rect, size: Size) -> float:
    """The cells of a grid of 10 x 10 that its size fills (code 1.1, May 2014): .1 to 10."""
    return math.ceil(10 * rect.w / size[0]) * math.ceil(10 * rect.h / size[1]) / 10


def corner(rect: Rect, size: Size) -> float:
    """Mean of w - x and h - y in tenths of the page (code 1.1, September 2014): it may be negative."""
    x, y, w, h = _percent(rect, size)
    return half_up(((w - x) + (h - y)) / 2 / 10)


def sides(rect: Rect, size: Size) -> float:
    """Mean of width and height in tenths of the page (code 1.1.1): 0 to 10."""
    _, _, w, h = _percent(rect, size)
    return half_up((w + h) / 2 / 10)


def _percent(rect: Rect, size: Size) -> tuple[int, int, int, int]:
    """Each length as whole percents of the page's, rounded first as the code does."""
    width, height = size
    return (
        half_up(100 * rect.x / width),
        half_up(100 * rect.y / height),
        half_up(100 * rect.w / width),
        half_up(100 * rect.h / height),
    )


WEIGHTS: dict[str, Weigh] = {"area": area, "cells": cells, "corner": corner, "sides": sides}
"""The four by name."""


@dataclass(slots=True, eq=False)
class Node:
    """A block that may still get or lose children; they stand in reading order."""

    rect: Rect
    elements: list[int] = field(default_factory=list)
    category: str = ""
    weight: float = 0.0
    children: list[Node] = field(default_factory=list)
    is_floating: bool = False

    def terminal(self) -> Iterator[Node]:
        """The blocks in it that hold no other, itself if it holds none, in reading order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if not node.children:
                yield node
            waiting += reversed(node.children)


def by_place(node: Node) -> tuple[float, float]:
    """Reading order of blocks that stand side by side: from top to bottom, then from the left."""
    return node.rect.y, node.rect.x


def segmentation(outline: Outline, algorithm: str, root: Node) -> Segmentation:
    """The tree as a segmentation: the page first, parents before children, in reading order."""
    blocks: list[Block] = []
    waiting = [(root, -1)]
    while waiting:
        node, parent = waiting.pop()
        waiting += [(child, len(blocks)) for child in reversed(node.children)]
        elements = outermost(outline, node.elements)
        look = node.category, "", float(node.weight), node.is_floating
        blocks.append(Block(parent, node.rect, elements, *look))
    return Segmentation(algorithm, outline.page.record_id, tuple(blocks))


def outermost(outline: Outline, elements: Iterable[int]) -> tuple[int, ...]:
    """Elements without those that lie inside another of them, in document order."""
    roots: list[int] = []
    for element in sorted(elements):
        if not roots or element >= outline.end[roots[-1]]:
            roots.append(element)
    return tuple(roots)


SHRUNK = 1.0
"""Pixels that boxes are made smaller on each side, so that boxes which touch can be parted."""

THINNEST = 1.0
"""Pixels that a separator is thick at least."""


def separators(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """The maximal intervals that no span meets, in order; what lies before and behind all is none.

    A span is the start and the length of a box along one axis.
    """
    gaps = []
    reached: float | None = None
    for start, length in sorted(spans):
        shrunk = min(SHRUNK, length / 2)
        low, high = start + shrunk, start + length - shrunk
        if reached is not None and low - reached >= THINNEST:
            gaps.append((reached, low))
        reached = high if reached is None else max(reached, high)
    return gaps


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
