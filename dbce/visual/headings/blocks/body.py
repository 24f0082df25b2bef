"""The content body of a page: what headings are looked for in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.model import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.visual import RenderedPage

TBODY = re.compile(r"/tbody(?:\[\d+\])?(?=/|$)")

HALF = 0.5
"""The share of a text that is content from which on the text is."""


def body_of(page: RenderedPage, wanted: str, content: Mapping[int, float]) -> int:
    """The content body, a place in `page.elements`.

    `wanted` is "verdicts": the smallest element that holds all texts that are content; "body"; or the XPath
    of an element. `content` gives the share of each text node that is content, by its number.

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
    """The last element in document order that holds all content; the whole page if nothing is.

    Were a tenth of it left out, titles that stand above the column of text would be: see docs/headings.md.
    """
    held = [0] * len(page.elements)
    for text in page.texts:
        held[text.parent] += content.get(text.node, 0.0) >= HALF
    for place in range(len(held) - 1, 0, -1):
        held[page.elements[place].parent] += held[place]
    return max((n for n, count in enumerate(held) if count and count == held[0]), default=0)
