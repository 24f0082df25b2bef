"""BoM as its authors published it: the JavaScript, 1.1.1 or 1.1, on collected boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.segment.bom.cues import has_cues
from dbce.visual.segment.bom.objects import logical_objects
from dbce.visual.segment.bom.passes import Passes
from dbce.visual.segment.boxes import WEIGHTS, by_place

if TYPE_CHECKING:
    from dbce.visual import Rect
    from dbce.visual.segment.bom.options import PublishedOptions
    from dbce.visual.segment.boxes import Node, Outline


def published(outline: Outline, options: PublishedOptions) -> Node:
    """The blocks of a page; siblings from top to bottom."""

    def weight(rect: Rect) -> float:
        return WEIGHTS[options.weight](rect, outline.size)

    page = logical_objects(
        outline, weight, text_moving=options.text_moving, wrappers=options.wrappers
    )
    elements = outline.page.elements
    Passes(elements, weight, lambda node: has_cues(outline, node), options).run(page)
    page.rect, page.weight = outline.rect, weight(outline.rect)
    nodes = [page]
    for node in nodes:
        node.children.sort(key=by_place)
        nodes += node.children
    return page
