"""Traits of blocks by which their roles are told: place, size, links, verdicts, and what the page itself calls them.

What a page calls its parts are hints: elements of HTML5, `role` attributes, words of ids and classes.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from dbce.visual.segment.boxes import outermost, union

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.visual import Block, Element, Rect, Segmentation
    from dbce.visual.segment.boxes import Outline

ASIDE, ARTICLE, FOOTER, HEADER, NAV, SECTION = "aside article footer header nav section".split()

TAGS = {name: name for name in (ASIDE, ARTICLE, FOOTER, HEADER, NAV)} | {"main": SECTION}
"""Elements that say what they are; `section` says nothing."""

LANDMARKS = {
    "banner": HEADER,
    "navigation": NAV,
    "complementary": ASIDE,
    "contentinfo": FOOTER,
    "article": ARTICLE,
    "main": SECTION,
    "search": SECTION,
}
"""Values of `role` (WAI-ARIA landmarks)."""

WORDS = {
    **dict.fromkeys(("footer", "foot", "bottom", "copyright"), FOOTER),
    **dict.fromkeys(("header", "head", "masthead", "logo", "top"), HEADER),
    **dict.fromkeys(("nav", "navigation", "navbar", "menu", "links"), NAV),
    **dict.fromkeys(("sidebar", "aside", "side", "ad", "ads", "advert", "rail"), ASIDE),
    **dict.fromkeys(("article", "post", "story", "news"), ARTICLE),
    **dict.fromkeys(("content", "main", "search"), SECTION),
}
"""Words of ids and classes, as pages use them."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def landmark(element: Element) -> str:
    """The role that an element has by HTML5 or WAI-ARIA, "" if it has none."""
    named = LANDMARKS.get(element.attributes.get("role", "").strip().lower(), "")
    return named or TAGS.get(element.tag, "")


def hint(element: Element) -> str:
    """The role that an element's id or class names, "" if they name none; the id counts first.

    In a compound name the last word says what it is: `header-nav` is a nav.
    """
    attributes = element.attributes
    for name in (*attributes.get("id", "").split(), *attributes.get("class", "").split()):
        for word in reversed(_WORD.findall(name)):
            if role := WORDS.get(word.lower()):
                return role
    return ""


LINKED = 0.6
"""The share of characters in links from which on a block is there to go elsewhere."""


class BlockTraits(NamedTuple):
    """Properties of a block by which its role is told."""

    rect: Rect
    characters: int
    linked: int
    landmark: str
    hint: str
    content: float | None
    floating: bool

    @property
    def is_for_links(self) -> bool:
        """True if it is there for its links: LINKED of its characters are in links."""
        return self.linked >= LINKED * max(1, self.characters)

    @property
    def is_all_links(self) -> bool:
        """True if all of its characters are in links."""
        return self.linked == self.characters > 0


class PageTraits:
    """Facts about a page, found once, and the traits of its blocks. `page` is the rectangle round all blocks."""

    def __init__(
        self, outline: Outline, segmentation: Segmentation, content: Mapping[int, float]
    ) -> None:
        self.outline = outline
        self._elements = outline.page.elements
        self.page = (
            union(block.rect for block in segmentation.blocks if block.parent >= 0) or outline.rect
        )
        self._characters, self._linked, self._judged, self._content = _before(outline, content)

    def of(self, block: Block) -> BlockTraits:
        """Return the traits of a block."""
        spans = [(e, self.outline.end[e]) for e in outermost(self.outline, block.elements)]
        characters, linked, judged, good = (
            sum(before[end] - before[start] for start, end in spans)
            for before in (self._characters, self._linked, self._judged, self._content)
        )
        elements = [self._elements[e] for e in block.elements]
        return BlockTraits(
            block.rect,
            round(characters),
            round(linked),
            landmark=landmark(elements[0]) if len(elements) == 1 else "",
            hint=next(filter(None, map(hint, elements)), ""),
            content=good / judged if judged else None,
            floating=block.floating,
        )


def _before(outline: Outline, content: Mapping[int, float]) -> list[list[float]]:
    """Of all elements before each: characters, those in links, those with a verdict, those of content."""
    elements, texts = outline.page.elements, outline.page.texts
    in_link: list[bool] = []
    rows = []
    for n, element in enumerate(elements):
        in_link.append(element.tag == "a" or (element.parent >= 0 and in_link[element.parent]))
        own = [
            (len(" ".join(texts[text].text.split())), texts[text].node) for text in outline.texts[n]
        ]
        size = sum(length for length, _ in own)
        judged = sum(length for length, node in own if node in content)
        good = sum(length * content[node] for length, node in own if node in content)
        rows.append((size, size * in_link[n], judged, good))
    return [[0, *accumulate(column)] for column in zip(*rows, strict=True)]
