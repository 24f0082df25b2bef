"""Visual cues of BoM 1.1 (May 2014): a background, or larger text than what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbce.visual.segment.boxes import Node, Outline

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
