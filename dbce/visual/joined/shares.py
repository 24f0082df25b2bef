"""Share of each block of a page that is content, and how much of the page's middle the block covers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.model import Label
from dbce.visual.measure import Atoms, has_area, importances, members, normalise, union

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dbce.visual import Block, RenderedPage

HALF = 0.5
"""The share of content from which on a block is content."""


class BlockShare(NamedTuple):
    """A block with verdicts.

    `characters` are those of texts in it that have a verdict; `content` is the share of them that is
    content, None if there are none, and `label` what most of them are, "" then. `importance` is that of
    Sanoja's thesis (3.2.3) among the terminal blocks of the page; a block that holds others has theirs.
    """

    characters: int
    content: float | None
    label: str
    importance: float


def shares_of(
    page: RenderedPage, blocks: Sequence[Block], content: Mapping[int, float]
) -> list[BlockShare]:
    """For each block of a page what the verdicts say of it.

    `content` is the share of each text node that is content, by its number in `nodes`. A text is in the
    blocks that have its centre.
    """
    normal = [normalise(block.rect, page.size) for block in blocks]
    places, told = [], []
    for text in page.texts:
        box = union(filter(has_area, text.rects))
        if box and text.node in content:
            left, top, right, bottom, *_ = normalise(box, page.size)
            characters = len(" ".join(text.text.split()))
            places.append(((left + right) / 2, (top + bottom) / 2, characters))
            told.append(content[text.node])
    texts = Atoms(*np.array(places, np.float64).reshape(-1, 3).T)
    inside = members(texts, normal)
    counts = (texts.weights @ inside).tolist()
    of_content = (texts.weights * np.array(told)) @ inside
    sums = zip(counts, of_content.tolist(), _importances(page, blocks), strict=True)
    return [_share(round(count), good, weight) for count, good, weight in sums]


def _share(characters: int, of_content: float, importance: float) -> BlockShare:
    if not characters:
        return BlockShare(0, None, "", importance)
    content = round(of_content / characters, 4)
    label = Label.CONTENT if content >= HALF else Label.BOILERPLATE
    return BlockShare(characters, content, label, importance)


def _importances(page: RenderedPage, blocks: Sequence[Block]) -> list[float]:
    parents = {block.parent for block in blocks}
    terminal = [n for n in range(len(blocks)) if n not in parents]
    visible = min(1.0, page.viewport[1] / max(1, page.size[1]))
    own = importances([normalise(blocks[n].rect, page.size) for n in terminal], visible)
    found = [0.0] * len(blocks)
    for n, importance in zip(terminal, own, strict=True):
        at = n
        while at >= 0:
            found[at] += importance
            at = blocks[at].parent
    return found
