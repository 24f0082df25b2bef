"""A page as it lies before the people who draw blocks on it: what they can point at, and what is where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dbce.visual.annotate.blocks.adverts import ad_places
from dbce.visual.annotate.blocks.tree import Part
from dbce.visual.measure import contents, members, normalise
from dbce.visual.segment import Outline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from dbce.visual import Rect, RenderedPage
    from dbce.visual.measure import Contents, MarkedBlock, MarkedPage

PICTURES = frozenset("applet audio canvas embed iframe img input object picture svg video".split())
"""Elements that show something without having text."""

NEAR = 1.0
"""Pixels by which an element may stick out of a box that it lies in: borders are rounded."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockSheet:
    """A rendered page; `valid` are the places of the elements that can be picked, in document order.

    Those are all but body that have a box and hold a text or a picture that is seen, in no frame of an advertisement.
    `adverts` are the XPaths of the elements in which nothing but advertisements is seen.
    """

    page: RenderedPage
    outline: Outline
    contents: Contents
    valid: tuple[int, ...]
    adverts: frozenset[str]

    def box(self, place: int) -> Rect | None:
        """Return the box of an element."""
        return self.outline.boxes[place]

    def element(self, place: int) -> Part:
        """Return a valid element as a part of the page.

        Raises:
            LookupError: it is none.
        """
        box = self.box(place) if place in self.valid else None
        if box is None:
            raise LookupError(f"{place} is no element that can be picked")
        return Part(box, (self.page.elements[place].xpath,))

    def without_adverts(self, blocks: Iterable[MarkedBlock]) -> list[MarkedBlock]:
        """Return blocks without those of nothing but advertisements; what is in these goes to the one around."""
        kept = []
        around: dict[str, str] = {}
        for block in blocks:  # parents stand before their children
            parent = around.get(block.parent, block.parent)
            if block.xpaths and self.adverts.issuperset(block.xpaths):
                around[block.id] = parent
            else:
                kept.append(replace(block, parent=parent))
        return kept

    def within(self, rect: Rect, xpaths: Sequence[str] = ()) -> Part:
        """Return a box of the page with the outermost elements that lie in it whole.

        With XPaths, elements below those alone.
        """
        roots = self._places(xpaths) if xpaths else self.outline.visible_children(0)
        inside = []
        waiting = list(reversed(roots))
        while waiting:
            place = waiting.pop()
            box = self.box(place)
            if box and _holds(rect, box):
                inside.append(self.page.elements[place].xpath)
            elif box and _meets(rect, box):
                waiting += reversed(self.outline.visible_children(place))
        return Part(rect, tuple(inside))

    def _places(self, xpaths: Iterable[str]) -> list[int]:
        wanted = set(xpaths)
        return [n for n, one in enumerate(self.page.elements) if one.xpath in wanted]

    def coverage(self, drawn: MarkedPage) -> float:
        """Return the share of the page's words that are in a block that holds no other; 1 if there are none."""
        blocks = [normalise(b.rect, self.page.size) for b in drawn.terminal if b.rect]
        words = self.contents.words
        if not words.sum():
            return 1.0
        inside = members(self.contents.texts, blocks).any(axis=1)
        return float(words[inside].sum() / words.sum())

    def counted(self, drawn: MarkedPage) -> MarkedPage:
        """Return the page with its size and words, and those of each block with its elements.

        What has its centre in a block is counted there, as when segmentations are measured.
        """
        blocks = [normalise(b.rect, self.page.size) for b in drawn.blocks if b.rect]
        elements = members(self.contents.elements, blocks).sum(axis=0)
        words = self.contents.words @ members(self.contents.texts, blocks)
        counts = iter(zip(elements.tolist(), words.tolist(), strict=True))
        filled = []
        for block in drawn.blocks:
            if block.rect:
                count = next(counts)
                filled.append(replace(block, elements=int(count[0]), words=int(count[1])))
        return replace(
            drawn,
            blocks=tuple(filled),
            viewport=self.page.viewport,
            size=self.page.size,
            words=int(self.contents.words.sum()),
        )


def sheet_of(page: RenderedPage) -> BlockSheet:
    """Return a rendered page to draw on."""
    outline = Outline(page)
    everything = _holding(page, outline, frozenset())
    rest = _holding(page, outline, ad_places(page))
    valid = (n for n in range(1, len(page.elements)) if rest[n] and outline.boxes[n])
    adverts = frozenset(page.elements[n].xpath for n in np.flatnonzero(everything & ~rest))
    return BlockSheet(page, outline, contents(page), tuple(valid), adverts)


def _holding(page: RenderedPage, outline: Outline, without: frozenset[int]) -> NDArray[np.bool_]:
    """Return of each element whether a text or a picture is seen in it, but for some elements."""
    holds = np.zeros(len(page.elements), np.bool_)
    for place in range(len(page.elements) - 1, 0, -1):
        element = page.elements[place]
        is_picture = element.tag in PICTURES and outline.shown[place]
        if place not in without:
            holds[place] |= bool(outline.texts[place]) or is_picture
            holds[element.parent] |= holds[place]
    return holds


def _holds(outer: Rect, inner: Rect) -> bool:
    return (
        inner.x >= outer.x - NEAR
        and inner.y >= outer.y - NEAR
        and inner.x + inner.w <= outer.x + outer.w + NEAR
        and inner.y + inner.h <= outer.y + outer.h + NEAR
    )


def _meets(one: Rect, other: Rect) -> bool:
    return (
        one.x < other.x + other.w
        and other.x < one.x + one.w
        and one.y < other.y + other.h
        and other.y < one.y + one.h
    )
