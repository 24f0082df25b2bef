"""Roles of blocks: of those of level 1 all at once, of those in them by what is in each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dbce.visual.segment.bands.outer import EDGE, outer_roles
from dbce.visual.segment.bands.traits import ARTICLE, ASIDE, HEADER, NAV, SECTION, PageTraits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.visual import Rect, Segmentation
    from dbce.visual.segment.bands.traits import BlockTraits
    from dbce.visual.segment.boxes import Outline

WORDY = 80
"""Characters outside links that make an article."""

TEASER = 60
"""Characters of a block from which on its verdicts say what it is."""

HALF = 0.5
"""The share of content from which on a block inside another is an article."""


def named(
    outline: Outline, segmentation: Segmentation, content: Mapping[int, float] | None = None
) -> Segmentation:
    """The segmentation with a role for each block but the page.

    `content` is the share of each text that is content, by its number in `nodes`, where that is known.
    """
    traits = PageTraits(outline, segmentation, content or {})
    outer = [block for block in segmentation.blocks if block.parent == 0]
    roles = iter(outer_roles([traits.of(block) for block in outer], traits.page))
    blocks = []
    for block in segmentation.blocks:
        if block.parent == 0:
            block = block._replace(role=next(roles))  # noqa: PLW2901 - with its role
        elif block.parent > 0:
            block = block._replace(role=_inner(traits.of(block), traits.page))  # noqa: PLW2901
        blocks.append(block)
    return replace(segmentation, blocks=tuple(blocks))


def _inner(block: BlockTraits, page: Rect) -> str:
    """Return an inner block's role by, in turn, its element, names of an aside, verdicts, links, a top picture, words."""
    if block.landmark or block.hint == ASIDE:
        return block.landmark or ASIDE
    if block.content is not None and block.characters >= TEASER and block.content >= HALF:
        return ARTICLE  # a teaser is a link as a whole, and yet what the page is about
    if block.is_for_links:
        return NAV
    if not block.characters and block.rect.y <= page.y + EDGE * page.h:
        return HEADER
    return ARTICLE if block.characters - block.linked >= WORDY else SECTION
