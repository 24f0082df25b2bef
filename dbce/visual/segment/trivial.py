"""Segmentations that ask nothing of a page: who does not beat them has shown nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.visual.segment.boxes import FLOW, Node, area, by_place, category

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dbce.visual.segment.boxes import Outline

BODY = 0
"""Place of body, the root of the elements that are collected."""

HTML5 = frozenset("header nav main article aside section footer".split())
"""Elements that say what they hold."""


@dataclass(frozen=True, slots=True)
class NoOptions:
    """There is nothing to choose."""


def whole_page(outline: Outline, _options: NoOptions) -> Node:
    """One block."""
    return Node(outline.rect, [BODY], FLOW, area(outline.rect, outline.size))


def children_of_body(outline: Outline, options: NoOptions) -> Node:
    """A block for each child of body that can be seen; one in all if there is none."""
    return _with_children(outline, options, outline.visible_children(BODY))


def first_branching(outline: Outline, options: NoOptions) -> Node:
    """A block for each visible child of the first element from body down that has more than one."""
    place = BODY
    while len(children := outline.visible_children(place)) == 1:
        (place,) = children
    return _with_children(outline, options, children)


def html5_elements(outline: Outline, options: NoOptions) -> Node:
    """A block for each HTML5 element that has a role, inside that of the nearest one above it."""
    page = whole_page(outline, options)
    above: dict[int, Node] = {}  # of each element: the block that it lies in
    for n, element in enumerate(outline.page.elements):
        node = above[element.parent] if element.parent >= 0 else page
        if element.tag in HTML5 and n != BODY and outline.boxes[n]:
            node.children += _blocks(outline, [n])
            node = node.children[-1]
        above[n] = node
    nodes = [page]
    for node in nodes:
        node.children.sort(key=by_place)
        nodes += node.children
    return page


def _with_children(outline: Outline, options: NoOptions, elements: list[int]) -> Node:
    page = whole_page(outline, options)
    page.children = sorted(_blocks(outline, elements), key=by_place)
    return page


def _blocks(outline: Outline, elements: Iterable[int]) -> list[Node]:
    blocks = []
    for n in elements:
        element, box = outline.page.elements[n], outline.boxes[n]
        if box:
            kind = category(element.tag, element.attributes)
            blocks.append(Node(box, [n], kind, area(box, outline.size)))
    return blocks
