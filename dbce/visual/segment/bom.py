"""Block-o-Matic as the thesis defines it (Sanoja 2015, chapter 2): from small blocks up, then merged.

Algorithm 1 (2.3) finds the smallest coherent blocks, algorithm 2 (2.4) cuts the page into composite ones, algorithm 3
(2.5) merges simple blocks below a composite one, algorithm 5 (5.2.3.3) gives roles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial, reduce
from itertools import accumulate, groupby
from typing import Literal, NamedTuple

import numpy as np

from dbce.visual import Block, Rect, Segmentation
from dbce.visual.segment import boxes
from dbce.visual.segment.boxes import BODY, Node, Outline, composite
from dbce.visual.segment.options import Options

Aligned = Literal["and", "or"]
Gap = Literal["gap", "corners"]


@dataclass(frozen=True, slots=True)
class BomOptions(Options):
    """Options of both versions; each has its own formula of weights."""

    granularity: float = 5.0
    """pA (`ac` of the code): the weight that a block should reach, 0 to 10."""
    distance: float = 50.0
    """pD (`dc`): pixels below which blocks are near, and by which aligned sides may differ."""
    weight: boxes.WeightName = "area"
    """Its formula."""
    labels: Literal["roles", "places"] = "roles"
    """Labels of blocks: "roles" (algorithm 5) or "places" (the project page, 2017)."""

    def weigh(self, outline: Outline) -> Weight:
        return lambda rect: boxes.WEIGHTS[self.weight](rect, outline.size)


@dataclass(frozen=True, slots=True)
class PaperOptions(BomOptions):
    """Options where the thesis is open or contradictory. Defaults: table 4.2, and docs/segmentation.md."""

    drop_at_body: bool = False
    """True if leaves without a block below body are lost, as by algorithm 1."""
    cuts: Literal["above", "below"] = "above"
    """Blocks that are cut: those "above" pA (text, algorithm 2) or "below" (the example beside it)."""
    spans: Literal["one", "both"] = "one"
    """Axes in which a block must span the page to be cut: "one", or "both"."""
    mixed: bool = False
    """True if simple children merge where a composite block has composite ones as well."""
    small: Literal["both", "first"] = "both"
    """Blocks of a merge that must be below pA: "both" (rule 1) or the "first" (algorithm 3)."""
    aligned: Aligned = "and"
    """Sides that must be alike: place "and" size, or one of them ("or")."""
    gap: Gap = "gap"
    """The distance of blocks: of their rectangles ("gap"), or of "corners" to edges as in the code."""
    cover: Literal["either", "first"] = "either"
    """Cover of blocks that merge: "either" of two covers the other, or the "first" the second (algorithm 3)."""
    small_share: float = 0.75
    """The share of small children above which all are dropped."""
    small_unmerged: bool = True
    """True if merged children never count as small (algorithm 3); the text has no such condition."""


def bom_paper(outline: Outline, options: PaperOptions) -> Node:
    """Return the blocks of a page: composite ones and below them simple ones, which hold its elements."""
    weight = options.weigh(outline)

    def goes_on(rect: Rect) -> bool:
        page = outline.rect
        above = weight(rect) > options.granularity
        if rect == page:
            return options.cuts == "below" or above
        spans = ((rect.w >= page.w), (rect.h >= page.h))
        limits = any(spans) if options.spans == "one" else all(spans)
        return limits and above == (options.cuts == "above")

    simple = fine_grained(outline, weight, drop_at_body=options.drop_at_body)
    page = composite(outline.rect, simple, goes_on)
    merge(page, weight, options)
    if not simple:
        page.elements = [BODY]
    return page


PARTING = frozenset({"br", "hr"})
"""Elements without contents that separate others."""
FOREIGN = frozenset({"math", "svg"})
"""Elements of other vocabularies, which are leaves with all their contents."""


def fine_grained(outline: Outline, weight: Weight, *, drop_at_body: bool) -> list[Node]:
    """Return one block for each element that a leaf climbs to, in document order; texts of body come last.

    From each leaf the climb goes up to the first element that meets condition C. A climb that comes to
    body ends at the last element below it, or the leaf is lost (`drop_at_body`, to the letter). A text
    that is itself in body is a block, whose element is body.
    """
    elements = outline.page.elements
    are_ends = (e.parent <= BODY or boxes.can_be_block(e.tag) for e in elements)
    ends = (n if is_end else None for n, is_end in enumerate(are_ends))
    hosts = boxes.inherit(elements, ends, BODY)  # where the climb from each element ends
    climbed: dict[int, Rect] = {}
    loose: list[Node] = []
    for leaf, place in _leaves(outline):
        host = hosts[leaf]
        if drop_at_body and (host == BODY or not boxes.can_be_block(elements[host].tag)):
            continue
        if host == BODY:
            loose.append(Node(place, [BODY], boxes.PHRASING, weight(place)))
        else:
            climbed[host] = boxes.bounding_rect(climbed[host], place) if host in climbed else place
    places = sorted(climbed)
    blocks = []
    for n, host in enumerate(places):
        holds = n + 1 < len(places) and places[n + 1] < outline.end[host]
        # An element's own box would cover the blocks inside it.
        own_box = None if holds else outline.boxes[host]
        box = own_box or climbed[host]
        blocks.append(Node(box, [host], boxes.category(elements[host]), weight(box)))
    return blocks + loose


def _leaves(outline: Outline) -> list[tuple[int, Rect]]:
    """Return (element, box) of elements without child elements, and of texts with element siblings."""
    elements = outline.page.elements
    leaves = []
    hidden_until = 0  # after the last descendant of a foreign element
    for n, element in enumerate(elements):
        if n < hidden_until:
            continue
        box = outline.boxes[n]
        if element.tag in FOREIGN:
            hidden_until = outline.end[n]
        elif outline.children[n]:
            leaves += [(n, place) for t in outline.texts[n] if (place := outline.places[t])]
            continue
        if box and (n != BODY or outline.texts[n]) and element.tag not in PARTING:
            leaves.append((n, box))
    return leaves


def merge(page: Node, weight: Weight, options: PaperOptions) -> None:
    """Simplify every composite block whose children are simple, the deepest first, in place."""
    order = [page]
    for node in order:
        order += [child for child in node.children if child.children]
    for node in reversed(order):
        node.weight = weight(node.rect)
        if not any(child.children for child in node.children):
            _simplify(node, weight, options)
        elif options.mixed:  # adjacent simple children merge
            groups = groupby(node.children, key=lambda child: bool(child.children))
            node.children = []
            for is_composite, group in groups:
                run = list(group)
                node.children += run if is_composite else merge_siblings(run, weight, options)[0]


def _simplify(node: Node, weight: Weight, options: PaperOptions) -> None:
    if node.weight <= options.granularity:
        _drop_children(node)
        return
    node.children, merged = merge_siblings(node.children, weight, options)
    small = sum(
        child.weight < options.granularity and not (options.small_unmerged and child in merged)
        for child in node.children
    )
    if len(node.children) == 1 or small > options.small_share * len(node.children):
        _drop_children(node)


def _drop_children(node: Node) -> None:
    """Turn a block into a simple one, with the elements of all its children."""
    if node.children:
        node.category = reduce(boxes.smallest_common, (child.category for child in node.children))
    node.elements = [element for child in node.children for element in child.elements]
    node.children = []


def merge_siblings(
    siblings: list[Node], weight: Weight, options: PaperOptions
) -> tuple[list[Node], set[Node]]:
    """Return the siblings after all merges that the rules allow, in order, and those that took another."""
    merged: set[Node] = set()
    count = -1
    while count != len(siblings):
        count = len(siblings)
        row = Row(siblings)
        # Each small block in reading order merges with the later siblings that fit.
        for n, node in enumerate(siblings):
            start = n + 1
            fits = partial(_fits, node, options)
            while row.is_left(n) and node.weight < options.granularity:
                if (other := row.first(start, fits)) is None:
                    break
                take(node, siblings[other], weight)
                merged.add(node)
                row.drop(other)
                start = other + 1
        siblings = row.remaining()
    return siblings, merged


def _fits(node: Node, options: PaperOptions, window: SiblingWindow) -> boxes.Flags:
    """Return a flag for each sibling: True if it merges with a block that is below pA itself (rules 1 to 5)."""
    rects = window.boxes
    distances = (boxes.gaps if options.gap == "gap" else boxes.corner_distances)(rects, node.rect)
    # Rules 3 and 4 exclude each other, so not all five can hold: aligned blocks must be near, others covered.
    lined = boxes.aligned_flags(rects, node.rect, options.distance, options.aligned)
    sections = window.sectioning | (node.category == boxes.SECTIONING)
    covers = boxes.cover_flags(node.rect, rects)
    if options.cover == "either":
        covers |= boxes.cover_flags(rects, node.rect)
    fits: boxes.Flags = np.where(lined, (distances < options.distance) & ~sections, covers)
    if options.small == "both":
        fits &= window.weights < options.granularity
    return fits


Weight = Callable[[Rect], float]

REACH = 1000
"""Maximum following siblings that a block is compared with: so a page of 20,000 blocks below one takes
linear, not quadratic time. No page of the data sets comes near it."""


class SiblingWindow(NamedTuple):
    """Columns of consecutive siblings."""

    boxes: boxes.Boxes
    weights: boxes.Numbers
    sectioning: boxes.Flags


class Row:
    """Siblings in order, some of which are dropped; others may be appended to `nodes`.

    A block changes only while it is compared with later ones, so the columns of those stay valid.
    """

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes = list(nodes)
        self._dropped: set[int] = set()
        self._is_left = np.ones(0, dtype=bool)
        self._columns = np.empty((6, 0))  # rectangle, weight, 1 if it is sectioning

    def is_left(self, place: int) -> bool:
        return place not in self._dropped

    def drop(self, place: int) -> None:
        self._dropped.add(place)
        self._is_left[place : place + 1] = False

    def first(self, start: int, fits: Callable[[SiblingWindow], boxes.Flags]) -> int | None:
        """Return the first remaining sibling from `start` on that fits; None if there is none in reach."""
        stop = min(start + REACH, len(self.nodes))
        if stop > len(self._is_left):
            self._measure()
        *rect, weights, sectioning = self._columns[:, start:stop]
        window = SiblingWindow(boxes.Boxes(*rect), weights, sectioning > 0)
        places = np.flatnonzero(fits(window) & self._is_left[start:stop])
        return start + int(places[0]) if places.size else None

    def remaining(self) -> list[Node]:
        return [node for n, node in enumerate(self.nodes) if n not in self._dropped]

    def _measure(self) -> None:
        """Append the columns of the siblings added since the last call."""
        known = len(self._is_left)
        rows = [(*n.rect, n.weight, n.category == boxes.SECTIONING) for n in self.nodes[known:]]
        self._columns = np.hstack([self._columns, np.array(rows, dtype=float).T])
        flags = [n not in self._dropped for n in range(known, len(self.nodes))]
        self._is_left = np.append(self._is_left, flags)


def take(node: Node, other: Node, weight: Weight) -> None:
    """Merge `other` into a block: union of boxes, elements of both, smallest common category."""
    node.rect = boxes.bounding_rect(node.rect, other.rect)
    node.elements += other.elements
    node.category = boxes.smallest_common(node.category, other.category)
    node.weight = weight(node.rect)


def with_labels(
    outline: Outline, segmentation: Segmentation, _: object, options: BomOptions
) -> Segmentation:
    """Return the segmentation with a label for each block but the page, of the kind in the options."""
    if options.labels == "roles":
        return with_roles(outline, segmentation)
    blocks = segmentation.blocks
    return boxes.give_roles(segmentation, lambda n: place_label(blocks[n].rect, outline.size))


def place_label(rect: Rect, size: tuple[int, int]) -> str:
    """Return left, right, top, bottom, middle, or else standard (the project page, 2017, which has no rule).

    Top and bottom are thirds of the page, left and right its halves, as the places of algorithm 5. Another block is
    in the middle if its centre is in the middle third.
    """
    x, y, w, h = rect
    width, height = size
    places = {
        "top": y + h < height / 3,
        "bottom": y > 2 * height / 3,
        "left": x + w < width / 2,
        "right": x > width / 2,
        "middle": height / 3 <= y + h / 2 <= 2 * height / 3,
    }
    return next((name for name, applies in places.items() if applies), "standard")


SECTION, HEADER, ARTICLE, NAV, FOOTER, ASIDE = "section header article nav footer aside".split()

SHARE = 0.2
"""Minimum share of elements, or of links, of a block with many (code of the thesis)."""


def with_roles(outline: Outline, segmentation: Segmentation, *_: object) -> Segmentation:
    """Return the segmentation with roles by algorithm 5, as in the code of the thesis (docs/segmentation.md)."""
    return boxes.give_roles(segmentation, _Labels(outline, segmentation).role)


class _Labels:
    """Facts about all blocks of a page for algorithm 5, computed once."""

    def __init__(self, outline: Outline, segmentation: Segmentation) -> None:
        self.outline = outline
        self.blocks = segmentation.blocks
        self.elements, self.links = _counts(outline, self.blocks)
        self.children = Counter(block.parent for block in self.blocks)
        self.first = min((b.rect.y for b in self.blocks[1:]), default=0)
        self.last = max((b.rect.y + b.rect.h for b in self.blocks[1:]), default=0)

    def role(self, n: int) -> str:
        """Return the role by algorithm 5, line by line, without its test 0, by which nearly no block has a role."""
        block = self.blocks[n]
        is_last = block.rect.y + block.rect.h >= self.last
        if block.rect.y >= self.outline.page.viewport[1]:
            return FOOTER if is_last else ARTICLE
        large = self.elements[n] > SHARE * self.elements[0]
        composite = self.children[n] > 0
        if block.rect.y <= self.first:
            alone = self.children[block.parent] == 1
            return SECTION if large and (composite or alone) else HEADER
        if large:
            return SECTION if composite else ARTICLE
        if self.links[n] > SHARE * self.elements[n]:
            return NAV
        return self._by_place(block, is_last=is_last)

    def _by_place(self, block: Block, *, is_last: bool) -> str:
        x, y, w, h = block.rect
        width, height = self.outline.size
        at_side = x + w < width / 2 or x > width / 2
        at_bottom = y > 2 * height / 3
        if not (at_side or at_bottom or y + h < height / 3):
            return ARTICLE
        if is_last or at_bottom:
            return FOOTER
        return ASIDE if at_side else ARTICLE


def _counts(outline: Outline, blocks: tuple[Block, ...]) -> tuple[list[int], list[int]]:
    """Elements and links of each block; of a composite one those of the blocks in it as well.

    What runs a script when it is clicked counts as a link, as in the code.
    """
    are_links = (e.tag == "a" or "onclick" in e.attributes for e in outline.page.elements)
    before = [0, *accumulate(are_links)]
    held = [list(block.elements) for block in blocks]
    for n in range(len(blocks) - 1, 0, -1):
        held[blocks[n].parent] += held[n]
    held[0] = [BODY]
    spans = [[(e, outline.end[e]) for e in boxes.outermost(outline, elements)] for elements in held]
    elements = [sum(end - start for start, end in span) for span in spans]
    links = [sum(before[end] - before[start] for start, end in span) for span in spans]
    return elements, links
