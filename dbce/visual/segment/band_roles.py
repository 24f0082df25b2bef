"""Roles of the blocks of bands: of those of level 1 all at once, of those in them by what is in each.

They follow from traits: place, size, links, verdicts, and what a page calls its parts (elements of HTML5, `role`
attributes, words of ids and classes), which are hints. A page has one main block, which the others stand about, and
one header and one footer at most, but for what stands by a header (a logo, a line above it) or by a footer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from dbce.visual import Block, Element, Rect, Segmentation, union
from dbce.visual.segment.boxes import Outline, give_roles, outermost

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
    """Return the role that an element has by HTML5 or WAI-ARIA, "" if it has none."""
    named = LANDMARKS.get(element.attributes.get("role", "").strip().lower(), "")
    return named or TAGS.get(element.tag, "")


def hint(element: Element) -> str:
    """Return the role that an element's id or class names, "" if they name none; the id counts first.

    In a compound name the last word says what it is: `header-nav` is a nav.
    """
    attributes = element.attributes
    for name in (*attributes.get("id", "").split(), *attributes.get("class", "").split()):
        for word in reversed(_WORD.findall(name)):
            if role := WORDS.get(word.lower()):
                return role
    return ""


LINKED = 0.6  # the share of characters in links from which on a block is there to go elsewhere


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
        return self.linked == self.characters > 0


def _block_traits(outline: Outline, block: Block, totals: list[list[float]]) -> BlockTraits:
    spans = [(e, outline.end[e]) for e in outermost(outline, block.elements)]
    characters, linked, judged, good = (
        sum(before[end] - before[start] for start, end in spans) for before in totals
    )
    elements = [outline.page.elements[e] for e in block.elements]
    return BlockTraits(
        block.rect,
        round(characters),
        round(linked),
        landmark=landmark(elements[0]) if len(elements) == 1 else "",
        hint=next(filter(None, map(hint, elements)), ""),
        content=good / judged if judged else None,
        floating=block.floating,
    )


def _totals_before(outline: Outline, content: Mapping[int, float]) -> list[list[float]]:
    """Return sums over all elements before each: characters, those in links, those with a verdict, those of content."""
    rows = []
    for texts, is_linked in zip(outline.texts, outline.in_link, strict=True):
        own = [(outline.characters[text], outline.page.texts[text].node) for text in texts]
        size = sum(length for length, _ in own)
        judged = sum(length for length, node in own if node in content)
        good = sum(length * content[node] for length, node in own if node in content)
        rows.append((size, size * is_linked, judged, good))
    return [[0, *accumulate(column)] for column in zip(*rows, strict=True)]


NARROW = 0.35
"""The share of the width of all that is on the page below which a block is at the side."""
LOW = 0.33  # the share of the page's height up to which a header or a footer is high
EDGE = 0.15  # the share of the page's height within which a header begins, and a footer ends
LOWER_HALF = 0.5  # the share of the page's height below which a footer begins
STRIP = 60.0
"""Pixels that a strip of links above the main block is high at most, to be a menu however short the page is."""
LESSER = 0.55
"""The share of the main block's width up to which what stands beside it is an aside to it."""


def outer_roles(blocks: Sequence[BlockTraits], page: Rect) -> list[str]:
    places = [_Place(block, page) for block in blocks]
    header = min(_candidates(places, HEADER), key=_Place.header_order, default=None)
    footer = max(_candidates(places, FOOTER), key=_Place.footer_order, default=None)
    named = [place for place in places if place is not header and place is not footer]
    main = max(named, key=_Place.main_order, default=None)
    roles = []
    for place in places:
        if place is header or place is footer:
            roles.append(HEADER if place is header else FOOTER)
        elif place.block.landmark and place.block.landmark not in {HEADER, FOOTER}:
            roles.append(place.block.landmark)
        elif main is None or place is main:
            roles.append(SECTION)
        else:
            roles.append(place.relative_role(main, header, footer))
    return roles


def _candidates(places: Sequence[_Place], role: str) -> Sequence[_Place]:
    """Return the blocks that have a role by their element, or else those that may have it by their place."""
    told = [place for place in places if place.block.landmark == role]
    return told or [place for place in places if not place.block.landmark and place.may_be(role)]


class _Place:
    """A block and where it is on its page."""

    def __init__(self, block: BlockTraits, page: Rect) -> None:
        _, y, w, h = block.rect
        self.block = block
        self.is_narrow = w <= NARROW * page.w
        is_low = h <= LOW * page.h
        self._begins = is_low and y <= page.y + EDGE * page.h
        self._is_lower = y >= page.y + LOWER_HALF * page.h
        self._is_last = y >= page.y + (1 - EDGE) * page.h
        ends = self._is_lower and y + h >= page.y + (1 - EDGE) * page.h
        self._stands = not self.is_narrow and not block.floating
        self.is_menu = self._begins and self._stands and (block.hint == NAV or block.is_all_links)
        self._is_head = self._begins and (self._stands or block.hint == HEADER)
        self._is_late_menu = self.is_menu and y > page.y
        self._is_foot = ends and self._stands and (is_low or block.hint == FOOTER)

    def may_be(self, role: str) -> bool:
        """Return whether the place is one of a header, or of a footer."""
        return self._is_head and not self._is_late_menu if role == HEADER else self._is_foot

    def header_order(self) -> tuple[bool, bool, float, float]:
        """Order of headers: those called so first, menus last, the higher before the lower."""
        _, y, w, h = self.block.rect
        return self.block.hint != HEADER, self.is_menu, y, -w * h

    def footer_order(self) -> tuple[bool, float, float]:
        """Order of footers: those called so last, the lower after the higher, the larger after the smaller."""
        _, y, w, h = self.block.rect
        return self.block.hint == FOOTER, y + h, w * h

    def main_order(self) -> tuple[bool, float]:
        """Order of main blocks: the largest last, breadth counting twice; those where a header or footer is come first."""
        _, _, w, h = self.block.rect
        is_apart = self.block.floating or self._is_head or self._is_foot
        return not is_apart, w * w * h

    def relative_role(self, main: _Place, header: _Place | None, footer: _Place | None) -> str:
        """Return the role of a block beside, above or below the main one, that is not the header or the footer itself."""
        if self._stands:
            role = self._role_below(main, footer) or self._role_above(main, header)
        else:
            is_logo = self._begins and not self.block.characters and not self.block.floating
            role = HEADER * is_logo
        return role or self._role_beside(main)

    def _role_below(self, main: _Place, footer: _Place | None) -> str:
        """Footer, if a block is at the end of the page, or lists links or is called so above the footer; else ""."""
        _, y, _, h = self.block.rect
        if footer is None or y + h / 2 < main.block.rect.y + main.block.rect.h:
            return ""
        is_upper_part = self.block.is_for_links or self.block.hint == FOOTER
        return FOOTER * (self._is_last or (self._is_lower and is_upper_part))

    def _role_above(self, main: _Place, header: _Place | None) -> str:
        """Header, if a block that is no menu is above the header, nav, if it is a strip of links above the main one; else ""."""
        _, y, _, h = self.block.rect
        if header and y + h / 2 <= header.block.rect.y and not self.is_menu:
            return HEADER
        is_strip = h <= STRIP and y + h / 2 <= main.block.rect.y
        return NAV * (is_strip and self.block.is_for_links)

    def _role_beside(self, main: _Place) -> str:
        """Return a block's role by its place beside the main one.

        What is there for its links is a nav if it comes before the main block or holds nothing but links; behind
        it, it is an aside, as is what is narrower and says less.
        """
        x, y, w, h = self.block.rect
        around = main.block.rect
        is_beside = around.y <= y + h / 2 <= around.y + around.h
        is_at_side = is_beside or self.is_narrow
        before = is_beside and x < around.x
        is_nav = self.block.hint == NAV or before or (is_at_side and self.block.is_all_links)
        if self.is_menu or (self.block.is_for_links and is_nav):
            return NAV
        is_lesser = w <= LESSER * around.w if is_beside else self.is_narrow
        return ASIDE if is_lesser and self.block.characters <= main.block.characters else SECTION


WORDY = 80  # characters outside links that make an article
TEASER = 60  # characters of a block from which on its verdicts say what it is
MOSTLY_CONTENT = 0.5  # the share of content from which on a block inside another is an article


def with_band_roles(
    outline: Outline,
    segmentation: Segmentation,
    content: Mapping[int, float] | None = None,
    *_: object,
) -> Segmentation:
    """Return the segmentation with a role for each block but the page; `content` as in `segment`."""
    blocks = segmentation.blocks
    totals = _totals_before(outline, content or {})
    traits = [_block_traits(outline, block, totals) for block in blocks]
    page = union(block.rect for block in blocks if block.parent >= 0) or outline.rect
    outer = [n for n, block in enumerate(blocks) if block.parent == 0]
    roles = dict(zip(outer, outer_roles([traits[n] for n in outer], page), strict=True))
    return give_roles(segmentation, lambda n: roles.get(n) or _inner(traits[n], page))


def _inner(block: BlockTraits, page: Rect) -> str:
    """Return an inner block's role by, in turn, its element, names of an aside, verdicts, links, a top picture, words."""
    if block.landmark or block.hint == ASIDE:
        return block.landmark or ASIDE
    if block.content is not None and block.characters >= TEASER and block.content >= MOSTLY_CONTENT:
        return ARTICLE  # a teaser is a link as a whole, and yet what the page is about
    if block.is_for_links:
        return NAV
    if not block.characters and block.rect.y <= page.y + EDGE * page.h:
        return HEADER
    return ARTICLE if block.characters - block.linked >= WORDY else SECTION
