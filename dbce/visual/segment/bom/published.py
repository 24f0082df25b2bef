"""BoM as its authors published it: the JavaScript, 1.1.1 or 1.1, on collected boxes.

It goes over the logical objects in passes: blocks are merged, accepted or removed until nothing merges (1.1.1).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dbce.visual.segment.bom.objects import SEMANTIC, has_cues, logical_objects
from dbce.visual.segment.bom.row import Row, take
from dbce.visual.segment.boxes import WEIGHTS, aligned, by_place, corner_distances, gaps

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from dbce.visual import Element, Rect
    from dbce.visual.segment.bom.options import PublishedOptions
    from dbce.visual.segment.bom.row import SiblingWindow, Weight
    from dbce.visual.segment.boxes import Flags, Node, Outline

    Visit = Generator[Node, int, int]
    """Asks for blocks to be evaluated, gets and gives how often something merged in them."""


def published(outline: Outline, options: PublishedOptions) -> Node:
    """The blocks of a page; siblings from top to bottom."""

    def weight(rect: Rect) -> float:
        return WEIGHTS[options.weight](rect, outline.size)

    page = logical_objects(
        outline, weight, text_moving=options.text_moving, wrappers=options.wrappers
    )
    elements = outline.page.elements
    Passes(elements, weight, lambda node: has_cues(outline, node), options).run(page)
    page.rect, page.weight = outline.rect, weight(outline.rect)
    nodes = [page]
    for node in nodes:
        node.children.sort(key=by_place)
        nodes += node.children
    return page


class Passes:
    """One run of the passes over a tree of logical objects, which it changes."""

    def __init__(
        self,
        elements: Sequence[Element],
        weight: Weight,
        has_cues: Callable[[Node], bool],
        options: PublishedOptions,
    ) -> None:
        self.elements = elements
        self.weight = weight
        self.has_cues = has_cues
        self.options = options
        self.is_old = options.version == "1.1"

    def run(self, page: Node) -> None:
        """Passes until one merges nothing; version 1.1 makes one."""
        while self._pass(page) and not self.is_old:
            pass

    def _pass(self, page: Node) -> int:
        """Run one pass and return the number of merges.

        Blocks that wait for one inside them are kept in a list, so pages may be nested deeply.
        """
        waiting = [self._children(page)]
        merges: int | None = None
        while waiting:
            try:
                child = next(waiting[-1]) if merges is None else waiting[-1].send(merges)
            except StopIteration as done:
                waiting.pop()
                merges = done.value
            else:
                waiting.append(self._visit(child))
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
        """Evaluate the children of a block; what a removed one held comes behind all others."""
        row = Row(node.children)
        merges = under = seen = n = 0
        while n < len(row.nodes):
            if row.is_left(n):
                child = row.nodes[n]
                if child.weight >= self.options.granularity:
                    touched = yield child
                else:
                    touched = self._small(node, row, n)
                merges += touched
                under += child.weight < self.options.granularity
                self._settle(node, row, n, touched)
                seen += 1
            n += 1
        node.children = row.remaining()
        if not self.is_old and under > self.options.small_share * seen:
            node.children = []
        return merges

    def _small(self, parent: Node, row: Row, n: int) -> int:
        """Return the number of merges into the n-th child, which is below pA."""
        child = row.nodes[n]
        if self._is_semantic(child) or (self.is_old and self.has_cues(child)):
            child.children = []
            return 0
        return self._merge_behind(parent, row, n)

    def _merge_behind(self, parent: Node, row: Row, n: int) -> int:
        """Merge every later sibling that fits into the n-th; remove those without weight."""
        child, merges = row.nodes[n], 0
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

    def _concerns(self, node: Node, window: SiblingWindow) -> Flags:
        """Flag of each sibling: True if a block below pA merges with it, or removes it."""
        options, boxes = self.options, window.boxes
        near = gaps if options.gap == "gap" else corner_distances
        fits = aligned(boxes, node.rect, options.distance, options.aligned)
        if options.overlapping:
            fits |= gaps(boxes, node.rect) == 0
        fits &= near(boxes, node.rect) < options.distance
        return (fits | (window.weights <= 0)) & (window.weights < options.granularity)

    def _settle(self, parent: Node, row: Row, n: int, touched: int) -> None:
        """Accept a small child that took nothing; remove one without weight."""
        child = row.nodes[n]
        if 0 < child.weight < self.options.granularity and not touched:
            child.children = []
        if child.weight == 0 or (child.weight < 0 and n == len(row.nodes) - 1):
            self._remove(parent, row, n)

    def _remove(self, parent: Node, row: Row, n: int) -> None:
        """A block without weight goes; its elements and children are its parent's now."""
        take(parent, row.nodes[n], self.weight)
        row.drop(n)
        row.add(row.nodes[n].children)

    def _is_semantic(self, node: Node) -> bool:
        return self.elements[node.elements[0]].tag in SEMANTIC
