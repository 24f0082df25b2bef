"""Level 2: what the blocks of level 1 are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.segment.bands.parts import together
from dbce.visual.segment.bands.strips import ACROSS, DOWN, Strip, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dbce.visual.segment.bands.options import BandOptions
    from dbce.visual.segment.bands.parts import PagePart, PageParts
    from dbce.visual.segment.bands.strips import Strips

ALIKE = 3
"""So many small ones of one tag and width are a list, a menu, a row of cards: one block."""

HALF = 0.5
"""The share of a part's area that its largest child must have to be gone into."""

DEEPEST = 100
"""Cuts in each other; deeper ones are not looked for."""


class SecondSight:
    """The cuts of blocks of one page."""

    def __init__(self, parts: PageParts, strips: Strips, options: BandOptions) -> None:
        self._parts = parts
        self._strips = strips
        self._options = options
        self._page = parts.page

    def blocks(self, block: Strip) -> tuple[list[Strip], list[PagePart]]:
        """Return the blocks in a block, in the flow and out of it; one if it is not cut."""
        self._strips.afloat = {}
        return self._inner(block, 0), list(self._strips.afloat.values())

    def _inner(self, strip: Strip, depth: int) -> list[Strip]:
        """Bands, or else columns, of what is neither small nor a list."""
        held = self._strips.inside(strip.part)
        about: list[PagePart] = []
        part = strip.part
        while len(held) > 1 and depth <= DEEPEST:
            if self._is_small(part) or self._is_list(held):
                break
            for axis in (DOWN, ACROSS):
                pieces = self._strips.along(axis, held, strip.cell, about)
                pieces = joined(pieces, axis, self._is_line(axis))
                if len(pieces) > 1:
                    return [block for piece in pieces for block in self._inner(piece, depth + 1)]
            part = max(held, key=lambda part: part.area)
            if part.area < HALF * together(held).area:
                break
            about += (other for other in held if other is not part)
            held = self._strips.inside(part)
            depth += 1
        return [strip]

    def _is_small(self, part: PagePart) -> bool:
        least = self._options.small
        is_short = part.characters < least * self._page.characters
        return is_short and part.area < least * self._page.area

    def _is_list(self, held: Sequence[PagePart]) -> bool:
        """Return whether parts are lines of text, or small and of one kind."""
        if not held or all(map(self._parts.is_inline, held)):
            return True
        elements = self._parts.outline.page.elements
        tags = {"" if p.text >= 0 or p.members else elements[p.element].tag for p in held}
        widths = [part.rect.w for part in held]
        of_one_kind = len(tags) == 1 and "" not in tags and min(widths) >= 0.9 * max(widths)
        is_menu = tags <= {"li", "a"}
        return len(held) >= ALIKE and (of_one_kind or is_menu) and all(map(self._is_small, held))

    def _is_line(self, axis: int) -> Callable[[PagePart], bool]:
        least = self._options.line
        return lambda part: part.rect[axis + 2] < least or not part.content
