"""From elements to geometric objects to logical ones: what the published BoM starts from.

The lists are those of its code (1.1.1). Visual cues are those of version 1.1 (May 2014): a background, or larger text
than what comes next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.segment.boxes import PHRASING, Node, category

if TYPE_CHECKING:
    from collections.abc import Callable

    from dbce.visual import Rect
    from dbce.visual.segment.boxes import Outline

TABULAR = frozenset("table td".split())
CONTAINER = frozenset("body div ul dl p object iframe ins".split())
CONTENT = frozenset("span a li dt dd h1 h2 h3 h4 h5 img ins input p pre tt".split())
EXCLUDED = frozenset("script style area head meta frame frameset br hr noscript title".split())
"""Elements that are left out with all in them, as by the JavaScript (docs/segmentation.md)."""

IGNORED = frozenset("html tbody tr param link colgroup".split())
"""Elements that are passed through: their children stand for them."""

SEMANTIC = frozenset("section header footer aside nav article".split())

PAGE = 0
"""Place of body, the root of the elements that are collected; its block is the page."""


def logical_objects(
    outline: Outline, weight: Callable[[Rect], float], *, text_moving: bool, wrappers: bool
) -> Node:
    """The tree of blocks before any merge; children in document order.

    A geometric object is an element with a box that is neither excluded nor ignored. One with a single
    child stands for it; one that has a type, and lies on the page, is a block; the children of
    another go to the block above.
    """
    geometric = _Geometric(outline, text_moving=text_moving, wrappers=wrappers)
    page = Node(outline.rect, [PAGE], "flow", weight(outline.rect))
    waiting = [(child, page) for child in reversed(geometric.children(PAGE))]
    while waiting:
        element, above = waiting.pop()
        children = geometric.children(element)
        box = geometric.box(element)
        block = above
        if len(children) != 1 and box and _is_on_page(box) and geometric.has_type(element):
            block = Node(
                box, [geometric.element(element)], geometric.category(element), weight(box)
            )
            above.children.append(block)
        waiting += [(child, block) for child in reversed(children)]
    return page


class _Geometric:
    """The geometric objects of a page. A moved text is one too, its number is below 0."""

    def __init__(self, outline: Outline, *, text_moving: bool, wrappers: bool) -> None:
        self.outline = outline
        self.text_moving = text_moving
        self.wrappers = wrappers
        self.with_text = {text.parent for text in outline.page.texts}

    def children(self, place: int) -> list[int]:
        """The objects nearest below one, in document order, moved texts behind them."""
        if place < 0:
            return []
        objects = []
        waiting = list(reversed(self.outline.children[place]))
        while waiting:
            child = waiting.pop()
            tag = self.outline.page.elements[child].tag
            if tag in EXCLUDED or self.box(child) is None:
                continue
            if tag in IGNORED:
                waiting += reversed(self.outline.children[child])
            else:
                objects.append(child)
        if self.text_moving and self.outline.children[place]:
            objects += [-1 - text for text in self.outline.texts[place]]
        return objects

    def box(self, place: int) -> Rect | None:
        """Return the box of an object; None if it has no size."""
        if place < 0:
            return self.outline.places[-1 - place]
        box = self.outline.page.elements[place].rect
        if self.wrappers and (box is None or box.w * box.h <= 0):
            box = self.outline.boxes[place] or box
        return box if box and (box.w or box.h) else None

    def element(self, place: int) -> int:
        """The element that an object is made of, of a moved text the one that it was in."""
        return place if place >= 0 else self.outline.page.texts[-1 - place].parent

    def category(self, place: int) -> str:
        if place < 0:
            return PHRASING
        element = self.outline.page.elements[place]
        return category(element.tag, element.attributes)

    def has_type(self, place: int) -> bool:
        """Return whether an object is of one of the types that blocks are made of."""
        if place < 0:
            return True
        tag = self.outline.page.elements[place].tag
        if not self.outline.shown[place]:
            return False
        return tag in CONTENT or (
            tag in CONTAINER | TABULAR
            and (bool(self.outline.children[place]) or place in self.with_text)
        )


def _is_on_page(box: Rect) -> bool:
    return box.x >= 0 and box.y >= 0 and box.w > 0 and box.h > 0


TRANSPARENT = frozenset({"", "transparent", "rgba(0, 0, 0, 0)"})
"""Background colours that show nothing."""

SMALLER = 0.8
"""The share of its font size that the next sibling's is below."""


def has_cues(outline: Outline, node: Node) -> bool:
    """Return whether one of a block's elements stands out."""
    return any(_stands_out(outline, element) for element in node.elements)


def _stands_out(outline: Outline, place: int) -> bool:
    page = outline.page
    element = page.elements[place]
    style = page.styles[element.style]
    if style.background_color not in TRANSPARENT:
        return True
    following = outline.end[place]
    if following == len(page.elements) or page.elements[following].parent != element.parent:
        return False
    return page.styles[page.elements[following].style].font_size < SMALLER * style.font_size
