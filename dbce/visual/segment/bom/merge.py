"""Merging of simple blocks below a composite one (Sanoja 2015, 2.5, algorithm 3)."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from dbce.visual.segment.bom.row import Row, take
from dbce.visual.segment.boxes import (
    SECTIONING,
    aligned,
    corner_distances,
    gaps,
    inside,
    outside,
    smallest_common,
)

if TYPE_CHECKING:
    from dbce.visual.segment.bom.options import PaperOptions
    from dbce.visual.segment.bom.row import Weight, Window
    from dbce.visual.segment.boxes import Flags, Node


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


def _fits(node: Node, options: PaperOptions, window: Window) -> Flags:
    """Flag of each sibling: True if it merges with a block that is below pA itself (rules 1 to 5)."""
    boxes = window.boxes
    distances = (gaps if options.gap == "gap" else corner_distances)(boxes, node.rect)
    lined = aligned(boxes, node.rect, options.distance, options.aligned)
    sections = window.sectioning | (node.category == SECTIONING)
    covers = inside(boxes, node.rect)
    if options.cover == "either":
        covers |= outside(boxes, node.rect)
    fits: Flags = np.where(lined, (distances < options.distance) & ~sections, covers)
    if options.small == "both":
        fits &= window.weights < options.granularity
    return fits
