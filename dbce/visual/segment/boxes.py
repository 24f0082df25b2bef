"""Common parts of all algorithms: a rendered page prepared for segmentation, and the tree of blocks.

Rectangles come first; then categories of elements, their tree, visibility and boxes; then blocks under construction,
their weights and the XY-cut (Sanoja 2015, 2.4, algorithm 2).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import pairwise
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from dbce.html import HEADINGS
from dbce.visual import Block, Element, Rect, RenderedPage, Segmentation, Text, has_area, union

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]


def bounding_rect(a: Rect, b: Rect) -> Rect:
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


def gaps(boxes: Boxes, rect: Rect) -> Numbers:
    """Return the Euclidean distance of closed rectangles to one, 0 where they meet."""
    across = np.maximum(boxes.x - (rect.x + rect.w), rect.x - (boxes.x + boxes.w))
    down = np.maximum(boxes.y - (rect.y + rect.h), rect.y - (boxes.y + boxes.h))
    return np.hypot(np.maximum(across, 0), np.maximum(down, 0))


def corner_distances(boxes: Boxes, rect: Rect) -> Numbers:
    """Return the least distance of any corner of the boxes to the edges of `rect`: not symmetric."""
    # Distances from the sides: negative if a corner is inside.
    across = [np.maximum(rect.x - x, x - (rect.x + rect.w)) for x in (boxes.x, boxes.x + boxes.w)]
    down = [np.maximum(rect.y - y, y - (rect.y + rect.h)) for y in (boxes.y, boxes.y + boxes.h)]
    nearest: Numbers = np.minimum.reduce([_to_edges(a, b) for a in across for b in down])
    return nearest


def _to_edges(across: Numbers, down: Numbers) -> Numbers:
    outside = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    inside = -np.maximum(across, down)
    return np.where((across <= 0) & (down <= 0), inside, outside)


def aligned_flags(boxes: Boxes, rect: Rect, tolerance: float, how: str) -> Flags:
    """Return a flag for each box: True if it is aligned with `rect`, vertically or horizontally.

    Vertically: x and ("and"; "or" needs one) width differ by less than `tolerance`; horizontally the same
    for y and height.
    """
    sides = zip(boxes, rect, strict=True)
    x, y, w, h = (np.abs(column - value) < tolerance for column, value in sides)
    return (x & w) | (y & h) if how == "and" else x | w | y | h


def cover_flags(outer: Boxes | Rect, inner: Boxes | Rect) -> Flags:
    """Return a flag for each box, on whichever side there are many: True if the outer one covers the inner one."""
    return np.asarray(
        (outer.x <= inner.x)
        & (outer.y <= inner.y)
        & (outer.x + outer.w >= inner.x + inner.w)
        & (outer.y + outer.h >= inner.y + inner.h)
    )


FLOW = "flow"
SECTIONING = "sectioning"
HEADING = "heading"
PHRASING = "phrasing"
EMBEDDED = "embedded"
INTERACTIVE = "interactive"
_SECTIONING = frozenset("article aside nav section".split())
_EMBEDDED = frozenset("applet audio canvas embed iframe img math object picture svg video".split())
_INTERACTIVE = frozenset(
    "a button embed iframe isindex keygen label optgroup option select textarea".split()
)
# Below "wbr": names of HTML 4 and older, and those that HTML got after 2014.
_PHRASING = _EMBEDDED | frozenset(
    "a abbr area b bdi bdo br button cite code data datalist del dfn em i input ins kbd keygen label map "
    "mark meter noscript output progress q ruby s samp script select slot small span strong style sub sup "
    "template textarea time u var wbr "
    "acronym big blink font isindex nobr optgroup option rb rp rt rtc source strike track tt".split()
)


def can_be_block(tag: str) -> bool:
    """Return condition C: not text, phrasing, embedded, interactive or form-associated (2.3)."""
    return tag not in _PHRASING and tag != "fieldset"  # else all of the latter are phrasing


def category(element: Element) -> str:
    """Return the category of a block of one element: the most specific one."""
    tag = element.tag
    if tag in _SECTIONING:
        return SECTIONING
    if tag in HEADINGS:
        return HEADING
    if tag in _EMBEDDED:
        return EMBEDDED
    is_shown = tag == "input" and element.attributes.get("type", "").lower() != "hidden"
    if is_shown or tag in _INTERACTIVE:
        return INTERACTIVE
    return PHRASING if tag in _PHRASING else FLOW


def smallest_common(first: str, second: str) -> str:
    """Return the smallest category that contains both (2.3, fig. 2.4)."""
    if first == second:
        return first
    return PHRASING if {first, second} <= {PHRASING, EMBEDDED, INTERACTIVE} else FLOW


def common_category(outline: Outline, elements: Iterable[int]) -> str:
    """Return the smallest category that contains those of all elements; "" for none."""
    kinds = (category(outline.page.elements[n]) for n in elements)
    return reduce(smallest_common, kinds, next(kinds, ""))


CLEAR = frozenset({"", "transparent", "rgba(0, 0, 0, 0)"})
"""Background colours that are invisible."""

BODY = 0  # place of body, the root of the collected elements

HTML5 = frozenset("article aside footer header main nav section".split())
"""Elements with a meaning in place of a `div`."""

NEVER_SEEN = frozenset("head link meta noframes param script style template title".split())
"""Elements without visible contents, whatever their box."""


Own = TypeVar("Own")


def inherit(elements: Sequence[Element], declared: Iterable[Own | None], root: Own) -> list[Own]:
    """Return a value for each element: its own, else that of its nearest ancestor with one, else `root`."""
    values: list[Own] = []
    for element, value in zip(elements, declared, strict=True):  # parents come first
        inherited = values[element.parent] if element.parent >= 0 else root
        values.append(inherited if value is None else value)
    return values


class Outline:
    """Facts about a page for all algorithms, computed once, in time linear in its elements and texts.

    All lists but `places` have one entry for each element of the page: `children` its child elements,
    `texts` its own visible texts, `end` the place after its last descendant, `visible` whether it is visible
    itself, `boxes` its border box or, if that has no area, the union of its visible contents (wrappers of
    floats, `display: contents`), None if there are none. `places` are the boxes of texts, None if
    invisible. Contents off the page, such as links for screen readers, are invisible, and boxes are
    clipped to the page.
    """

    def __init__(self, page: RenderedPage) -> None:
        self.page = page
        self.size = (max(page.size[0], 1), max(page.size[1], 1))
        self.rect = Rect(0, 0, *self.size)
        count = len(page.elements)
        self.children: list[list[int]] = [[] for _ in range(count)]
        self.texts: list[list[int]] = [[] for _ in range(count)]
        self.end = [n + 1 for n in range(count)]
        self.visible = [self._is_shown(element) for element in page.elements]
        self.boxes: list[Rect | None] = [None] * count
        self.places = [self._place(text) for text in page.texts]
        for n, text in enumerate(page.texts):
            if self.places[n]:
                self.texts[text.parent].append(n)
        for n, element in enumerate(page.elements):
            if element.parent >= 0:
                self.children[element.parent].append(n)
        self._fill_boxes()

    @cached_property
    def in_link(self) -> list[bool]:
        """Flags of elements: True if it is a link or in one."""
        flags = (element.tag == "a" or None for element in self.page.elements)
        return inherit(self.page.elements, flags, root=False)

    @cached_property
    def characters(self) -> list[int]:
        """Number of characters of each text, white space collapsed."""
        return [len(" ".join(text.text.split())) for text in self.page.texts]

    def visible_children(self, element: int) -> list[int]:
        """Return the child elements that have a box."""
        return [n for n in self.children[element] if self.boxes[n]]

    def _is_shown(self, element: Element) -> bool:
        style = self.page.styles[element.style]
        return (
            element.rect is not None
            and style.visibility == "visible"
            and style.display != "none"
            and element.tag not in NEVER_SEEN
        )

    def _place(self, text: Text) -> Rect | None:
        parent = self.page.elements[text.parent]
        style = self.page.styles[parent.style]
        if style.visibility != "visible" or parent.tag in NEVER_SEEN or not text.text.strip():
            return None
        rect = union(text.rects)
        return overlap(rect, self.rect) if rect else None

    def _fill_boxes(self) -> None:
        """Fill boxes and ends from the last element to the first, so that children are known before parents."""
        inner_boxes: list[list[Rect]] = [[] for _ in self.boxes]
        for n in range(len(self.boxes) - 1, -1, -1):
            element = self.page.elements[n]
            rect = element.rect
            if self.visible[n] and rect and has_area(rect):
                box = overlap(rect, self.rect)
            else:
                texts = (place for text in self.texts[n] if (place := self.places[text]))
                box = union([*inner_boxes[n], *texts])
            self.boxes[n] = box
            if element.parent >= 0:
                self.end[element.parent] = max(self.end[element.parent], self.end[n])
                inner_boxes[element.parent] += [box] if box else []


Size = tuple[float, float]


def half_up(value: float) -> int:
    """Return a number rounded as in JavaScript: .5 upwards (Python rounds it to the even neighbour)."""
    return math.floor(value + 0.5)


def area(rect: Rect, size: Size) -> float:
    """Return the share of the page's area (Sanoja 2015, 2.1, with pND = 100): 0 to 10."""
    return 10 * rect.w * rect.h / (size[0] * size[1])


def cells(rect: Rect, size: Size) -> float:
    """Return the cells of a grid of 10 x 10 that its size fills (code 1.1, May 2014): .1 to 10."""
    return math.ceil(10 * rect.w / size[0]) * math.ceil(10 * rect.h / size[1]) / 10


def corner(rect: Rect, size: Size) -> float:
    """Return the mean of w - x and h - y in tenths of the page (code 1.1, September 2014): it may be negative."""
    # Whole percents of the page first, as in the code.
    x, y, w, h = (half_up(100 * a / b) for a, b in zip(rect, (*size, *size), strict=True))
    return half_up(((w - x) + (h - y)) / 2 / 10)


def sides(rect: Rect, size: Size) -> float:
    """Return the mean of width and height in tenths of the page (code 1.1.1): 0 to 10."""
    return corner(rect._replace(x=0, y=0), size)


WEIGHTS = {"area": area, "cells": cells, "corner": corner, "sides": sides}
WeightName = Literal["area", "cells", "corner", "sides"]


@dataclass(slots=True, eq=False)
class Node:
    """A block under construction, with children in reading order."""

    rect: Rect
    elements: list[int] = field(default_factory=list)
    category: str = ""
    weight: float = 0.0
    children: list[Node] = field(default_factory=list)
    is_floating: bool = False

    def sort(self) -> None:
        """Sort its descendants in reading order, level by level."""
        nodes = [self]
        for node in nodes:
            node.children.sort(key=by_place)
            nodes += node.children


def by_place(node: Node) -> tuple[float, float]:
    """Return the sort key of siblings in reading order: from top to bottom, then from the left."""
    return node.rect.y, node.rect.x


def segmentation(outline: Outline, algorithm: str, root: Node) -> Segmentation:
    """Return the tree as a segmentation: the page first, parents before children, in reading order."""
    blocks: list[Block] = []
    stack = [(root, -1)]
    while stack:
        node, parent = stack.pop()
        stack += [(child, len(blocks)) for child in reversed(node.children)]
        elements = outermost(outline, node.elements)
        fields = node.category, "", float(node.weight), node.is_floating
        blocks.append(Block(parent, node.rect, elements, *fields))
    return Segmentation(algorithm, outline.page.record_id, tuple(blocks))


def give_roles(segmentation: Segmentation, role: Callable[[int], str]) -> Segmentation:
    """Return the segmentation with a role for each block but the page, by its place."""
    blocks = tuple(
        block if block.parent < 0 else block._replace(role=role(n))
        for n, block in enumerate(segmentation.blocks)
    )
    return replace(segmentation, blocks=blocks)


def outermost(outline: Outline, elements: Iterable[int]) -> tuple[int, ...]:
    """Return elements without those inside another of them, in document order."""
    roots: list[int] = []
    for element in sorted(elements):
        if not roots or element >= outline.end[roots[-1]]:
            roots.append(element)
    return tuple(roots)


ACROSS, DOWN = 0, 1
"""Axes, as places of the coordinate in a rectangle; that of the length is 2 more."""


def separators(
    rects: Iterable[Rect], axis: int, shrunk: float = 1.0, thinnest: float = 1.0
) -> list[tuple[float, float]]:
    """Return the maximal intervals between boxes that no box meets, in order.

    Boxes are shrunk by `shrunk` pixels on each side, so that touching ones can be separated; a separator is at least
    `thinnest` pixels thick.
    """
    gaps = []
    reached: float | None = None
    for start, length in sorted((rect[axis], rect[axis + 2]) for rect in rects):
        margin = min(shrunk, length / 2)
        low, high = start + margin, start + length - margin
        if reached is not None and low - reached >= thinnest:
            gaps.append((reached, low))
        reached = high if reached is None else max(reached, high)
    return gaps


def composite(rect: Rect, blocks: list[Node], goes_on: Callable[[Rect], bool]) -> Node:
    """Return `rect` with `blocks` in it, cut recursively while `goes_on` is true of a rectangle.

    All separators of one direction cut at once, in their middle, so that children tile their parent;
    horizontal ones first, vertical ones if there are none. A block goes where its centre is.
    """
    node = Node(rect)
    parts = _parts(rect, blocks) if goes_on(rect) else []
    if parts:
        node.children = [composite(part, group, goes_on) for part, group in parts]
    else:
        node.children = sorted(blocks, key=by_place)
    return node


def _parts(rect: Rect, blocks: list[Node]) -> list[tuple[Rect, list[Node]]]:
    """Return the rectangles between separators, with their blocks; none without separators."""
    for axis in (DOWN, ACROSS):
        cuts = [sum(gap) / 2 for gap in separators((block.rect for block in blocks), axis)]
        if cuts:
            groups: list[list[Node]] = [[] for _ in range(len(cuts) + 1)]
            for block in blocks:
                groups[bisect_right(cuts, centre(block.rect, axis))].append(block)
            parts = zip(tiles(rect, axis, cuts), groups, strict=True)
            return [(part, group) for part, group in parts if group]
    return []


def centre(rect: Rect, axis: int) -> float:
    return rect[axis] + rect[axis + 2] / 2


def tiles(rect: Rect, axis: int, cuts: Sequence[float]) -> list[Rect]:
    """Return the rectangles into which cuts along an axis divide one."""
    x, y, w, h = rect
    edges = pairwise([rect[axis], *cuts, rect[axis] + rect[axis + 2]])
    if axis == ACROSS:
        return [Rect(start, y, end - start, h) for start, end in edges]
    return [Rect(x, start, w, end - start) for start, end in edges]
