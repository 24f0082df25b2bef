"""VIPS: a page as (O, Φ, δ), each block divided again until it is coherent (Cai et al. 2003).

Separators of visual blocks, and how visible they are, are those of MSR-TR-2003-79, 4.2.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

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
from dbce.visual.segment.boxes import separators as strips
from dbce.visual.segment.vips.blocks import Divider

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.visual import Rect
    from dbce.visual.segment.boxes import Outline
    from dbce.visual.segment.vips.blocks import VisualBlock

THICKNESS = ((35.0, 8), (25.0, 6), (15.0, 4), (8.0, 2), (0.0, 1))
"""Points for a separator thicker than so many pixels (rule 1; steps of JVIPS)."""

EACH = 2
"""Points of each other rule."""

LEAST, MOST = 1, 10

TOUCHING = 2.0
"""Pixels from a separator within which a block is beside it."""


class Cut(NamedTuple):
    """All separators of one direction among some blocks.

    `weights` has one weight for each separator, `parts` the blocks before, between and behind them.
    """

    weights: tuple[int, ...]
    parts: tuple[list[VisualBlock], ...]

    @property
    def heaviest(self) -> int:
        """The greatest weight, 0 without separators."""
        return max(self.weights, default=0)

    def at(self, weight: int) -> list[list[VisualBlock]]:
        """The blocks between separators of a weight."""
        groups = [list(self.parts[0])]
        for its, part in zip(self.weights, self.parts[1:], strict=True):
            if its == weight:
                groups.append([])
            groups[-1] += part
        return groups


def rows(blocks: list[VisualBlock], lines: Sequence[float]) -> Cut:
    """Horizontal separators; `lines` are the heights of rules (hr), sorted."""
    return _cut(blocks, lines, start=1, size=3)


def columns(blocks: list[VisualBlock]) -> Cut:
    """Vertical separators."""
    return _cut(blocks, (), start=0, size=2)


def _cut(blocks: list[VisualBlock], lines: Sequence[float], start: int, size: int) -> Cut:
    gaps = strips((b.rect[start], b.rect[size]) for b in blocks)
    parts: tuple[list[VisualBlock], ...] = tuple([] for _ in range(len(gaps) + 1))
    middles = [(low + high) / 2 for low, high in gaps]
    for block in blocks:
        parts[bisect_right(middles, block.rect[start] + block.rect[size] / 2)].append(block)
    weights = []
    for n, (low, high) in enumerate(gaps):
        before = [b for b in parts[n] if b.rect[start] + b.rect[size] > low - TOUCHING]
        behind = [b for b in parts[n + 1] if b.rect[start] < high + TOUCHING]
        crossed = bisect_left(lines, low) < bisect_right(lines, high)
        weights.append(_weight(high - low, before, behind, crossed=crossed, fonts=start == 1))
    return Cut(tuple(weights), parts)


def _weight(
    thickness: float,
    before: list[VisualBlock],
    behind: list[VisualBlock],
    *,
    crossed: bool,
    fonts: bool,
) -> int:
    """Rules 1 to 5: thickness, a rule in it, other backgrounds; if horizontal, fonts and likeness."""
    weight = next((points for above, points in THICKNESS if thickness > above), 0)
    weight += EACH * crossed
    weight += EACH * ({b.look[2] for b in before} != {b.look[2] for b in behind})
    if fonts:
        same = {b.look[:2] for b in before} == {b.look[:2] for b in behind}
        weight += EACH * (not same)
        weight -= EACH * (same and all(b.is_text for b in before + behind))
    return min(max(weight, LEAST), MOST)


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
