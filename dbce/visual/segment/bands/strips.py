"""Strips: parts of a page in bands, one below another, or in columns, side by side, each in a cell of its own.

Cells tile what is cut, and a strip ends where its cell ends: so strips never lie over one another. What lies over
others is out of the flow, and no strip.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.visual import Rect
from dbce.visual.segment.bands.parts import PICTURES, PagePart, together
from dbce.visual.segment.boxes import Boxes, around, overlap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from dbce.visual.segment.bands.parts import PageParts

ACROSS, DOWN = 0, 1
"""Along which axis strips follow each other; its place in a rectangle, that of the length is 2 on."""

AFLOAT = 0.02
"""The share of the page's area from which on what is out of the flow is a block of its own, and no mere badge."""


class Strip(NamedTuple):
    """A part of a page in the cell that a cut gave it."""

    part: PagePart
    cell: Rect

    @property
    def visible(self) -> Rect:
        """The part's rectangle as far as its cell reaches; of what hangs out of it altogether, the cell."""
        return overlap(self.part.rect, self.cell) or self.cell


class Strips:
    """The cuts of a page. `afloat` are the parts out of the flow that were found by the way, by their elements."""

    def __init__(self, parts: PageParts, slack: float) -> None:
        self._parts = parts
        self._slack = slack
        self._least = AFLOAT * parts.page.area
        self._over: dict[int, bool] = {}
        self._leaves, self._of = _leaves(parts)
        self.afloat: dict[int, PagePart] = {}

    def inside(self, part: PagePart) -> Sequence[PagePart]:
        """Return the parts of a part that stand in the flow; those that lie over others go to `afloat`."""
        while True:
            held = self._parts.inside(part)
            over = [self._is_large(part) and self._is_over(part) for part in held]
            if all(over) or not any(over):
                return held
            self.afloat |= {p.element: p for p, is_over in zip(held, over, strict=True) if is_over}
            held = [p for p, is_over in zip(held, over, strict=True) if not is_over]
            if len(held) > 1:
                return held
            (part,) = held  # what is alone in the flow stands for all

    def along(
        self, axis: int, held: Sequence[PagePart], cell: Rect, about: Sequence[PagePart] = ()
    ) -> list[Strip]:
        """Parts that lie beside each other along an axis, those that overlap by more than the slack together.

        What shows nothing hinders no columns. What is positioned hinders no cut, if there is anything else: it
        goes where its centre is, or, where it lies across a cut and is large, stands by itself. But a large column may
        be positioned, if it lies over nothing. What stands `about` them hinders none, and goes where its centre is.
        """
        hinders = [self._hinders(part, axis) for part in held]
        if not any(hinders):
            hinders = [True] * len(held)
        in_flow = [part for part, does in zip(held, hinders, strict=True) if does]
        start, end = cell[axis], cell[axis] + cell[axis + 2]
        spans = ((part.rect[axis], part.rect[axis + 2]) for part in in_flow)
        cuts = [at for at in _cuts(spans, self._slack) if start < at < end]
        groups: list[list[PagePart]] = [[] for _ in range(len(cuts) + 1)]
        for part, does in zip(held, hinders, strict=True):
            if not does and self._is_large(part) and self._meets(part.rect, axis, cuts):
                self.afloat[part.element] = part
            else:
                groups[bisect_right(cuts, part.rect[axis] + part.rect[axis + 2] / 2)].append(part)
        for part in self._pieces(about, axis, cuts):
            groups[bisect_right(cuts, part.rect[axis] + part.rect[axis + 2] / 2)].append(part)
        edges = [start, *cuts, end]
        return [
            Strip(together(group), _between(cell, axis, edges[n], edges[n + 1]))
            for n, group in enumerate(groups)
            if group
        ]

    def _pieces(
        self, parts: Iterable[PagePart], axis: int, cuts: Sequence[float]
    ) -> Iterator[PagePart]:
        """Parts, and in place of one across a cut those in it."""
        waiting = list(parts)
        while waiting:
            part = waiting.pop()
            inside = self._parts.inside(part) if self._meets(part.rect, axis, cuts) else ()
            if inside:
                waiting += inside
            else:
                yield part

    def _hinders(self, part: PagePart, axis: int) -> bool:
        if not self._parts.is_positioned(part):
            # A strip of colour behind two columns is no part of either; as a band it may well be what parts two.
            return axis == DOWN or part.content > 0
        return axis == ACROSS and self._is_large(part) and not self._is_over(part)

    def _meets(self, rect: Rect, axis: int, cuts: Sequence[float]) -> bool:
        low, high = rect[axis] + self._slack, rect[axis] + rect[axis + 2] - self._slack
        return bisect_right(cuts, low) < bisect_right(cuts, high)

    def _is_large(self, part: PagePart) -> bool:
        return self._parts.is_positioned(part) and part.area >= self._least and part.content > 0

    def _is_over(self, part: PagePart) -> bool:
        """Return whether a positioned part lies over a text or a picture that is not in it."""
        if not self._parts.is_positioned(part):
            return False
        if part.element not in self._over:
            x, y, w, h = part.rect
            left, top, width, height = self._leaves
            across, down = left + width / 2, top + height / 2
            covered = (across > x) & (across < x + w) & (down > y) & (down < y + h)
            end = self._parts.outline.end[part.element]
            others = (self._of < part.element) | (self._of >= end)
            self._over[part.element] = bool((covered & others).any())
        return self._over[part.element]


def _leaves(parts: PageParts) -> tuple[Boxes, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """The boxes of texts and pictures, and the elements that they are in."""
    outline = parts.outline
    texts = [
        (place, text.parent)
        for place, text in zip(outline.places, outline.page.texts, strict=True)
        if place
    ]
    pictures = [
        (box, n)
        for n, (box, element) in enumerate(zip(outline.boxes, outline.page.elements, strict=True))
        if box and element.tag in PICTURES
    ]
    leaves = [*texts, *pictures]
    of = np.array([element for _, element in leaves], dtype=np.int64)
    return Boxes.of(box for box, _ in leaves), of


def _between(cell: Rect, axis: int, start: float, end: float) -> Rect:
    x, y, w, h = cell
    return Rect(start, y, end - start, h) if axis == ACROSS else Rect(x, start, w, end - start)


def _cuts(spans: Iterable[tuple[float, float]], slack: float) -> list[float]:
    """Return the middles of the gaps between spans, which are shortened by half of `slack` at each end."""
    middles = []
    reached: float | None = None
    for start, length in sorted(spans):
        shortened = min(slack, length) / 2
        low, high = start + shortened, start + length - shortened
        if reached is not None and low >= reached:
            middles.append((low + reached) / 2)
        reached = high if reached is None else max(reached, high)
    return middles


def joined(
    strips: Sequence[Strip], axis: int, is_slight: Callable[[PagePart], bool]
) -> list[Strip]:
    """Strips of which each slight one is joined to its shorter neighbour, the first of equal ones."""
    wholes = [Joined(strip) for strip in strips]
    n = 0
    while n < len(wholes):
        near = [m for m in (n - 1, n + 1) if 0 <= m < len(wholes)]
        if not near or not is_slight(wholes[n].sum):
            n += 1
            continue
        n = min(n, min(near, key=lambda m: (wholes[m].sum.rect[axis + 2], m)))
        wholes[n].take(wholes.pop(n + 1))
    return [whole.strip() for whole in wholes]


class Joined:
    """Strips that become one; their sum is known without putting them together at each step."""

    def __init__(self, strip: Strip) -> None:
        self.sum = strip.part
        self._strips = [strip]

    def take(self, other: Joined) -> None:
        """Add the strips of another."""
        self.sum = together((self.sum, other.sum))._replace(members=())
        self._strips += other._strips

    def strip(self) -> Strip:
        """All as one."""
        cell = self._strips[0].cell
        for strip in self._strips[1:]:
            cell = around(cell, strip.cell)
        return Strip(together([strip.part for strip in self._strips]), cell)
