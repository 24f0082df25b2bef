"""VIPS: a page as (O, Φ, δ), each block divided again until it is coherent (Cai et al. 2003).

Visual blocks are extracted from the DOM by the rules of MSR-TR-2003-79, 4.1; separators are detected and weighted by
its 4.2.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dbce.visual import Rect, union
from dbce.visual.segment import boxes
from dbce.visual.segment.boxes import Node, Outline
from dbce.visual.segment.options import Options

SMALL = 350 * 400
"""Square pixels below which a node with text of its own is not divided in the first round (the window
of JVIPS' first iteration); half of it in the next, and so on."""

COHERENT, NEARLY, LIKELY = 10, 9, 8
"""DoC of what cannot be divided, of text in several fonts, of a small node with text."""
BY_SHARE = ((0.1, 8), (0.25, 7), (0.5, 6), (float("inf"), 4))
"""DoC of a node with a background of its own, by the upper limit of its share of the page."""

TABLE = frozenset("table tbody tfoot thead tr".split())


class VisualBlock(NamedTuple):
    """A part of the page that is not divided in this round; `node` is its element if it is divisible.

    `look` is (font size, font weight, background) of its first text, or of its element.
    """

    rect: Rect
    elements: tuple[int, ...]
    doc: int
    node: int | None
    look: tuple[float, int, str]
    is_text: bool


class Divider:
    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.styles = [outline.page.styles[element.style] for element in outline.page.elements]
        self.backgrounds = self._backgrounds()
        self.virtual = self._virtual_texts()
        self.pixels = outline.size[0] * outline.size[1]

    def divide(self, element: int, level: int) -> list[VisualBlock]:
        """Return the visual blocks that an element is divided into, at least once."""
        blocks: list[VisualBlock] = []
        waiting = [(element, True)]
        while waiting:
            node, is_root = waiting.pop()
            # The element at hand is always divided (rule 3).
            block = None if is_root else self._undivided_block(node, level)
            if block:
                blocks.append(block)
            else:
                blocks += self._texts(node)
                inner = [n for n in self.outline.visible_children(node) if not self.virtual[n]]
                waiting += [(child, False) for child in reversed(inner)]
        return blocks

    def _undivided_block(self, node: int, level: int) -> VisualBlock | None:
        """Return the element as a visual block; None if a rule divides it. The first matching rule decides."""
        box, page = self.outline.boxes[node], self.outline.page
        element = page.elements[node]
        children = self.outline.visible_children(node)
        texts = self.outline.texts[node]
        if box is None or element.tag == "hr":  # a line is a separator
            return None
        share = box.w * box.h / self.pixels
        if self._stands_out(node):  # rule 8
            doc = next(doc for below, doc in BY_SHARE if share < below)
            return self._block(box, node, doc if children else COHERENT)
        if not children and not texts:  # rule 1
            return self._block(box, node, COHERENT)
        if all(self.virtual[child] for child in children):  # rule 4
            return self._block(box, node, COHERENT if self._has_one_font(node) else NEARLY)
        # Rule 2, and rules 5 to 7.
        if (len(children) == 1 and not texts) or self._must_be_divided(node, children):
            return None
        small = box.w * box.h < SMALL / 2**level
        with_text = bool(texts) or any(self.virtual[child] for child in children)
        if small and (with_text or element.tag == "td"):  # rules 9 and 10
            return self._block(box, node, LIKELY)
        # Rule 11 (what follows an undivided sibling is not divided) is left out: one header would decide on a page.
        return None  # rule 12

    def _must_be_divided(self, node: int, children: list[int]) -> bool:
        """Return whether a node's contents divide it (rules 5 to 7).

        Such contents are blocks in a line or paragraph, a rule (hr), or in tables more than fits the box.
        """
        page = self.outline.page
        tag = page.elements[node].tag
        if (tag == "p" or self._is_inline(node)) and not all(map(self._is_inline, children)):
            return True
        if any(page.elements[child].tag == "hr" for child in self.outline.children[node]):
            return True
        rects = [box for child in children if (box := self.outline.boxes[child])]
        area = self.outline.boxes[node]
        return bool(tag in TABLE and area and sum(b.w * b.h for b in rects) > area.w * area.h)

    def _texts(self, node: int) -> Iterator[VisualBlock]:
        """Yield one block of the own texts of a divided element, if it has any."""
        virtual = [n for n in self.outline.visible_children(node) if self.virtual[n]]
        places = [self.outline.places[text] for text in self.outline.texts[node]]
        places += [self.outline.boxes[n] for n in virtual]
        rect = union(place for place in places if place)
        if rect:
            elements = tuple(virtual) if not self.outline.texts[node] else (node,)
            yield VisualBlock(rect, elements, COHERENT, None, self._look(node), is_text=True)

    def _block(self, box: Rect, node: int, doc: int) -> VisualBlock:
        is_text = all(self.virtual[child] for child in self.outline.children[node])
        divisible = node if self.outline.visible_children(node) else None
        return VisualBlock(box, (node,), doc, divisible, self._look(node), is_text)

    def _look(self, node: int) -> tuple[float, int, str]:
        style = self.styles[node]
        return style.font_size, style.font_weight, self.backgrounds[node]

    def _has_one_font(self, node: int) -> bool:
        places = range(node, self.outline.end[node])
        fonts = {self._look(n)[:2] for n in places if self.outline.texts[n]}
        return len(fonts) < 2

    def _is_inline(self, node: int) -> bool:
        return self.styles[node].display.startswith("inline")

    def _stands_out(self, node: int) -> bool:
        """Return whether a node has siblings, and a background other than its parent's."""
        parent = self.outline.page.elements[node].parent
        return (
            parent >= 0
            and self.backgrounds[node] != self.backgrounds[parent]
            and len(self.outline.visible_children(parent)) > 1
        )

    def _backgrounds(self) -> list[str]:
        """Return the background of each element: its own, else that of its nearest ancestor with one."""
        colours = (style.background_color for style in self.styles)
        opaque = (None if colour in boxes.CLEAR else colour for colour in colours)
        return boxes.inherit(self.outline.page.elements, opaque, "")

    def _virtual_texts(self) -> list[bool]:
        """Return a flag for each element: True if it is inline, of texts and such elements alone ("virtual text")."""
        outline = self.outline
        virtual = [False] * len(outline.page.elements)
        for n in range(len(virtual) - 1, -1, -1):
            children = outline.visible_children(n)
            virtual[n] = (
                self._is_inline(n)
                and bool(children or outline.texts[n])
                and all(virtual[child] for child in children)
            )
        return virtual


THICKNESS = ((35.0, 8), (25.0, 6), (15.0, 4), (8.0, 2), (0.0, 1))
"""Points for a separator by its minimum thickness in pixels (rule 1; steps of JVIPS)."""
EACH = 2  # points of each other rule
LEAST, MOST = 1, 10
TOUCHING = 2.0  # maximum distance in pixels of a block from its separator


class Cut:
    """All separators of one direction among some blocks; `lines` are the heights of rules (hr), sorted.

    `weights` has one weight for each separator, `parts` the blocks before, between and behind them, and `heaviest` is
    the greatest weight, 0 without separators.
    """

    def __init__(self, blocks: list[VisualBlock], axis: int, lines: Sequence[float] = ()) -> None:
        gaps = boxes.separators((block.rect for block in blocks), axis)
        self.parts: list[list[VisualBlock]] = [[] for _ in range(len(gaps) + 1)]
        middles = [(low + high) / 2 for low, high in gaps]
        for block in blocks:
            self.parts[bisect_right(middles, boxes.centre(block.rect, axis))].append(block)
        self.weights = []
        for n, (low, high) in enumerate(gaps):
            above = [b for b in self.parts[n] if b.rect[axis] + b.rect[axis + 2] > low - TOUCHING]
            below = [b for b in self.parts[n + 1] if b.rect[axis] < high + TOUCHING]
            weight = next((points for threshold, points in THICKNESS if high - low > threshold), 0)
            weight += EACH * (bisect_left(lines, low) < bisect_right(lines, high))
            self.weights.append(weight + _contrast(above, below, fonts=axis == boxes.DOWN))
        self.weights = [min(max(weight, LEAST), MOST) for weight in self.weights]
        self.heaviest = max(self.weights, default=0)

    def groups(self) -> list[list[VisualBlock]]:
        """Return the blocks between separators of the greatest weight."""
        groups = [list(self.parts[0])]
        for weight, part in zip(self.weights, self.parts[1:], strict=True):
            if weight == self.heaviest:
                groups.append([])
            groups[-1] += part
        return groups


def _contrast(preceding: list[VisualBlock], following: list[VisualBlock], *, fonts: bool) -> int:
    """Return the points of rules 3 to 5: other backgrounds; if horizontal, fonts and likeness."""
    points = EACH * ({b.look[2] for b in preceding} != {b.look[2] for b in following})
    if fonts:
        same = {b.look[:2] for b in preceding} == {b.look[:2] for b in following}
        points += EACH * (not same)
        points -= EACH * (same and all(b.is_text for b in preceding + following))
    return points


LEVELS = 30  # maximum depth of blocks: a bound for malicious pages


@dataclass(frozen=True, slots=True)
class VipsOptions(Options):
    pdoc: float = 5.0
    """PDoC, 1 to 10: blocks are divided until their degree of coherence is above it."""


def vips(outline: Outline, options: VipsOptions) -> Node:
    """Return the blocks of a page; one block if nothing can be separated."""
    structure = _Structure(outline, options)
    children = structure.nodes(structure.divider.divide(0, 0), 0)
    elements = [] if children else [0]
    weight = boxes.area(outline.rect, outline.size)
    return Node(outline.rect, elements, boxes.FLOW, weight, children)


class _Structure:
    """The content structure of one page while it is built."""

    def __init__(self, outline: Outline, options: VipsOptions) -> None:
        self.outline = outline
        self.options = options
        self.divider = Divider(outline)
        elements = outline.page.elements
        rects = (outline.boxes[n] for n, e in enumerate(elements) if e.tag == "hr")
        self.lines = sorted(box.y + box.h / 2 for box in rects if box)

    def nodes(self, blocks: list[VisualBlock], level: int) -> list[Node]:
        """Return the nodes that blocks are divided into; none if they are one coherent block."""
        if level == LEVELS:
            return []
        if len(blocks) == 1:
            (block,) = blocks
            if block.node is None or block.doc > self.options.pdoc:
                return []
            inner = self.divider.divide(block.node, level + 1)
            return self.nodes(inner, level + 1) if inner != blocks else []
        down, across = Cut(blocks, boxes.DOWN, self.lines), Cut(blocks, boxes.ACROSS)
        cut = max(down, across, key=lambda cut: cut.heaviest)
        # The degree of coherence, 1 to 10, decreases with the visibility of separators.
        if not cut.heaviest or MOST + 1 - cut.heaviest > self.options.pdoc:
            return []
        return sorted((self._node(group, level + 1) for group in cut.groups()), key=boxes.by_place)

    def _node(self, blocks: list[VisualBlock], level: int) -> Node:
        rect = union(block.rect for block in blocks) or self.outline.rect
        elements = [element for block in blocks for element in block.elements]
        kind = boxes.common_category(self.outline, elements)
        children = self.nodes(blocks, level)
        weight = boxes.area(rect, self.outline.size)
        return Node(rect, [] if children else elements, kind, weight, children)
