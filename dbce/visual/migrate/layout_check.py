"""Comparison of a page's looks before and after: its blocks, its pixels, its height."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.visual.measure import (
    CONVENTIONS,
    MarkedBlock,
    MarkedPage,
    Tolerances,
    contents,
    flat_on_page,
)

if TYPE_CHECKING:
    from dbce.visual import RenderedPage, Segmentation
    from dbce.visual.measure import BlockCounts, Flat

TOLERANCES = Tolerances(relative=0.0, geometric=1.0, importance=0.0)
"""t_r, t_t and t_i of Sanoja and Gancarski's migration (thesis, table 5.3)."""

LEAST_QUALITY = 0.95
"""The least Cq/GTB of a page that looks as it did."""

MOST_FALSE = 0.2
"""The largest Cf of one: none, since blocks are counted."""


class Alike(NamedTuple):
    """A page before and after: blocks, as `BlockCounts` has them, pixels that changed, and heights.

    `changed_pixels` is their share of the larger picture; what only one of both has is changed. None without pictures.
    """

    blocks: BlockCounts
    changed_pixels: float | None
    height_before: int
    height_after: int

    @property
    def quality(self) -> float:
        """Cq/GTB, at most 1: the share of blocks of before that are blocks still.

        Cq counts blocks of both sides: where blocks of before are merged and others cut it may exceed GTB.
        """
        return min(1.0, self.blocks.quality / max(1, self.blocks.gold))

    @property
    def is_good(self) -> bool:
        """True if the blocks are those of before, within LEAST_QUALITY and MOST_FALSE."""
        return self.quality >= LEAST_QUALITY and self.blocks.false_alarms <= MOST_FALSE


class LaidOutPage(NamedTuple):
    """A page as it was laid out: its segmentation, and its picture as PNG, None if none was taken."""

    page: RenderedPage
    segmentation: Segmentation
    picture: bytes | None


def alike(before: LaidOutPage, after: LaidOutPage) -> Alike:
    """Return how alike a page's looks before and after are."""
    correspondence = CONVENTIONS["dbce"].correspond(_flat(before), _flat(after), TOLERANCES)
    old, new = before.picture, after.picture
    return Alike(
        correspondence.blocks,
        changed_pixels(old, new) if old and new else None,
        before.page.size[1],
        after.page.size[1],
    )


def _flat(side: LaidOutPage) -> Flat:
    blocks = tuple(
        MarkedBlock(str(n), "" if block.parent < 0 else str(block.parent), block.rect)
        for n, block in enumerate(side.segmentation.blocks)
    )
    marked = MarkedPage(side.page.record_id, side.page.url, blocks)
    flat = flat_on_page(marked, side.page, contents(side.page))
    if any(block.elements or block.words for block in flat.blocks):
        return flat
    # A page of frames has neither elements nor words of its own. What is empty corresponds to nothing, and yet
    # such a page is what it was: each of its blocks counts as an element.
    return replace(flat, blocks=tuple(block._replace(elements=1) for block in flat.blocks))


def changed_pixels(before: bytes, after: bytes) -> float:
    """The share of pixels that two PNG pictures do not have alike, of the area that holds both."""
    from PIL import Image

    old, new = (np.asarray(Image.open(BytesIO(png)).convert("RGB")) for png in (before, after))
    height, width = (max(old.shape[axis], new.shape[axis]) for axis in (0, 1))
    both = tuple(min(old.shape[axis], new.shape[axis]) for axis in (0, 1))
    same = (old[: both[0], : both[1]] == new[: both[0], : both[1]]).all(axis=2).sum()
    return float(1 - same / max(1, height * width))
