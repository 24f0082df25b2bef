"""Level 1: what a page is at first sight, bands one below another, and columns in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual import Rect
from dbce.visual.segment.bands.parts import together
from dbce.visual.segment.bands.strips import ACROSS, DOWN, Joined, Strip, joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.visual.segment.bands.options import BandOptions
    from dbce.visual.segment.bands.parts import PagePart, PageParts
    from dbce.visual.segment.bands.strips import Strips

    Row = list[Strip]

COLUMNS = 3
"""More columns than a page has at first sight: so many are a row of cards, or of links."""

COLUMNED = 0.4
"""The share of the page's height from which on a band that is not gone into may have columns."""

MOSTLY = 0.8
"""The share of a band's height from which on a band in it is what it is mostly."""

BROAD = 0.6
"""The share of the width of all columns from which on one may have columns of its own."""

SLIGHT = 0.02
"""The share of a band's content below which a column of it is none; a menu of few words is one."""

INDEX = 0.2
"""The share of content below which columns are one index where all have less, by verdicts."""

ROWS = 0.3
"""The share of the page's height from which on a band may be rows of one kind."""

WIDE = 0.8
"""The share of the width of all that is on the page from which on a row is as wide as the page."""

HIGH = 80.0
"""Pixels that such a row is high: less is a line of a list."""

WORDS = 20
"""Characters that such a row has: less is a row of pictures."""

GENERIC = frozenset("article aside footer header main nav section".split())
"""Elements that stand where others have a `div`."""

FILLED = 0.7
"""The share of a band's height that its rows of one kind fill together."""

STEP = 0.1
"""Share of the page's height by which a band may be lower each time that blocks are too few."""

STEPS = 3
"""Times at most: lower bands give no more blocks on any page tried."""

DEEPEST = 100
"""Cuts in each other; deeper ones are not looked for."""


class FirstSight:
    """The cuts of one page; `is_judged` tells whether the characters of content in its parts are known."""

    def __init__(
        self, parts: PageParts, strips: Strips, options: BandOptions, *, is_judged: bool
    ) -> None:
        self._parts = parts
        self._cell = parts.outline.rect
        self._strips = strips
        self._options = options
        self._is_judged = is_judged
        self._page = parts.page
        held = parts.inside(self._page)
        self._size = together(held).rect if held else self._page.rect
        self._tall = options.tall

    def blocks(self) -> tuple[list[Strip], list[PagePart]]:
        """Return blocks in the flow and those out of it, from as few bands as give `least`; if none do, the most."""
        best: tuple[list[Strip], list[PagePart]] = [], []
        for step in range(STEPS + 1):
            self._tall = self._options.tall - STEP * step
            self._strips.afloat = {}
            rows = self._outer(Strip(self._page, self._cell), 0)
            finer = self._without_thin(rows)
            if len(finer) > len(best[0]):
                best = finer, list(self._strips.afloat.values())
            if len(best[0]) >= self._options.least:
                break
        return best

    def _outer(self, strip: Strip, depth: int) -> list[Row]:
        """The rows of blocks in a strip: bands, of one that takes nearly all the page those in it."""
        held = self._strips.inside(strip.part)
        while len(held) > 1 and depth <= DEEPEST:
            bands = self._strips.along(DOWN, held, strip.cell)
            if len(bands) > 1:
                return [row for band in bands for row in self._band(band, depth + 1)]
            columns = self._columns(held, strip.cell)
            if len(columns) > 1:
                return [self._broken_up(columns)]
            held = self._opened(held)
            depth += 1
        return [[strip]]

    def _band(self, band: Strip, depth: int) -> list[Row]:
        height = band.part.rect.h
        if height >= self._tall * self._size.h or self._has_rows(band.part):
            return self._outer(band, depth)
        return [self._columned(band) if height >= COLUMNED * self._size.h else [band]]

    def _columned(self, band: Strip) -> Row:
        """The columns of a band, or the band whole."""
        afloat = dict(self._strips.afloat)
        held = self._strips.inside(band.part)
        columns: Row = []
        bands: list[Strip] = []
        while len(held) > 1:
            columns = self._columns(held, band.cell)
            bands = self._strips.along(DOWN, held, band.cell)
            held = () if columns or len(bands) > 1 else self._opened(held)
        columns = columns or self._below(bands, band)
        if not columns:
            self._strips.afloat = afloat  # what lies over an uncut band is in it
        return self._broken_up(columns) if columns else [band]

    def _below(self, bands: Sequence[Strip], band: Strip) -> Row:
        """Columns of the one of several bands that is nearly all; what is above and below goes with the widest."""
        main = max(bands, key=lambda strip: strip.part.rect.h, default=band)
        if len(bands) < 2 or main.part.rect.h < MOSTLY * band.part.rect.h:
            return []
        columns = self._columned(main)
        if len(columns) < 2:
            return []
        n = max(range(len(columns)), key=lambda n: columns[n].part.rect.w)
        others = [strip.part for strip in bands if strip is not main]
        x, _, w, _ = columns[n].cell
        cell = Rect(x, band.cell.y, w, band.cell.h)
        columns[n] = Strip(together([columns[n].part, *others]), cell)
        return columns

    def _broken_up(self, columns: Row) -> Row:
        """Columns, and in place of a broad one those in it."""
        width = sum(column.cell.w for column in columns)
        return [
            inner
            for column in columns
            for inner in (
                self._columned(column) if column.part.rect.w >= BROAD * width else [column]
            )
        ]

    def _columns(self, held: Sequence[PagePart], cell: Rect) -> Row:
        """Two or three columns that all have something to say, or none."""
        whole = together(held)

        def is_slight(column: PagePart) -> bool:
            narrow = column.rect.w < self._options.column * whole.rect.w
            return narrow or column.content < SLIGHT * whole.content

        columns = joined(self._strips.along(ACROSS, held, cell), ACROSS, is_slight)
        is_index = self._is_judged and all(
            column.part.good < INDEX * column.part.characters for column in columns
        )
        return columns if 1 < len(columns) <= COLUMNS and not is_index else []

    def _opened(self, held: Sequence[PagePart]) -> Sequence[PagePart]:
        """Parts with those of the largest in its place, if that has nearly all there is; else none."""
        main = max(held, key=lambda part: part.area)
        if _share(main, together(held)) < self._options.main:
            return ()
        inner = self._strips.inside(main)
        return [*(part for part in held if part is not main), *inner] if len(inner) > 1 else ()

    def _has_rows(self, band: PagePart) -> bool:
        """Return whether a band is rows of one kind, each as wide as the page: posts of a thread, sections.

        Teasers and entries of a list are of one kind as well, but stand in a column.
        """
        if band.rect.h < ROWS * self._size.h:
            return False
        held = self._parts.inside(band)
        while len(held) > 1 and not self._are_rows(held, band.rect.h):
            main = max(held, key=lambda part: part.area)
            held = self._parts.inside(main) if main.rect.h >= FILLED * band.rect.h else ()
        return len(held) > 1

    def _are_rows(self, held: Sequence[PagePart], height: float) -> bool:
        rows: dict[tuple[str, str], list[float]] = {}
        for part in held:
            is_row = part.rect.w >= WIDE * self._size.w and part.rect.h >= HIGH
            if is_row and part.characters >= WORDS and part.text < 0 and not part.members:
                rows.setdefault(self._kind(part.element), []).append(part.rect.h)
        return any(len(of) > 1 and sum(of) >= FILLED * height for of in rows.values())

    def _kind(self, n: int) -> tuple[str, str]:
        """Tag and class of an element; one of HTML5 is as a `div` is, and one without a box as what is alone in it."""
        outline = self._parts.outline
        while not outline.has_area(n) and len(inside := outline.visible_children(n)) == 1:
            (n,) = inside
        element = outline.page.elements[n]
        return "div" if element.tag in GENERIC else element.tag, element.attributes.get("class", "")

    def _without_thin(self, rows: Sequence[Row]) -> list[Strip]:
        """Blocks of which each thin one joins the row above or below, the shorter, if both are one block."""
        kept: list[list[Joined]] = []
        waiting = [[Joined(strip) for strip in row] for row in reversed(rows)]
        while waiting:
            row = waiting.pop()
            near = [other[-1][0] for other in (kept, waiting) if other and len(other[-1]) == 1]
            if len(row) > 1 or not near or not self._is_thin(row[0].sum):
                kept.append(row)
                continue
            nearest = min(near, key=lambda other: other.sum.rect.h)
            if kept and nearest is kept[-1][0]:
                waiting.append(kept.pop())
                waiting[-1][0].take(row[0])
            else:
                row[0].take(waiting.pop()[0])
                waiting.append(row)
        return [block.strip() for row in kept for block in row]

    def _is_thin(self, band: PagePart) -> bool:
        return band.rect.h < self._options.thin * self._size.h or not band.content


def _share(main: PagePart, whole: PagePart) -> float:
    """Share of a part's area, or of its characters if that is less, that one of its children has."""
    size = main.area / max(1.0, whole.area)
    return min(size, main.characters / whole.characters) if whole.characters else size
