"""A rendered page made ready to be cut: who holds whom, what is seen of it, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual import Rect
from dbce.visual.segment.boxes.geometry import overlap, union

if TYPE_CHECKING:
    from dbce.visual import RenderedPage

NEVER_SEEN = frozenset("head link meta noframes param script style template title".split())
"""Elements that hold nothing to see, whatever box they have."""


class Outline:
    """Facts about a page that all algorithms ask for, found once, in time linear in its elements and texts.

    All lists but `places` have one entry for each element of the page: `children` its child elements,
    `texts` its own texts that are seen, `end` the place behind its last descendant, `shown` whether it
    can be seen itself, `boxes` where it is: its border box, if that has no area the union of what is
    seen in it (wrappers of floats, `display: contents`), None if that is nothing. `places` says where
    each text is, None where it is not seen. What lies off the page, as links for screen readers do, is
    not seen, and boxes end where the page ends.
    """

    def __init__(self, page: RenderedPage) -> None:
        self.page = page
        self.size = (max(page.size[0], 1), max(page.size[1], 1))
        self.rect = Rect(0, 0, *self.size)
        count = len(page.elements)
        self.children: list[list[int]] = [[] for _ in range(count)]
        self.texts: list[list[int]] = [[] for _ in range(count)]
        self.end = [n + 1 for n in range(count)]
        self.shown = [self._is_shown(n) for n in range(count)]
        self.boxes: list[Rect | None] = [None] * count
        self.places = [self._place(n) for n in range(len(page.texts))]
        self._connect()
        self._fill_boxes()

    def visible_children(self, element: int) -> list[int]:
        """The child elements that have a box."""
        return [n for n in self.children[element] if self.boxes[n]]

    def _is_shown(self, place: int) -> bool:
        element = self.page.elements[place]
        style = self.page.styles[element.style]
        return (
            element.rect is not None
            and style.visibility == "visible"
            and style.display != "none"
            and element.tag not in NEVER_SEEN
        )

    def _place(self, place: int) -> Rect | None:
        text = self.page.texts[place]
        seen = self.page.elements[text.parent]
        style = self.page.styles[seen.style]
        if style.visibility != "visible" or seen.tag in NEVER_SEEN or not text.text.strip():
            return None
        rect = union(text.rects)
        return overlap(rect, self.rect) if rect else None

    def _connect(self) -> None:
        elements = self.page.elements
        for n, element in enumerate(elements):
            if element.parent >= 0:
                self.children[element.parent].append(n)
        for n in range(len(elements) - 1, 0, -1):
            parent = elements[n].parent
            self.end[parent] = max(self.end[parent], self.end[n])
        for n, text in enumerate(self.page.texts):
            if self.places[n]:
                self.texts[text.parent].append(n)

    def _fill_boxes(self) -> None:
        """From the last element to the first, so that children are known before parents."""
        held: list[list[Rect]] = [[] for _ in self.boxes]
        for n in range(len(self.boxes) - 1, -1, -1):
            element = self.page.elements[n]
            own = element.rect
            if self.shown[n] and own and own.w * own.h > 0:
                box = overlap(own, self.rect)
            else:
                texts = (place for text in self.texts[n] if (place := self.places[text]))
                box = union([*held[n], *texts])
            self.boxes[n] = box
            if box and element.parent >= 0:
                held[element.parent].append(box)
