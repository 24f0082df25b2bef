"""Roles of blocks by place, size, links, and what the page itself calls them.

What a page calls its parts are hints: elements of HTML5, `role` attributes, words of ids and classes.
"""

from __future__ import annotations

import re
from dataclasses import replace
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


NARROW = 0.35
"""The share of the width of all that is on the page below which a column is at the side."""

LOW = 0.33
"""The share of the page's height up to which a header or a footer is high."""

EDGE = 0.15
"""The share of the page's height within which a header begins, and a footer ends."""

LINKED = 0.6
"""The share of characters in links from which on a block is there to go elsewhere."""

WORDY = 80
"""Characters outside links that make an article."""


TEASER = 60
"""Characters of a block from which on its verdicts say what it is."""

HALF = 0.5
"""The share of content from which on a block inside another is an article."""


class BlockTraits(NamedTuple):
    """Properties of a block by which its role is told."""

    rect: Rect
    characters: int
    linked: int
    hint: str
    content: float | None

    @property
    def is_for_links(self) -> bool:
        """True if it is there for its links: LINKED of its characters are in links."""
        return self.linked >= LINKED * max(1, self.characters)


def named(
    outline: Outline, segmentation: Segmentation, content: Mapping[int, float] | None = None
) -> Segmentation:
    """The segmentation with a role for each block but the page.

    `content` is the share of each text that is content, by its number in `nodes`, where that is known.
    """
    look = _Look(outline, segmentation, content or {})
    blocks = tuple(
        block if block.parent < 0 else block._replace(role=look.role(block))
        for block in segmentation.blocks
    )
    return replace(segmentation, blocks=blocks)


class _Look:
    """Facts about a page, found once, by which the roles of its blocks are told."""

    def __init__(
        self, outline: Outline, segmentation: Segmentation, content: Mapping[int, float]
    ) -> None:
        self.outline = outline
        self._elements = outline.page.elements
        self.page = (
            union(block.rect for block in segmentation.blocks if block.parent >= 0) or outline.rect
        )
        self._characters, self._linked, self._judged, self._content = _before(outline, content)

    def role(self, block: Block) -> str:
        """Return a block's role: that of its one element by HTML5, else by place (level 1) or contents."""
        if len(block.elements) == 1 and (told := landmark(self._elements[block.elements[0]])):
            return told
        seen = self._seen(block)
        return self._outer(seen) if block.parent == 0 else self._inner(seen)

    def _outer(self, seen: BlockTraits) -> str:
        """Low at the bottom is a footer, low at the top a header; a column is nav or aside."""
        _, y, w, h = seen.rect
        page = self.page
        is_narrow = w <= NARROW * page.w
        is_low = h <= LOW * page.h
        at_end = y >= page.y + page.h / 2 and y + h >= page.y + (1 - EDGE) * page.h
        if at_end and not is_narrow and (is_low or seen.hint == FOOTER):
            return FOOTER
        if is_low and y <= page.y + EDGE * page.h and not is_narrow:
            is_menu = seen.hint == NAV or seen.linked == seen.characters > 0
            return NAV if is_menu and y > page.y else HEADER
        if is_narrow:
            return NAV if seen.is_for_links else ASIDE
        return SECTION

    def _inner(self, seen: BlockTraits) -> str:
        """Return an inner block's role by, in turn, names of an aside, verdicts, links, a top picture, words."""
        if seen.hint == ASIDE:
            return ASIDE
        if seen.content is not None and seen.characters >= TEASER and seen.content >= HALF:
            return ARTICLE  # a teaser is a link as a whole, and yet what the page is about
        if seen.is_for_links:
            return NAV
        if not seen.characters and seen.rect.y <= self.page.y + EDGE * self.page.h:
            return HEADER
        return ARTICLE if seen.characters - seen.linked >= WORDY else SECTION

    def _seen(self, block: Block) -> BlockTraits:
        spans = [(e, self.outline.end[e]) for e in outermost(self.outline, block.elements)]
        characters, linked, judged, good = (
            sum(before[end] - before[start] for start, end in spans)
            for before in (self._characters, self._linked, self._judged, self._content)
        )
        told = next(filter(None, (hint(self._elements[e]) for e in block.elements)), "")
        return BlockTraits(
            block.rect, round(characters), round(linked), told, good / judged if judged else None
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
