"""A rendered page made ready to be cut: what its elements are, who holds whom, what is seen of it, and where.

The sets of HTML5 content categories are those of Sanoja 2015, table A.1 (appendix A and 2.3); elements that it lacks
are placed as `docs/segmentation.md` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual import Rect
from dbce.visual.segment.boxes.geometry import overlap, union

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.visual import RenderedPage

FLOW = "flow"
SECTIONING = "sectioning"
HEADING = "heading"
PHRASING = "phrasing"
EMBEDDED = "embedded"
INTERACTIVE = "interactive"
FORM = "form-associated"

_SECTIONING = frozenset("article aside nav section".split())
_HEADING = frozenset("h1 h2 h3 h4 h5 h6".split())
_EMBEDDED = frozenset("applet audio canvas embed iframe img math object picture svg video".split())
_INTERACTIVE = frozenset(
    "a button embed iframe isindex keygen label optgroup option select textarea".split()
)
_FORM = frozenset(
    "button fieldset input isindex keygen label object output select textarea img".split()
)
# Below "wbr": names of HTML 4 and older, and those that HTML got after 2014.
_PHRASING = _EMBEDDED | frozenset(
    "a abbr area audio b bdi bdo br button canvas cite code data datalist del dfn em embed i iframe "
    "img input ins kbd keygen label map mark math meter noscript object output progress q ruby s samp "
    "script select slot small span strong style sub sup svg template textarea time u var video wbr "
    "acronym big blink font isindex nobr optgroup option rb rp rt rtc source strike track tt".split()
)
_WHEN_GIVEN = {
    "audio": "controls",
    "video": "controls",
    "img": "usemap",
    "object": "usemap",
}
"""Elements that are interactive if they have an attribute."""


def is_interactive(tag: str, attributes: Mapping[str, str]) -> bool:
    """Return whether an element is interactive content; some are under a condition."""
    if tag == "input":
        return attributes.get("type", "").lower() != "hidden"
    return tag in _INTERACTIVE or _WHEN_GIVEN.get(tag) in attributes


def can_be_block(tag: str) -> bool:
    """Condition C: none of text, phrasing, embedded, interactive, form-associated (2.3)."""
    return tag not in _PHRASING and tag not in _FORM


def category(tag: str, attributes: Mapping[str, str]) -> str:
    """The category that a block of this element alone has: the smallest that says most of it."""
    if tag in _SECTIONING:
        return SECTIONING
    if tag in _HEADING:
        return HEADING
    if tag in _EMBEDDED:
        return EMBEDDED
    if is_interactive(tag, attributes):
        return INTERACTIVE
    return PHRASING if tag in _PHRASING else FLOW


def smallest_common(first: str, second: str) -> str:
    """The smallest category that holds both (2.3, fig. 2.4)."""
    if first == second:
        return first
    return PHRASING if {first, second} <= {PHRASING, EMBEDDED, INTERACTIVE} else FLOW


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

    def has_area(self, element: int) -> bool:
        """Return whether an element's own box has an area: those of wrappers of floats have none."""
        rect = self.page.elements[element].rect
        return rect is not None and rect.w * rect.h > 0

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
            if self.shown[n] and own and self.has_area(n):
                box = overlap(own, self.rect)
            else:
                texts = (place for text in self.texts[n] if (place := self.places[text]))
                box = union([*held[n], *texts])
            self.boxes[n] = box
            if box and element.parent >= 0:
                held[element.parent].append(box)
