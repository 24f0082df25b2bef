"""Roles of the blocks of bands: those of level 1 all at once, inner ones by the contents of each.

They follow from traits: place, size, links, verdicts, and hints in the markup (elements of HTML5, `role` attributes,
words of ids and classes). A page has one main block, around which the others are, and at most one header and one
footer, but for additions to a header (a logo, a line above it) or a footer.
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
"""Roles of HTML5 elements; `section` has no meaning."""

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
"""Roles by common words of ids and classes."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def landmark(element: Element) -> str:
    """Return the role that an element has by HTML5 or WAI-ARIA, "" if it has none."""
    role = LANDMARKS.get(element.attributes.get("role", "").strip().lower(), "")
    return role or TAGS.get(element.tag, "")


def hint(element: Element) -> str:
    """Return the role named by an element's id or else its class, "" if neither names one.

    In a compound name the last word counts: `header-nav` is a nav.
    """
    attributes = element.attributes
    for name in (*attributes.get("id", "").split(), *attributes.get("class", "").split()):
        for word in reversed(_WORD.findall(name)):
            if role := WORDS.get(word.lower()):
                return role
    return ""


LINKED = 0.6  # minimum share of characters in links of a block for navigation


class BlockTraits(NamedTuple):
    """Properties of a block that determine its role."""

    rect: Rect
    characters: int
    linked: int
    landmark: str
    hint: str
    content: float | None
    floating: bool

    @property
    def is_for_links(self) -> bool:
        """True if it is for navigation: at least LINKED of its characters are in links."""
        return self.linked >= LINKED * max(1, self.characters)

    @property
    def is_all_links(self) -> bool:
        return self.linked == self.characters > 0


def _block_traits(outline: Outline, block: Block, totals: list[list[float]]) -> BlockTraits:
    spans = [(e, outline.end[e]) for e in outermost(outline, block.elements)]
    characters, linked, judged, good = (
        sum(sums[end] - sums[start] for start, end in spans) for sums in totals
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
        lengths = [(outline.characters[text], outline.page.texts[text].node) for text in texts]
        size = sum(length for length, _ in lengths)
        judged = sum(length for length, node in lengths if node in content)
        good = sum(length * content[node] for length, node in lengths if node in content)
        rows.append((size, size * is_linked, judged, good))
    return [[0, *accumulate(column)] for column in zip(*rows, strict=True)]


NARROW = 0.35
"""Maximum share of the width of the page's contents of a block at the side."""
LOW = 0.33  # maximum height of a header or a footer, as a share of the page's
EDGE = 0.15  # share of the page's height in which a header begins, or a footer ends
LOWER_HALF = 0.5  # minimum share of the page's height above a footer
STRIP = 60.0
"""Maximum height in pixels of a strip of links above the main block that is a menu, however short the page."""
LESSER = 0.55
"""Maximum share of the main block's width of an aside to it."""


def outer_roles(blocks: Sequence[BlockTraits], page: Rect) -> list[str]:
    places = [_Place(block, page) for block in blocks]
    header = min(_candidates(places, HEADER), key=_Place.header_order, default=None)
    footer = max(_candidates(places, FOOTER), key=_Place.footer_order, default=None)
    rest = [place for place in places if place is not header and place is not footer]
    main = max(rest, key=_Place.main_order, default=None)
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
    """Return the blocks with a role by their element, or else those that may have it by their place."""
    named = [place for place in places if place.block.landmark == role]
    return named or [place for place in places if not place.block.landmark and place.may_be(role)]


class _Place:
    """A block in its place on the page."""

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
        """Return the sort key of headers: those named so first, menus last, upper before lower ones."""
        _, y, w, h = self.block.rect
        return self.block.hint != HEADER, self.is_menu, y, -w * h

    def footer_order(self) -> tuple[bool, float, float]:
        """Return the sort key of footers, the best last: named so, lower, larger."""
        _, y, w, h = self.block.rect
        return self.block.hint == FOOTER, y + h, w * h

    def main_order(self) -> tuple[bool, float]:
        """Return the sort key of main blocks, the best last: not in the place of a header or footer, large, width squared."""
        _, _, w, h = self.block.rect
        is_apart = self.block.floating or self._is_head or self._is_foot
        return not is_apart, w * w * h

    def relative_role(self, main: _Place, header: _Place | None, footer: _Place | None) -> str:
        """Return the role of a block beside, above or below the main one, other than the header or footer itself."""
        if self._stands:
            role = self._role_below(main, footer) or self._role_above(main, header)
        else:
            is_logo = self._begins and not self.block.characters and not self.block.floating
            role = HEADER * is_logo
        return role or self._role_beside(main)

    def _role_below(self, main: _Place, footer: _Place | None) -> str:
        """Return footer for a block at the end of the page, or of links or named so above the footer; else ""."""
        _, y, _, h = self.block.rect
        if footer is None or y + h / 2 < main.block.rect.y + main.block.rect.h:
            return ""
        is_upper_part = self.block.is_for_links or self.block.hint == FOOTER
        return FOOTER * (self._is_last or (self._is_lower and is_upper_part))

    def _role_above(self, main: _Place, header: _Place | None) -> str:
        """Return header for a block above the header that is no menu, nav for a strip of links above the main one; else ""."""
        _, y, _, h = self.block.rect
        if header and y + h / 2 <= header.block.rect.y and not self.is_menu:
            return HEADER
        is_strip = h <= STRIP and y + h / 2 <= main.block.rect.y
        return NAV * (is_strip and self.block.is_for_links)

    def _role_beside(self, main: _Place) -> str:
        """Return a block's role by its place beside the main one.

        A block for navigation is a nav if it is left of the main block or has nothing but links; right of it, it is
        an aside, as are narrower blocks with less text.
        """
        x, y, w, h = self.block.rect
        main_rect = main.block.rect
        is_beside = main_rect.y <= y + h / 2 <= main_rect.y + main_rect.h
        is_at_side = is_beside or self.is_narrow
        is_left = is_beside and x < main_rect.x
        is_nav = self.block.hint == NAV or is_left or (is_at_side and self.block.is_all_links)
        if self.is_menu or (self.block.is_for_links and is_nav):
            return NAV
        is_lesser = w <= LESSER * main_rect.w if is_beside else self.is_narrow
        return ASIDE if is_lesser and self.block.characters <= main.block.characters else SECTION


WORDY = 80  # minimum characters outside links of an article
TEASER = 60  # minimum characters of a block for its verdicts to count
MOSTLY_CONTENT = 0.5  # minimum share of content of an inner block that is an article


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
        return ARTICLE  # a teaser is all link, and yet the topic of the page
    if block.is_for_links:
        return NAV
    if not block.characters and block.rect.y <= page.y + EDGE * page.h:
        return HEADER
    return ARTICLE if block.characters - block.linked >= WORDY else SECTION
