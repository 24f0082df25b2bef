"""BoM as the thesis defines it (Sanoja 2015, chapter 2): from small blocks up, then merged.

Algorithm 1 (2.3) finds the smallest coherent blocks, algorithm 2 (2.4) cuts the page into composite ones, algorithm 3
(2.5) merges simple blocks below a composite one.
"""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from dbce.visual.segment.bom.row import Row, take
from dbce.visual.segment.boxes import (
    PHRASING,
    SECTIONING,
    WEIGHTS,
    Node,
    aligned,
    around,
    can_be_block,
    category,
    composite,
    corner_distances,
    gaps,
    inside,
    outside,
    smallest_common,
)

if TYPE_CHECKING:
    from dbce.visual import Rect
    from dbce.visual.segment.bom.options import PaperOptions
    from dbce.visual.segment.bom.row import SiblingWindow, Weight
    from dbce.visual.segment.boxes import Flags, Outline, Weigh


def paper(outline: Outline, options: PaperOptions) -> Node:
    """The blocks of a page: composite ones and below them simple ones, which hold its elements."""

    def weight(rect: Rect) -> float:
        return WEIGHTS[options.weight](rect, outline.size)

    def goes_on(rect: Rect) -> bool:
        page = outline.rect
        if rect == page:
            return options.cuts == "below" or weight(rect) > options.granularity
        spans = ((rect.w >= page.w), (rect.h >= page.h))
        limits = any(spans) if options.spans == "one" else all(spans)
        above = weight(rect) > options.granularity
        return limits and above == (options.cuts == "above")

    simple = fine_grained(outline, WEIGHTS[options.weight], drop_at_body=options.drop_at_body)
    page = composite(outline.rect, simple, goes_on)
    merge(page, weight, options)
    if not simple:
        page.elements = [0]
    return page


PARTING = frozenset({"br", "hr"})
"""Elements without child elements that part others and hold nothing."""

FOREIGN = frozenset({"math", "svg"})
"""Elements whose contents are a part of them: the names in these are not those of HTML."""

BODY = 0
"""Place of body, the root of the elements that are collected."""


def fine_grained(outline: Outline, weigh: Weigh, *, drop_at_body: bool) -> list[Node]:
    """One block for each element that a leaf climbs to, in document order; texts of body come last.

    From each leaf the climb goes up to the first element that meets condition C. A climb that comes to
    body ends at the last element below it, or the leaf is lost (`drop_at_body`, to the letter). A text
    that is itself in body is a block, whose element is body.
    """
    hosts = _hosts(outline)
    climbed: dict[int, Rect] = {}
    loose: list[Node] = []
    for leaf, place in _leaves(outline):
        host = hosts[leaf]
        if drop_at_body and (host == BODY or not _is_block(outline, host)):
            continue
        if host == BODY:
            loose.append(Node(place, [BODY], PHRASING, weigh(place, outline.size)))
        else:
            climbed[host] = around(climbed[host], place) if host in climbed else place
    holds = _holding(outline, climbed)
    blocks = []
    for host, leaves in sorted(climbed.items()):
        # An element's own box would lie over the blocks inside it.
        own = outline.boxes[host]
        box = leaves if holds[host] or own is None else own
        element = outline.page.elements[host]
        kind = category(element.tag, element.attributes)
        blocks.append(Node(box, [host], kind, weigh(box, outline.size)))
    return blocks + loose


def _leaves(outline: Outline) -> list[tuple[int, Rect]]:
    """Return (element, box) of elements without child elements, and of texts with element siblings."""
    elements = outline.page.elements
    leaves = []
    hidden_until = 0  # behind the last descendant of what is foreign
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


def _hosts(outline: Outline) -> list[int]:
    """Return where the climb from each element ends: at itself, an ancestor, or the last one below body."""
    hosts: list[int] = []
    for n, element in enumerate(outline.page.elements):
        if element.parent <= BODY or _is_block(outline, n):
            hosts.append(n)
        else:
            hosts.append(hosts[element.parent])
    return hosts


def _is_block(outline: Outline, element: int) -> bool:
    return can_be_block(outline.page.elements[element].tag)


def _holding(outline: Outline, blocks: dict[int, Rect]) -> list[bool]:
    """Flag of each element: True if there are blocks inside it."""
    elements = outline.page.elements
    holds = [False] * len(elements)
    for n in range(len(elements) - 1, BODY, -1):
        if n in blocks or holds[n]:
            holds[elements[n].parent] = True
    return holds


def merge(page: Node, weight: Weight, options: PaperOptions) -> None:
    """Simplify every composite block whose children are simple, the deepest first, in place."""
    order = [page]
    for node in order:
        order += [child for child in node.children if child.children]
    for node in reversed(order):
        node.weight = weight(node.rect)
        if not any(child.children for child in node.children):
            _simplify(node, weight, options)
        elif options.mixed:
            _merge_simple(node, weight, options)


def _simplify(node: Node, weight: Weight, options: PaperOptions) -> None:
    if node.weight <= options.granularity:
        _drop_children(node)
        return
    children, merged = merge_siblings(node.children, weight, options)
    node.children = children
    small = sum(
        child.weight < options.granularity and not (options.small_unmerged and child in merged)
        for child in children
    )
    if len(children) == 1 or small > options.small_share * len(children):
        _drop_children(node)


def _merge_simple(node: Node, weight: Weight, options: PaperOptions) -> None:
    """Merge the simple children that stand beside each other between composite ones."""
    children: list[Node] = []
    for is_composite, group in groupby(node.children, key=lambda child: bool(child.children)):
        together = list(group)
        children += together if is_composite else merge_siblings(together, weight, options)[0]
    node.children = children


def _drop_children(node: Node) -> None:
    """The block becomes a simple one, of all that its children were made of."""
    for n, child in enumerate(node.children):
        node.category = smallest_common(node.category, child.category) if n else child.category
    node.elements = [element for child in node.children for element in child.elements]
    node.children = []


def merge_siblings(
    siblings: list[Node], weight: Weight, options: PaperOptions
) -> tuple[list[Node], set[Node]]:
    """Siblings after all merges that the rules allow, in order, and which of them took another."""
    merged: set[Node] = set()
    count = -1
    while count != len(siblings):
        count = len(siblings)
        siblings = _merge_once(siblings, weight, options, merged)
    return siblings, merged


def _merge_once(
    siblings: list[Node], weight: Weight, options: PaperOptions, merged: set[Node]
) -> list[Node]:
    """One round: each small block in reading order takes what it may of the siblings behind it."""
    row = Row(siblings)
    for n, node in enumerate(siblings):
        start = n + 1
        fits = partial(_fits, node, options)
        while row.is_left(n) and node.weight < options.granularity:
            other = row.first(start, fits)
            if other is None:
                break
            take(node, siblings[other], weight)
            merged.add(node)
            row.drop(other)
            start = other + 1
    return row.remaining()


def _fits(node: Node, options: PaperOptions, window: SiblingWindow) -> Flags:
    """Flag of each sibling: True if it merges with a block that is below pA itself (rules 1 to 5)."""
    boxes = window.boxes
    distances = (gaps if options.gap == "gap" else corner_distances)(boxes, node.rect)
    # Rules 3 and 4 exclude each other, so not all five can hold: aligned blocks must be near, others covered.
    lined = aligned(boxes, node.rect, options.distance, options.aligned)
    sections = window.sectioning | (node.category == SECTIONING)
    covers = inside(boxes, node.rect)
    if options.cover == "either":
        covers |= outside(boxes, node.rect)
    fits: Flags = np.where(lined, (distances < options.distance) & ~sections, covers)
    if options.small == "both":
        fits &= window.weights < options.granularity
    return fits
