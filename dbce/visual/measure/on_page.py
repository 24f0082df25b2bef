"""Measures taken on a page as it was laid out: where blocks are, what is in each, and atoms.

The places are those of blocks that are given by the XPaths of their elements.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dbce.visual import Rect
from dbce.visual.measure.bcubed import Atoms, atoms, members
from dbce.visual.measure.flat import Flat, importances, normalise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dbce.visual import RenderedPage
    from dbce.visual.measure.flat import Floats
    from dbce.visual.measure.gold import MarkedPage


def located(page: MarkedPage, rendered: RenderedPage) -> tuple[MarkedPage, tuple[str, ...]]:
    """The page with rectangles for the blocks that have none, and the XPaths that are not found.

    A block's rectangle is the union of its elements' boxes; an element without area has that of its
    descendants. A block of which nothing is laid out is left out, as nobody can see it.
    """
    places = {plain_xpath(element.xpath): n for n, element in enumerate(rendered.elements)}
    sought = {path for block in page.blocks if not block.rect for path in block.xpaths}
    missing = tuple(sorted(path for path in sought if plain_xpath(path) not in places))
    boxes = _boxes(rendered)
    blocks = []
    for block in page.blocks:
        own = (places.get(plain_xpath(path)) for path in block.xpaths)
        rect = block.rect or union(box for n in own if n is not None and (box := boxes[n]))
        if rect:
            blocks.append(replace(block, rect=rect))
    return replace(page, blocks=tuple(blocks)), missing


def plain_xpath(path: str) -> str:
    """An XPath without numbers that say nothing: of `/html[1]/body[1]/p[2]` it is `/html/body/p[2]`."""
    return re.sub(r"\[1\](?=/|$)", "", path)


def union(rects: Iterable[Rect]) -> Rect | None:
    """The smallest rectangle around all; None around none."""
    every = list(rects)
    if not every:
        return None
    left, top = min(r.x for r in every), min(r.y for r in every)
    right, bottom = max(r.x + r.w for r in every), max(r.y + r.h for r in every)
    return Rect(left, top, right - left, bottom - top)


def _boxes(rendered: RenderedPage) -> list[Rect | None]:
    """The box of each element: its own if that has an area, else that of what is in it."""
    inside: defaultdict[int, list[Rect]] = defaultdict(list)
    for text in rendered.texts:
        inside[text.parent] += filter(has_area, text.rects)
    boxes: list[Rect | None] = [None] * len(rendered.elements)
    for place in range(len(boxes) - 1, -1, -1):  # children stand behind their parents
        element = rendered.elements[place]
        own = element.rect if has_area(element.rect) else union(inside[place])
        if own:
            boxes[place] = own
            inside[element.parent].append(own)
    return boxes


def has_area(rect: Rect | None) -> bool:
    """Return whether a box is there and has an area, so that it can be seen."""
    return rect is not None and rect.w > 0 and rect.h > 0


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """Contents of a page: its texts, weighted by their characters, their words, its elements."""

    texts: Atoms
    words: Floats
    elements: Atoms


def contents(page: RenderedPage) -> Contents:
    """All texts and elements that are laid out and not hidden.

    White space in texts is collapsed before their characters are counted.
    """
    texts = [
        (*_centre(box, page.size), len(" ".join(words)), len(words))
        for text in page.texts
        if _is_shown(page, text.parent)
        and (box := union(filter(has_area, text.rects)))
        and (words := text.text.split())
    ]
    elements = [
        (*_centre(element.rect, page.size), 1.0)
        for place, element in enumerate(page.elements)
        if element.rect and has_area(element.rect) and _is_shown(page, place)
    ]
    return Contents(
        atoms([text[:3] for text in texts]),
        np.array([text[3] for text in texts], np.float64),
        atoms(elements),
    )


def flat_on_page(page: MarkedPage, rendered: RenderedPage, held: Contents) -> Flat:
    """The segmentation with what is in its blocks: elements and texts that have their centre there.

    Elements are counted by their boxes and not by the DOM, so that blocks of two or of no elements
    are counted as others are. Every block of `page` has a rectangle.
    """
    blocks = [
        normalise(block.rect, rendered.size) for block in page.terminal if block.rect is not None
    ]
    elements = members(held.elements, blocks).sum(axis=0)
    words = held.words @ members(held.texts, blocks)
    counted = tuple(
        block._replace(elements=int(e), words=int(w))
        for block, e, w in zip(blocks, elements, words, strict=True)
    )
    return Flat(
        page.algorithm,
        rendered.size,
        int(held.words.sum()),
        counted,
        importances(counted, min(1.0, rendered.viewport[1] / max(1, rendered.size[1]))),
    )


def _centre(box: Rect, size: tuple[float, float]) -> tuple[float, float]:
    left, top, right, bottom, *_ = normalise(box, size)
    return (left + right) / 2, (top + bottom) / 2


def _is_shown(page: RenderedPage, place: int) -> bool:
    return page.styles[page.elements[place].style].visibility == "visible"
