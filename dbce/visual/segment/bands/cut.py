"""Choice of the parts of a page that are its blocks: bands and columns at first sight, and their parts."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from dbce.visual.segment.bands.coarse import FirstSight
from dbce.visual.segment.bands.fine import SecondSight
from dbce.visual.segment.bands.parts import PageParts, elements_of
from dbce.visual.segment.bands.strips import Strip, Strips
from dbce.visual.segment.boxes import Node, area, by_place, category, smallest_common

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dbce.visual.segment.bands.options import BandOptions
    from dbce.visual.segment.bands.parts import PagePart
    from dbce.visual.segment.boxes import Outline


def cut(outline: Outline, options: BandOptions, content: Mapping[int, float] | None = None) -> Node:
    """The page with its blocks of level 1, and in these, if asked for, those of level 2.

    `content` is the share of each text that is content, by its number in `nodes`, where that is known.
    """
    parts = PageParts(outline, content)
    strips = Strips(parts, options.slack)
    first = FirstSight(parts, strips, options, is_judged=content is not None)
    second = SecondSight(parts, strips, options)
    root = _node(outline, Strip(parts.page, outline.rect), is_floating=False)
    blocks = _all(*first.blocks())
    root.children = [_node(outline, strip, is_floating=floats) for strip, floats in blocks]
    if options.level == 2:
        for node, (strip, _) in zip(root.children, blocks, strict=True):
            pieces = _all(*second.blocks(strip))
            inner = [_node(outline, piece, is_floating=floats) for piece, floats in pieces]
            node.children = sorted(inner, key=by_place) if len(inner) > 1 else []
    root.children.sort(key=by_place)
    if len(root.children) == 1:
        root.children = root.children[0].children
    return root


def _all(blocks: Sequence[Strip], afloat: Sequence[PagePart]) -> list[tuple[Strip, bool]]:
    """Blocks in the flow and out of it, and which they are."""
    out = ((Strip(part, part.rect), True) for part in afloat)
    return [*((strip, False) for strip in blocks), *out]


def _node(outline: Outline, strip: Strip, *, is_floating: bool) -> Node:
    elements = elements_of(strip.part)
    held = (outline.page.elements[n] for n in elements)
    kind = reduce(smallest_common, (category(element.tag, element.attributes) for element in held))
    rect = strip.visible
    return Node(rect, elements, kind, area(rect, outline.size), is_floating=is_floating)
