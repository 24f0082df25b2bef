"""Parts of a page, and strips of them: bands, from top to bottom, or columns, side by side, each in a cell of its own.

A part is an element, a text among elements, or several of these together. Cells tile the rectangle that is cut, and a
strip ends where its cell ends: so strips never overlap. Parts over others are out of the flow, and no
strips.
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
    """An element (`text` is -1), a text with its parent element, or several parts together.

    `characters` is the number of visible ones, `linked` that of those in links, `pictures` that of elements that are
    visible without text. `is_whole`: its members are one text, which is not cut.
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
        """Amount of visible content, in characters: a picture counts as a few words."""
        return self.characters + PICTURE * self.pictures

    @property
    def links(self) -> float:
        return self.linked / max(1, self.characters)

    @property
    def area(self) -> float:
        return self.rect.w * self.rect.h


PICTURE = 10  # characters that a picture counts for
PICTURES = frozenset("applet audio canvas embed iframe img input object select svg video".split())
"""Elements that are visible without text."""
PROSE = frozenset("p h1 h2 h3 h4 h5 h6 ul ol dl pre blockquote".split())
"""Elements of running text; not items of lists, each of which may be a teaser."""
RUN = 3  # minimum prose siblings that are one text
MOST = 0.5
"""Minimum share of prose in the characters from the first to the last prose sibling for all to be one text."""


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
        """Return whether an element, or its contents if it has no box of its own, is out of the flow."""
        return self.positioned[element] or self._spills[element]

    def _hang(self, box: Rect, n: int, parent: int) -> None:
        """Extend the box of a parent down to the end of floats that hang out of it."""
        parent_box, page = self.boxes[parent], self.outline.page
        is_float = page.styles[page.elements[n].style].floating != "none"
        if parent_box and is_float and not self.positioned[n]:
            height = max(parent_box.h, box.y + box.h - parent_box.y)
            self.boxes[parent] = parent_box._replace(h=height)

    @property
    def page(self) -> PagePart:
        return self._element(0, self.outline.rect)

    def contents(self, part: PagePart) -> Sequence[PagePart]:
        """Return the parts of a part: its members, or the visible children and texts of its element.

        An only child replaces its parent, so there are several or none.
        """
        while part.text < 0 and not part.is_whole:
            parts = part.members or self._in_texts(tuple(self._children(part.element)))
            if len(parts) != 1:
                return parts
            (part,) = parts
        return ()

    def _in_texts(self, parts: tuple[PagePart, ...]) -> tuple[PagePart, ...]:
        """Return parts, with those of one text merged.

        That is all from the first prose to the last if most of it is prose, so that a picture or a box of code
        splits no text; else each run of prose.
        """
        places = [n for n, part in enumerate(parts) if self._is_prose(part)]
        if len(places) < RUN:
            return parts
        span = parts[places[0] : places[-1] + 1]
        prose = sum(parts[n].characters for n in places)
        if prose >= MOST * sum(part.characters for part in span):
            text = merge_parts(span)._replace(is_whole=True)
            return (*parts[: places[0]], text, *parts[places[-1] + 1 :])
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
        """Return whether a part, with all its contents, is inline."""
        if part.members:
            return all(map(self.is_inline, part.members))
        return part.text >= 0 or self._inline[part.element]

    def is_positioned(self, part: PagePart) -> bool:
        return part.text < 0 and not part.members and self.positioned[part.element]

    def _children(self, element: int) -> Iterator[PagePart]:
        for child in self.outline.children[element]:
            box = self.boxes[child]
            if box and self._spills[child] and not self.positioned[child]:
                yield from self._children(child)  # it has no box, and its contents are elsewhere
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
    """Return one part of several; `parts` are not empty."""
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
    """Return the elements that a part consists of; for texts alone their parents."""
    stack = [part]
    elements: set[int] = set()
    parents: set[int] = set()
    while stack:
        piece = stack.pop()
        stack += piece.members
        if not piece.members:
            (elements if piece.text < 0 else parents).add(piece.element)
    return sorted(elements or parents)


AFLOAT = 0.02
"""Minimum share of the page's area of a part out of the flow that is a block, and no mere badge."""


class Strip(NamedTuple):
    """A part of a page in its cell of a cut."""

    part: PagePart
    cell: Rect

    @property
    def visible(self) -> Rect:
        """Part's rectangle clipped to its cell; the cell if it is all outside."""
        return boxes.overlap(self.part.rect, self.cell) or self.cell


class Strips:
    """The cuts of a page. `afloat` are the parts found out of the flow, by their elements."""

    def __init__(self, parts: PageParts, slack: float) -> None:
        self._parts = parts
        self._slack = slack
        self._min_area = AFLOAT * parts.page.area
        self._is_over_by_element: dict[int, bool] = {}
        self._leaves, self._holders = _leaves(parts)
        self.afloat: dict[int, PagePart] = {}

    def contents(self, part: PagePart) -> Sequence[PagePart]:
        """Return the parts of a part in the flow; those over others go to `afloat`."""
        while True:
            inner = self._parts.contents(part)
            over = [self._is_large(part) and self._is_over(part) for part in inner]
            if all(over) or not any(over):
                return inner
            self.afloat |= {p.element: p for p, is_over in zip(inner, over, strict=True) if is_over}
            inner = [p for p, is_over in zip(inner, over, strict=True) if not is_over]
            if len(inner) > 1:
                return inner
            (part,) = inner  # the only part in the flow replaces its parent

    def strips_along(
        self, axis: int, members: Sequence[PagePart], cell: Rect, about: Sequence[PagePart] = ()
    ) -> list[Strip]:
        """Return the strips of parts along an axis; parts that overlap by more than the slack are in one.

        Empty parts prevent no cut into columns. Positioned parts prevent no cut, if there are others: they go where
        their centre is or, if large and across a cut, are `afloat`. But a large column may be positioned, if it
        covers nothing. Parts `about` them prevent no cut, and go where their centre is.
        """
        hinders = [self._hinders(part, axis) for part in members]
        if not any(hinders):
            hinders = [True] * len(members)
        in_flow = [part for part, does in zip(members, hinders, strict=True) if does]
        start, end = cell[axis], cell[axis] + cell[axis + 2]
        gaps = boxes.separators((part.rect for part in in_flow), axis, self._slack / 2, 0)
        cuts = [cut for gap in gaps if start < (cut := sum(gap) / 2) < end]
        groups: list[list[PagePart]] = [[] for _ in range(len(cuts) + 1)]
        for part, does in zip(members, hinders, strict=True):
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
        """Yield parts, with those across a cut replaced by their contents."""
        stack = list(parts)
        while stack:
            part = stack.pop()
            inner = self._parts.contents(part) if self._meets(part.rect, axis, cuts) else ()
            if inner:
                stack += inner
            else:
                yield part

    def _hinders(self, part: PagePart, axis: int) -> bool:
        if not self._parts.is_positioned(part):
            # A strip of colour behind two columns is no part of either; as a band it may separate two.
            return axis == boxes.DOWN or part.content > 0
        return axis == boxes.ACROSS and self._is_large(part) and not self._is_over(part)

    def _meets(self, rect: Rect, axis: int, cuts: Sequence[float]) -> bool:
        low, high = rect[axis] + self._slack, rect[axis] + rect[axis + 2] - self._slack
        return bisect_right(cuts, low) < bisect_right(cuts, high)

    def _is_large(self, part: PagePart) -> bool:
        return self._parts.is_positioned(part) and part.area >= self._min_area and part.content > 0

    def _is_over(self, part: PagePart) -> bool:
        """Return whether a positioned part covers a text or a picture outside of it."""
        if part.element not in self._is_over_by_element:
            x, y, w, h = part.rect
            left, top, width, height = self._leaves
            across, down = left + width / 2, top + height / 2
            covered = (across > x) & (across < x + w) & (down > y) & (down < y + h)
            end = self._parts.outline.end[part.element]
            is_outside = (self._holders < part.element) | (self._holders >= end)
            self._is_over_by_element[part.element] = bool((covered & is_outside).any())
        return self._is_over_by_element[part.element]


def _leaves(parts: PageParts) -> tuple[boxes.Boxes, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Return the boxes of texts and pictures, and their elements."""
    outline = parts.outline
    texts = zip(outline.places, (text.parent for text in outline.page.texts), strict=True)
    elements = enumerate(outline.page.elements)
    pictures = ((outline.boxes[n], n) for n, element in elements if element.tag in PICTURES)
    leaves = [(box, n) for box, n in (*texts, *pictures) if box]
    holders = np.array([element for _, element in leaves], dtype=np.int64)
    columns = np.array([box for box, _ in leaves], dtype=float).reshape(-1, 4).T
    return boxes.Boxes(*columns), holders


def join_slight(
    strips: Sequence[Strip], axis: int, is_slight: Callable[[PagePart], bool]
) -> list[Strip]:
    """Return strips, with each slight one joined to its shorter neighbour, the first of equal ones."""
    groups = [StripGroup(strip) for strip in strips]
    n = 0
    while n < len(groups):
        neighbours = [m for m in (n - 1, n + 1) if 0 <= m < len(groups)]
        if not neighbours or not is_slight(groups[n].sum):
            n += 1
            continue
        n = min(n, min(neighbours, key=lambda m: (groups[m].sum.rect[axis + 2], m)))
        groups[n].take(groups.pop(n + 1))
    return [group.strip() for group in groups]


class StripGroup:
    """Strips to be merged into one; their sum is kept without merging at each step."""

    def __init__(self, strip: Strip) -> None:
        self.sum = strip.part
        self._strips = [strip]

    def take(self, other: StripGroup) -> None:
        self.sum = merge_parts((self.sum, other.sum))._replace(members=())
        self._strips += other._strips

    def strip(self) -> Strip:
        cell = reduce(boxes.bounding_rect, (strip.cell for strip in self._strips))
        return Strip(merge_parts([strip.part for strip in self._strips]), cell)
