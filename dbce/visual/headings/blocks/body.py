"""The content body of a page: what headings are looked for in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.visual import RenderedPage

TBODY = re.compile(r"/tbody(?:\[\d+\])?(?=/|$)")

NEARLY_ALL = 0.9
"""The share of the characters of content that the body holds: a stray line of content elsewhere, such as a
notice below the page, must not make it the whole page."""


def body_of(page: RenderedPage, wanted: str, content: Mapping[int, float]) -> int:
    """The content body, a place in `page.elements`.

    `wanted` is "verdicts": the smallest element that holds nearly all content, whose share of each text
    node `content` gives by its number; "body"; or the XPath of an element.

    Raises:
        UsageError: the page has no element at this path.
    """
    if wanted == "body":
        return 0
    return _of_content(page, content) if wanted == "verdicts" else element_at(page, wanted)


def element_at(page: RenderedPage, xpath: str) -> int:
    """The element at a path, with or without the number 1 where it is the only one of its name.

    Raises:
        UsageError: the page has none.
    """
    for form in (same_path, path_without_tbody):
        path = form(xpath)
        for place, element in enumerate(page.elements):
            if form(element.xpath) == path:
                return place
    raise UsageError(f"the page has no element {xpath}")


def same_path(xpath: str) -> str:
    """A path without the number 1, which some write and others leave out."""
    return xpath.replace("[1]", "")


def path_without_tbody(xpath: str) -> str:
    """A path without tbody, which browsers put into every table, and other parsers do not."""
    return same_path(TBODY.sub("", xpath))


def _of_content(page: RenderedPage, content: Mapping[int, float]) -> int:
    """The last element in document order that holds enough; the whole page if nothing is content."""
    held = [0.0] * len(page.elements)
    for text in page.texts:
        held[text.parent] += len(" ".join(text.text.split())) * content.get(text.node, 0.0)
    for place in range(len(held) - 1, 0, -1):
        held[page.elements[place].parent] += held[place]
    enough = NEARLY_ALL * held[0] if held else 0.0
    return max((n for n, count in enumerate(held) if count and count >= enough), default=0)
