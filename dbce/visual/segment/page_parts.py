"""Parts of a page, and strips of them: bands, one below another, or columns, side by side, each in a cell of its own.

A part is an element, a text that stands beside elements, or several of these together. Cells tile what is cut, and a
strip ends where its cell ends: so strips never lie over one another. What lies over others is out of the flow, and no
strip.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby
from typing import NamedTuple

import numpy as np

from dbce.visual import Rect, has_area, union
from dbce.visual.segment import boxes
from dbce.visual.segment.boxes import Outline


class PagePart(NamedTuple):
    """An element (`text` is -1), a text with the element that it is in, or several parts together.

    `characters` counts those that are seen in it, `linked` those of them in links, `pictures` the elements that show
    something by themselves. `is_whole`: its members are one text, and not looked into.
    """

    rect: Rect
    element: int
    text: int = -1
    characters: int = 0
    linked: int = 0
    pictures: int = 0
    members: tuple[PagePart, ...] = ()
    is_whole: bool = False

    @property
    def content(self) -> int:
        """Amount of content to see, in characters: a picture counts as a few words do."""
        return self.characters + PICTURE * self.pictures

    @property
    def links(self) -> float:
        return self.linked / max(1, self.characters)

    @property
    def area(self) -> float:
        return self.rect.w * self.rect.h


PICTURE = 10  # characters that a picture counts for
PICTURES = frozenset("applet audio canvas embed iframe img input object select svg video".split())
"""Elements that show something without a text."""
PROSE = frozenset("p h1 h2 h3 h4 h5 h6 ul ol dl pre blockquote".split())
"""Elements that follow each other in a text; items of a list are none: each may be a teaser."""
RUN = 3  # prose siblings from which on they are one text
MOST = 0.5
"""Share of the characters from the first to the last prose sibling that prose has where all are one text."""


class PageParts:
    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        page = outline.page
        self._pictures = [int(element.tag in PICTURES) for element in page.elements]
        self._characters = [sum(outline.characters[n] for n in texts) for texts in outline.texts]
        self._linked = [
            is_linked * n for is_linked, n in zip(outline.in_link, self._characters, strict=True)
        ]
        styles = [page.styles[element.style] for element in page.elements]
        self._inline = [style.display == "inline" for style in styles]
        self.positioned = [style.position in {"absolute", "fixed"} for style in styles]
        self.boxes = list(outline.boxes)
        self._spills = [False] * len(page.elements)
        for n in range(len(page.elements) - 1, 0, -1):
            parent = page.elements[n].parent
            self._characters[parent] += self._characters[n]
            self._linked[parent] += self._linked[n]
            if box := self.boxes[n]:
                self._pictures[parent] += self._pictures[n]
                self._inline[parent] &= self._inline[n]
                self._spills[parent] |= not has_area(page.elements[parent].rect) and self._is_out(n)
                self._hang(box, n, parent)

    def _is_out(self, element: int) -> bool:
        """Return whether an element, or what it has instead of a box of its own, is out of the flow."""
        return self.positioned[element] or self._spills[element]

    def _hang(self, box: Rect, n: int, parent: int) -> None:
        """Let the box of a parent reach as low as the floats that hang out of it."""
        around, page = self.boxes[parent], self.outline.page
        is_float = page.styles[page.elements[n].style].floating != "none"
        if around and is_float and not self.positioned[n]:
            height = max(around.h, box.y + box.h - around.y)
            self.boxes[parent] = around._replace(h=height)

    @property
    def page(self) -> PagePart:
        return self._element(0, self.outline.rect)

    def contents(self, part: PagePart) -> Sequence[PagePart]:
        """Return the parts of a part: its members, or the visible children and texts of its element.

        What alone is inside another stands for it, so there are several or none.
        """
        while part.text < 0 and not part.is_whole:
            parts = part.members or self._in_texts(tuple(self._children(part.element)))
            if len(parts) != 1:
                return parts
            (part,) = parts
        return ()

    def _in_texts(self, parts: tuple[PagePart, ...]) -> tuple[PagePart, ...]:
        """Parts of which those that are one text stand together.

        That is all from the first prose to the last where most of it is prose, so that a picture or a box of code
        parts no text; else each run of prose.
        """
        places = [n for n, part in enumerate(parts) if self._is_prose(part)]
        if len(places) < RUN:
            return parts
        between = parts[places[0] : places[-1] + 1]
        prose = sum(parts[n].characters for n in places)
        if prose >= MOST * sum(part.characters for part in between):
            whole = merge_parts(between)._replace(is_whole=True)
            return (*parts[: places[0]], whole, *parts[places[-1] + 1 :])
        runs: list[PagePart] = []
        for is_prose, members in groupby(parts, self._is_prose):
            run = list(members)
            is_text = is_prose and len(run) >= RUN
            runs += [merge_parts(run)._replace(is_whole=True)] if is_text else run
        return tuple(runs)

    def _is_prose(self, part: PagePart) -> bool:
        tag = self.outline.page.elements[part.element].tag
        return part.text < 0 and not part.members and tag in PROSE

    def is_inline(self, part: PagePart) -> bool:
        """Return whether a part, with all that is in it, runs in a line with other text."""
        if part.members:
            return all(map(self.is_inline, part.members))
        return part.text >= 0 or self._inline[part.element]

    def is_positioned(self, part: PagePart) -> bool:
        return part.text < 0 and not part.members and self.positioned[part.element]

    def _children(self, element: int) -> Iterator[PagePart]:
        for child in self.outline.children[element]:
            box = self.boxes[child]
            if box and self._spills[child] and not self.positioned[child]:
                yield from self._children(child)  # it has no box, and what is in it is elsewhere
            elif box:
                yield self._element(child, box)
        for text in self.outline.texts[element]:
            if place := self.outline.places[text]:
                size = self.outline.characters[text]
                yield PagePart(place, element, text, size, size * self.outline.in_link[element])

    def _element(self, element: int, box: Rect) -> PagePart:
        counts = self._characters[element], self._linked[element], self._pictures[element]
        return PagePart(box, element, -1, *counts)


def merge_parts(parts: Sequence[PagePart]) -> PagePart:
    """One part of several; `parts` are not empty."""
    if len(parts) == 1:
        return parts[0]
    rect = union(part.rect for part in parts) or parts[0].rect
    return PagePart(
        *(rect, parts[0].element, -1),
        characters=sum(p.characters for p in parts),
        linked=sum(p.linked for p in parts),
        pictures=sum(p.pictures for p in parts),
        members=tuple(parts),
    )


def elements_of(part: PagePart) -> list[int]:
    """Return the elements that it is made of; of texts alone those that they are in."""
    waiting = [part]
    whole: set[int] = set()
    around: set[int] = set()
    while waiting:
        piece = waiting.pop()
        waiting += piece.members
        if not piece.members:
            (whole if piece.text < 0 else around).add(piece.element)
    return sorted(whole or around)


AFLOAT = 0.02
"""The share of the page's area from which on what is out of the flow is a block of its own, and no mere badge."""


class Strip(NamedTuple):
    """A part of a page in the cell that a cut gave it."""

    part: PagePart
    cell: Rect

    @property
    def visible(self) -> Rect:
        """Part's rectangle as far as its cell reaches; of what hangs out of it altogether, the cell."""
        return boxes.overlap(self.part.rect, self.cell) or self.cell


class Strips:
    """The cuts of a page. `afloat` are the parts out of the flow that were found by the way, by their elements."""

    def __init__(self, parts: PageParts, slack: float) -> None:
        self._parts = parts
        self._slack = slack
        self._least = AFLOAT * parts.page.area
        self._over: dict[int, bool] = {}
        self._leaves, self._of = _leaves(parts)
        self.afloat: dict[int, PagePart] = {}

    def contents(self, part: PagePart) -> Sequence[PagePart]:
        """Return the parts of a part that stand in the flow; those that lie over others go to `afloat`."""
        while True:
            held = self._parts.contents(part)
            over = [self._is_large(part) and self._is_over(part) for part in held]
            if all(over) or not any(over):
                return held
            self.afloat |= {p.element: p for p, is_over in zip(held, over, strict=True) if is_over}
            held = [p for p, is_over in zip(held, over, strict=True) if not is_over]
            if len(held) > 1:
                return held
            (part,) = held  # what is alone in the flow stands for all

    def strips_along(
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
        gaps = boxes.separators((part.rect for part in in_flow), axis, self._slack / 2, 0)
        cuts = [at for gap in gaps if start < (at := sum(gap) / 2) < end]
        groups: list[list[PagePart]] = [[] for _ in range(len(cuts) + 1)]
        for part, does in zip(held, hinders, strict=True):
            if not does and self._is_large(part) and self._meets(part.rect, axis, cuts):
                self.afloat[part.element] = part
            else:
                groups[bisect_right(cuts, boxes.centre(part.rect, axis))].append(part)
        for part in self._pieces(about, axis, cuts):
            groups[bisect_right(cuts, boxes.centre(part.rect, axis))].append(part)
        cells = zip(groups, boxes.tiles(cell, axis, cuts), strict=True)
        return [Strip(merge_parts(group), tile) for group, tile in cells if group]

    def _pieces(
        self, parts: Iterable[PagePart], axis: int, cuts: Sequence[float]
    ) -> Iterator[PagePart]:
        """Parts, and in place of one across a cut those in it."""
        waiting = list(parts)
        while waiting:
            part = waiting.pop()
            inside = self._parts.contents(part) if self._meets(part.rect, axis, cuts) else ()
            if inside:
                waiting += inside
            else:
                yield part

    def _hinders(self, part: PagePart, axis: int) -> bool:
        if not self._parts.is_positioned(part):
            # A strip of colour behind two columns is no part of either; as a band it may well be what parts two.
            return axis == boxes.DOWN or part.content > 0
        return axis == boxes.ACROSS and self._is_large(part) and not self._is_over(part)

    def _meets(self, rect: Rect, axis: int, cuts: Sequence[float]) -> bool:
        low, high = rect[axis] + self._slack, rect[axis] + rect[axis + 2] - self._slack
        return bisect_right(cuts, low) < bisect_right(cuts, high)

    def _is_large(self, part: PagePart) -> bool:
        return self._parts.is_positioned(part) and part.area >= self._least and part.content > 0

    def _is_over(self, part: PagePart) -> bool:
        """Return whether a positioned part lies over a text or a picture that is not in it."""
        if part.element not in self._over:
            x, y, w, h = part.rect
            left, top, width, height = self._leaves
            across, down = left + width / 2, top + height / 2
            covered = (across > x) & (across < x + w) & (down > y) & (down < y + h)
            end = self._parts.outline.end[part.element]
            others = (self._of < part.element) | (self._of >= end)
            self._over[part.element] = bool((covered & others).any())
        return self._over[part.element]


def _leaves(parts: PageParts) -> tuple[boxes.Boxes, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Return the boxes of texts and pictures, and the elements that they are in."""
    outline = parts.outline
    texts = zip(outline.places, (text.parent for text in outline.page.texts), strict=True)
    elements = enumerate(outline.page.elements)
    pictures = ((outline.boxes[n], n) for n, element in elements if element.tag in PICTURES)
    leaves = [(box, n) for box, n in (*texts, *pictures) if box]
    of = np.array([element for _, element in leaves], dtype=np.int64)
    columns = np.array([box for box, _ in leaves], dtype=float).reshape(-1, 4).T
    return boxes.Boxes(*columns), of


def join_slight(
    strips: Sequence[Strip], axis: int, is_slight: Callable[[PagePart], bool]
) -> list[Strip]:
    """Strips of which each slight one is joined to its shorter neighbour, the first of equal ones."""
    wholes = [StripGroup(strip) for strip in strips]
    n = 0
    while n < len(wholes):
        near = [m for m in (n - 1, n + 1) if 0 <= m < len(wholes)]
        if not near or not is_slight(wholes[n].sum):
            n += 1
            continue
        n = min(n, min(near, key=lambda m: (wholes[m].sum.rect[axis + 2], m)))
        wholes[n].take(wholes.pop(n + 1))
    return [whole.strip() for whole in wholes]


class StripGroup:
    """Strips that become one; their sum is known without putting them together at each step."""

    def __init__(self, strip: Strip) -> None:
        self.sum = strip.part
        self._strips = [strip]

    def take(self, other: StripGroup) -> None:
        self.sum = merge_parts((self.sum, other.sum))._replace(members=())
        self._strips += other._strips

    def strip(self) -> Strip:
        cell = reduce(boxes.bounding_rect, (strip.cell for strip in self._strips))
        return Strip(merge_parts([strip.part for strip in self._strips]), cell)
