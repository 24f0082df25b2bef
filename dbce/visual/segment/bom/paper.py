"""BoM as the thesis defines it (Sanoja 2015, chapter 2): from small blocks up, then merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.segment.bom.fine import fine_grained
from dbce.visual.segment.bom.merge import merge
from dbce.visual.segment.boxes import WEIGHTS, composite

if TYPE_CHECKING:
    from dbce.visual import Rect
    from dbce.visual.segment.bom.options import PaperOptions
    from dbce.visual.segment.boxes import Node, Outline


def paper(outline: Outline, options: PaperOptions) -> Node:
    """The blocks of a page: composite ones and below them simple ones, which hold its elements."""

    def weight(rect: Rect) -> float:
        return WEIGHTS[options.weight](rect, outline.size)

    def goes_on(rect: Rect) -> bool:
        page = outline.rect
        if rect == page:
            return options.cuts == "below" or weight(rect) > options.granularity
        spans = ((rect.w >= page.w), (rect.h >= page.h))
        limits = any(spans) if options.spans == "one" else all(spans)
        above = weight(rect) > options.granularity
        return limits and above == (options.cuts == "above")

    simple = fine_grained(outline, WEIGHTS[options.weight], drop_at_body=options.drop_at_body)
    page = composite(outline.rect, simple, goes_on)
    merge(page, weight, options)
    if not simple:
        page.elements = [0]
    return page
