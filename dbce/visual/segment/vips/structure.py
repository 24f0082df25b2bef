"""VIPS: a page as (O, Φ, δ), each block divided again until it is coherent (Cai et al. 2003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.visual.segment.boxes import (
    FLOW,
    Node,
    area,
    by_place,
    category,
    check,
    smallest_common,
    union,
)
from dbce.visual.segment.vips.blocks import Divider
from dbce.visual.segment.vips.separators import MOST, columns, rows

if TYPE_CHECKING:
    from dbce.visual import Rect
    from dbce.visual.segment.boxes import Outline
    from dbce.visual.segment.vips.blocks import VisualBlock

LEVELS = 30
"""Greatest depth of blocks in blocks: a bound for pages made to cost much."""


@dataclass(frozen=True, slots=True)
class VipsOptions:
    """Raises UsageError for a value that an option cannot have."""

    pdoc: float = 5.0
    """PDoC, 1 to 10: blocks are divided until their degree of coherence is above it."""

    def __post_init__(self) -> None:
        check(self)


def vips(outline: Outline, options: VipsOptions) -> Node:
    """The blocks of a page; one block where nothing can be told apart."""
    return _Structure(outline, options).page()


class _Structure:
    """The content structure of one page while it is built."""

    def __init__(self, outline: Outline, options: VipsOptions) -> None:
        self.outline = outline
        self.options = options
        self.divider = Divider(outline)
        elements = outline.page.elements
        boxes = (outline.boxes[n] for n, e in enumerate(elements) if e.tag == "hr")
        self.lines = sorted(box.y + box.h / 2 for box in boxes if box)

    def page(self) -> Node:
        """All visual blocks of body, grouped and divided again."""
        page = self._node([], self.outline.rect)
        page.elements = [0]
        page.category = FLOW
        page.children = self._children(self.divider.divide(0, 0), 0)
        if page.children:
            page.elements = []
        return page

    def _children(self, blocks: list[VisualBlock], level: int) -> list[Node]:
        """Return the nodes that some blocks are cut into; none if they are one coherent block."""
        if level == LEVELS:
            return []
        if len(blocks) == 1:
            (block,) = blocks
            if block.node is None or block.doc > self.options.pdoc:
                return []
            inner = self.divider.divide(block.node, level + 1)
            return self._children(inner, level + 1) if inner != blocks else []
        down, across = rows(blocks, self.lines), columns(blocks)
        heaviest = max(down.heaviest, across.heaviest)
        if heaviest == 0 or degree_of_coherence(heaviest) > self.options.pdoc:
            return []
        cut = down if down.heaviest == heaviest else across
        nodes = []
        for group in cut.at(heaviest):
            node = self._node(group)
            node.children = self._children(group, level + 1)
            if node.children:
                node.elements = []
            nodes.append(node)
        return sorted(nodes, key=by_place)

    def _node(self, blocks: list[VisualBlock], rect: Rect | None = None) -> Node:
        rect = rect or union(block.rect for block in blocks) or self.outline.rect
        elements = [element for block in blocks for element in block.elements]
        node = Node(rect, elements, weight=area(rect, self.outline.size))
        for n, place in enumerate(elements):
            element = self.outline.page.elements[place]
            kind = category(element.tag, element.attributes)
            node.category = smallest_common(node.category, kind) if n else kind
        return node


def degree_of_coherence(heaviest: int) -> int:
    """DoC, 1 to 10, of blocks together: the less, the more visible what parts them is."""
    return MOST + 1 - heaviest
