"""Roles of the blocks of level 1, of all of a page at once.

A page has one main block, which the others stand about, and one header and one footer at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.segment.bands.traits import ASIDE, FOOTER, HEADER, NAV, SECTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.visual import Rect
    from dbce.visual.segment.bands.traits import BlockTraits

NARROW = 0.35
"""The share of the width of all that is on the page below which a block is at the side."""

LOW = 0.33
"""The share of the page's height up to which a header or a footer is high."""

EDGE = 0.15
"""The share of the page's height within which a header begins, and a footer ends."""

HALF = 0.5
"""The share of the page's height below which a footer begins."""

LESSER = 0.55
"""The share of the main block's width up to which what stands beside it is an aside to it."""


def outer_roles(blocks: Sequence[BlockTraits], page: Rect) -> list[str]:
    """The role of each block of level 1; `page` is the rectangle round all."""
    places = [_Place(block, page) for block in blocks]
    header = min(_marked(places, HEADER), key=_Place.header_order, default=None)
    footer = max(_marked(places, FOOTER), key=_Place.footer_order, default=None)
    named = [place for place in places if place is not header and place is not footer]
    main = max(named, key=_Place.main_order, default=None)
    roles = []
    for place in places:
        if place is header or place is footer:
            roles.append(HEADER if place is header else FOOTER)
        elif place.block.landmark and place.block.landmark not in {HEADER, FOOTER}:
            roles.append(place.block.landmark)
        else:
            roles.append(place.about(main) if main and place is not main else SECTION)
    return roles


def _marked(places: Sequence[_Place], role: str) -> Sequence[_Place]:
    """The blocks that have a role by their element, or else those that may have it by their place."""
    told = [place for place in places if place.block.landmark == role]
    return told or [place for place in places if not place.block.landmark and place.may_be(role)]


class _Place:
    """A block and where it is on its page."""

    def __init__(self, block: BlockTraits, page: Rect) -> None:
        _, y, w, h = block.rect
        self.block = block
        self.is_narrow = w <= NARROW * page.w
        is_low = h <= LOW * page.h
        begins = is_low and y <= page.y + EDGE * page.h
        ends = y >= page.y + HALF * page.h and y + h >= page.y + (1 - EDGE) * page.h
        stands = not self.is_narrow and not block.floating
        self.is_menu = begins and stands and (block.hint == NAV or block.is_all_links)
        self._is_head = begins and (stands or block.hint == HEADER)
        self._is_late_menu = self.is_menu and y > page.y
        self._is_foot = ends and stands and (is_low or block.hint == FOOTER)

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
        """The main block is the largest, breadth counting twice, of those that stand where no header or footer does."""
        _, _, w, h = self.block.rect
        is_apart = self.block.floating or self._is_head or self._is_foot
        return not is_apart, w * w * h

    def about(self, main: _Place) -> str:
        """Return the role of a block beside, above or below the main one, that is neither header nor footer.

        What is there for its links is a nav if it comes before the main block or holds nothing but links; behind
        it, it is an aside.
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
        return ASIDE if is_lesser else SECTION
