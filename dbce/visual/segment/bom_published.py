"""Block-o-Matic as published by its authors: the JavaScript, 1.1.1 or 1.1, on collected boxes.

Elements become geometric objects, these logical ones, by the lists of its code (1.1.1). In passes over those, blocks
are merged, accepted or removed until nothing merges (1.1.1).
"""

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from dbce.visual import Rect
from dbce.visual.segment import boxes
from dbce.visual.segment.bom import Aligned, BomOptions, Gap, Row, SiblingWindow, Weight, take
from dbce.visual.segment.boxes import BODY, Node, Outline


@dataclass(frozen=True, slots=True)
class PublishedOptions(BomOptions):
    """Options for differences of its versions, and for choices on collected boxes."""

    weight: boxes.WeightName = "sides"
    version: Literal["1.1.1", "1.1"] = "1.1.1"
    """1.1.1 (2016 and later), or 1.1 (May 2014): see `MAY_2014`."""
    aligned: Aligned = "or"
    """Sides that must be alike: place "and" size (2014), or one of them ("or")."""
    gap: Gap = "corners"
    """The distance of blocks: of "corners" to edges, or of their rectangles ("gap")."""
    overlapping: bool = False
    """True if near blocks that overlap or hold one another merge; in the code that is dead."""
    small_share: float = 0.9
    """The share of small children above which all are dropped (1.1.1 alone)."""
    text_moving: bool = False
    """True if a text with element siblings is an object after them. Its box stays."""
    wrappers: bool = True
    """True if an element without area, such as a wrapper of floats, has the box of its contents."""


MAY_2014 = PublishedOptions(version="1.1", weight="cells", aligned="and")
"""Settings of Pagelyzer: small blocks with visual cues are accepted unmerged, an only child replaces its
parent, there is no rule of 90 %, and one pass."""

CONTAINER = frozenset("body div ul dl p object iframe ins table td".split())
CONTENT = frozenset("span a li dt dd h1 h2 h3 h4 h5 img ins input p pre tt".split())
EXCLUDED = frozenset("script style area head meta frame frameset br hr noscript title".split())
"""Elements that are left out with all their contents, as by the JavaScript (docs/segmentation.md)."""

IGNORED = frozenset("html tbody tr param link colgroup".split())
"""Elements that are replaced by their children."""

SEMANTIC = frozenset("section header footer aside nav article".split())


def logical_objects(outline: Outline, weight: Weight, options: PublishedOptions) -> Node:
    """Return the tree of blocks before any merge; children in document order.

    A geometric object is an element with a box that is neither excluded nor ignored. One with a single
    child is replaced by it; one with a type, and on the page, is a block; the children of another go to
    the block above.
    """
    geometric = _Geometric(outline, options)
    page = Node(outline.rect, [BODY], boxes.FLOW, weight(outline.rect))
    stack = [(child, page) for child in reversed(geometric.children(BODY))]
    while stack:
        element, parent = stack.pop()
        children = geometric.children(element)
        box = geometric.box(element)
        block = parent
        is_on_page = box and box.x >= 0 and box.y >= 0 and box.w > 0 and box.h > 0
        if len(children) != 1 and box and is_on_page and geometric.has_type(element):
            block = Node(box, *geometric.element(element), weight(box))
            parent.children.append(block)
        stack += [(child, block) for child in reversed(children)]
    return page


class _Geometric:
    """The geometric objects of a page. A moved text is one too, its number is below 0."""

    def __init__(self, outline: Outline, options: PublishedOptions) -> None:
        self.outline = outline
        self.options = options
        self.with_text = {text.parent for text in outline.page.texts}

    def children(self, place: int) -> list[int]:
        """Return the child objects of an object, in document order, moved texts last."""
        if place < 0:
            return []
        objects = []
        stack = list(reversed(self.outline.children[place]))
        while stack:
            child = stack.pop()
            tag = self.outline.page.elements[child].tag
            if tag in EXCLUDED or self.box(child) is None:
                continue
            if tag in IGNORED:
                stack += reversed(self.outline.children[child])
            else:
                objects.append(child)
        if self.options.text_moving and self.outline.children[place]:
            objects += [-1 - text for text in self.outline.texts[place]]
        return objects

    def box(self, place: int) -> Rect | None:
        """Return the box of an object; None if it has no size."""
        if place < 0:
            return self.outline.places[-1 - place]
        box = self.outline.page.elements[place].rect
        if self.options.wrappers and (box is None or box.w * box.h <= 0):
            box = self.outline.boxes[place] or box
        return box if box and (box.w or box.h) else None

    def element(self, place: int) -> tuple[list[int], str]:
        """Return the element of an object, for a moved text its old parent, and its category."""
        if place < 0:
            return [self.outline.page.texts[-1 - place].parent], boxes.PHRASING
        return [place], boxes.category(self.outline.page.elements[place])

    def has_type(self, place: int) -> bool:
        """Return whether an object has one of the types of blocks."""
        if place < 0:
            return True
        tag = self.outline.page.elements[place].tag
        if not self.outline.visible[place]:
            return False
        is_filled = bool(self.outline.children[place]) or place in self.with_text
        return tag in CONTENT or (tag in CONTAINER and is_filled)


SMALLER = 0.8  # maximum share of its font size of the next sibling's


def _stands_out(outline: Outline, place: int) -> bool:
    page = outline.page
    element = page.elements[place]
    style = page.styles[element.style]
    if style.background_color not in boxes.CLEAR:
        return True
    following = outline.end[place]
    if following == len(page.elements) or page.elements[following].parent != element.parent:
        return False
    return page.styles[page.elements[following].style].font_size < SMALLER * style.font_size


Visit = Generator[Node, int, int]
"""Yields blocks to be evaluated, receives and returns the numbers of merges in them."""


def bom_published(outline: Outline, options: PublishedOptions) -> Node:
    """Return the blocks of a page; siblings from top to bottom."""
    weight = options.weigh(outline)
    page = logical_objects(outline, weight, options)
    passes = Passes(outline, weight, options)
    while passes.merges(page) and not passes.is_old:  # version 1.1 makes one
        pass
    page.rect, page.weight = outline.rect, weight(outline.rect)
    page.sort()
    return page


class Passes:
    """Passes over a tree of logical objects, which they change."""

    def __init__(self, outline: Outline, weight: Weight, options: PublishedOptions) -> None:
        self.outline = outline
        self.weight = weight
        self.options = options
        self.is_old = options.version == "1.1"

    def merges(self, page: Node) -> int:
        """Run one pass and return the number of merges.

        Pending blocks are on an explicit stack, so pages may be nested deeply.
        """
        stack = [self._children(page)]
        merges: int | None = None
        while stack:
            try:
                child = next(stack[-1]) if merges is None else stack[-1].send(merges)
            except StopIteration as done:
                stack.pop()
                merges = done.value
            else:
                stack.append(self._visit(child))
                merges = None
        return merges or 0

    def _visit(self, node: Node) -> Visit:
        """Evaluate a block that is not the page."""
        while self.is_old and len(node.children) == 1 and not self._is_semantic(node):
            (child,) = node.children
            node.rect, node.elements, node.category = child.rect, child.elements, child.category
            node.weight, node.children = child.weight, child.children
        if len(node.children) != 1 or self._is_semantic(node):
            return (yield from self._children(node))
        take(node, node.children[0], self.weight)
        node.children = []
        return 1

    def _children(self, node: Node) -> Visit:
        """Evaluate the children of a block; the children of a removed one are appended."""
        row = Row(node.children)
        merges = small = visited = 0
        for n, child in enumerate(row.nodes):  # children of removed ones are appended
            if row.is_left(n):
                if child.weight >= self.options.granularity:
                    touched = yield child
                else:
                    touched = self._small(node, row, n)
                merges += touched
                small += child.weight < self.options.granularity
                self._settle(node, row, n, touched)
                visited += 1
        node.children = row.remaining()
        if not self.is_old and small > self.options.small_share * visited:
            node.children = []
        return merges

    def _small(self, parent: Node, row: Row, n: int) -> int:
        """Return the number of merges into the n-th child, which is below pA."""
        child = row.nodes[n]
        has_cues = self.is_old and any(_stands_out(self.outline, e) for e in child.elements)
        if self._is_semantic(child) or has_cues:
            child.children = []
            return 0
        # Every later sibling that fits is merged, those without weight are removed.
        merges = 0
        concerns = partial(self._concerns, child)
        other = row.first(n + 1, concerns)
        while other is not None:
            sibling = row.nodes[other]
            if sibling.weight <= 0:
                self._remove(parent, row, other)
            else:
                take(child, sibling, self.weight)
                child.children = []
                row.drop(other)
                merges += 1
            other = row.first(other + 1, concerns)
        return merges

    def _concerns(self, node: Node, window: SiblingWindow) -> boxes.Flags:
        """Return a flag for each sibling: True if a block below pA merges with it, or removes it."""
        options, rects = self.options, window.boxes
        distance = boxes.gaps if options.gap == "gap" else boxes.corner_distances
        fits = boxes.aligned_flags(rects, node.rect, options.distance, options.aligned)
        if options.overlapping:
            fits |= boxes.gaps(rects, node.rect) == 0
        fits &= distance(rects, node.rect) < options.distance
        return (fits | (window.weights <= 0)) & (window.weights < options.granularity)

    def _settle(self, parent: Node, row: Row, n: int, touched: int) -> None:
        """Accept a small child that took nothing; remove one without weight."""
        child = row.nodes[n]
        if 0 < child.weight < self.options.granularity and not touched:
            child.children = []
        if child.weight == 0 or (child.weight < 0 and n == len(row.nodes) - 1):
            self._remove(parent, row, n)

    def _remove(self, parent: Node, row: Row, n: int) -> None:
        """Remove a block without weight; its elements and children go to its parent."""
        take(parent, row.nodes[n], self.weight)
        row.drop(n)
        row.nodes += row.nodes[n].children

    def _is_semantic(self, node: Node) -> bool:
        return self.outline.page.elements[node.elements[0]].tag in SEMANTIC
