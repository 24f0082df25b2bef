"""Choice of the parts of a page that are its blocks: bands and columns at first sight, and their parts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from dbce.model import UsageError
from dbce.visual.segment.bands.parts import (
    ACROSS,
    DOWN,
    PageParts,
    elements_of,
    joined,
    nearest,
    strips,
    together,
)
from dbce.visual.segment.boxes import Node, area, by_place, category, check, smallest_common

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dbce.visual.segment.bands.parts import PagePart
    from dbce.visual.segment.boxes import Outline


@dataclass(frozen=True, slots=True)
class BandOptions:
    """Shares are 0 to 1.

    Raises:
        UsageError: a value that an option cannot have.
    """

    level: int = 1
    """1: header, footer, columns and what else a page is at first sight; 2: what these are made of."""
    tall: float = 0.8
    """The share of the page's height from which on a band is gone into at level 1."""
    least: int = 3
    """Blocks of level 1 below which a page is gone into further, by lower bands."""
    main: float = 0.8
    """The share of area and characters from which on one child of several stands for its parent."""
    thin: float = 0.02
    """The share of the page's height below which a band joins a neighbour at level 1."""
    column: float = 0.1
    """The share of width and content below which a column joins a neighbour at level 1."""
    small: float = 0.08
    """The share of the page's area and characters below which a block is not cut at level 2."""
    line: float = 24.0
    """Pixels below which a strip joins a neighbour at level 2: a line of text is no block."""
    slack: float = 4.0
    """Pixels by which boxes may overlap and still be parted."""

    def __post_init__(self) -> None:
        check(self)
        if self.level not in {1, 2}:
            raise UsageError(f"level cannot be {self.level}: say 1 or 2")


COLUMNS = 3
"""More columns than a page has at first sight: so many are a row of cards, or of links."""

ALIKE = 3
"""So many small ones of one tag and width are a list, a menu, a row of cards: one block."""

HALF = 0.5
"""The share of a part's area that its largest child must have to be gone into at level 2."""

STEP = 0.1
"""Share of the page's height by which a band may be lower each time that blocks are too few."""

STEPS = 3
"""Times at most: lower bands give no more blocks on any page tried."""

DEEPEST = 100
"""Cuts in each other; deeper ones are not looked for."""


def cut(outline: Outline, options: BandOptions) -> Node:
    """The page with its blocks of level 1, and in these, if asked for, those of level 2."""
    cutter = _Cutter(outline, options)
    root = _node(outline, cutter.page)
    for part in cutter.coarsest():
        block = _node(outline, part)
        pieces = cutter.inner(part, 0) if options.level == 2 else []
        if len(pieces) > 1:
            block.children = sorted((_node(outline, piece) for piece in pieces), key=by_place)
        root.children.append(block)
    root.children.sort(key=by_place)
    if len(root.children) == 1:
        root.children = root.children[0].children
    return root


class _Cutter:
    """The cuts of one page."""

    def __init__(self, outline: Outline, options: BandOptions) -> None:
        self.options = options
        self.parts = PageParts(outline)
        self.page = self.parts.page
        self.area = self.page.rect.w * self.page.rect.h
        held = self.parts.inside(self.page)
        self.height = together(held).rect.h if held else self.page.rect.h
        self.tall = options.tall

    def coarsest(self) -> list[PagePart]:
        """The blocks of level 1, from as few bands as give `least` of them; of ways that do not, the most."""
        blocks: list[PagePart] = []
        for step in range(STEPS + 1):
            self.tall = self.options.tall - STEP * step
            finer = self.outer(self.page, 0)
            if len(finer) > len(blocks):
                blocks = finer
            if len(blocks) >= self.options.least:
                break
        return blocks

    def outer(self, part: PagePart, depth: int) -> list[PagePart]:
        """The blocks of level 1: bands, of one that takes nearly all the page those in it."""
        held = self.parts.inside(part)
        if len(held) < 2 or depth > DEEPEST:
            return [part]
        bands = strips(self.parts, held, DOWN, self.options.slack)
        if len(bands) > 1:
            blocks = [block for band in bands for block in self._band(band, depth)]
            return joined(blocks, DOWN, self._is_thin) if depth == 0 else blocks
        main = max(held, key=lambda p: p.rect.w * p.rect.h)
        if _share(main, part) >= self.options.main:
            return _around(self.outer(main, depth + 1), main, held)
        return self._columns(part, held)

    def _band(self, band: PagePart, depth: int) -> list[PagePart]:
        tall = band.rect.h >= self.tall * self.height
        return self.outer(band, depth + 1) if tall else [band]

    def _is_thin(self, band: PagePart) -> bool:
        return band.rect.h < self.options.thin * self.height or not band.content

    def _columns(self, part: PagePart, held: Sequence[PagePart]) -> list[PagePart]:
        """Two or three columns that all have something to say, or else the part whole."""
        least = self.options.column

        def is_slight(column: PagePart) -> bool:
            return column.rect.w < least * part.rect.w or column.content < least * part.content

        columns = strips(self.parts, held, ACROSS, self.options.slack)
        columns = joined(columns, ACROSS, is_slight)
        return columns if 1 < len(columns) <= COLUMNS else [part]

    def inner(self, part: PagePart, depth: int) -> list[PagePart]:
        """The blocks of level 2: bands, or else columns, of what is neither small nor a list."""
        held = self.parts.inside(part)
        if len(held) < 2 or self._is_small(part) or self._is_list(held) or depth > DEEPEST:
            return [part]
        for axis in (DOWN, ACROSS):
            pieces = strips(self.parts, held, axis, self.options.slack)
            pieces = joined(pieces, axis, self._is_line(axis))
            if len(pieces) > 1:
                return [block for strip in pieces for block in self.inner(strip, depth + 1)]
        main = max(held, key=lambda p: p.rect.w * p.rect.h)
        if main.rect.w * main.rect.h < HALF * part.rect.w * part.rect.h:
            return [part]
        return _around(self.inner(main, depth + 1), main, held)

    def _is_small(self, part: PagePart) -> bool:
        least = self.options.small
        characters = part.characters < least * self.page.characters
        return characters and part.rect.w * part.rect.h < least * self.area

    def _is_list(self, held: Sequence[PagePart]) -> bool:
        """Return whether parts are lines of text, or small and of one kind."""
        if all(map(self.parts.is_inline, held)):
            return True
        elements = self.parts.outline.page.elements
        tags = {"" if p.text >= 0 or p.members else elements[p.element].tag for p in held}
        widths = [part.rect.w for part in held]
        of_one_kind = len(tags) == 1 and "" not in tags and min(widths) >= 0.9 * max(widths)
        is_menu = tags <= {"li", "a"}
        return len(held) >= ALIKE and (of_one_kind or is_menu) and all(map(self._is_small, held))

    def _is_line(self, axis: int) -> Callable[[PagePart], bool]:
        least = self.options.line
        return lambda p: p.rect[axis + 2] < least or not p.content


def _share(main: PagePart, part: PagePart) -> float:
    """Share of a part's area, or of its characters if that is less, that one of its children has."""
    size = main.rect.w * main.rect.h / max(1.0, part.rect.w * part.rect.h)
    return min(size, main.characters / part.characters) if part.characters else size


def _around(blocks: list[PagePart], main: PagePart, held: Sequence[PagePart]) -> list[PagePart]:
    """Blocks of `main`, what stands about it going to that which is nearest."""
    groups = [[block] for block in blocks]
    for part in held:
        if part is not main:
            groups[nearest(blocks, part.rect)].append(part)
    return [together(group) for group in groups]


def _node(outline: Outline, part: PagePart) -> Node:
    elements = elements_of(part)
    held = (outline.page.elements[n] for n in elements)
    kind = reduce(smallest_common, (category(element.tag, element.attributes) for element in held))
    return Node(part.rect, elements, kind, area(part.rect, outline.size))
