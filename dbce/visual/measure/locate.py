"""Places, on a page as it was laid out, of blocks that are given by the XPaths of their elements."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from dbce.visual import Rect

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dbce.visual import RenderedPage
    from dbce.visual.measure.marked import MarkedPage


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
