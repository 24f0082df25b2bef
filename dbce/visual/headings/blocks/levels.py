"""Blocks from headings with levels: where each ends, and what it is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.headings.blocks.model import BODY, HeadedBlock

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dbce.visual import RenderedPage
    from dbce.visual.headings.blocks.model import Heading


class Extent:
    """Places of things on a page: for each element the order number behind all that is in it."""

    def __init__(self, page: RenderedPage) -> None:
        self.ends = [element.order + 1 for element in page.elements]
        for text in page.texts:
            self.ends[text.parent] = max(self.ends[text.parent], text.order + 1)
        for place in range(len(page.elements) - 1, 0, -1):
            parent = page.elements[place].parent
            self.ends[parent] = max(self.ends[parent], self.ends[place])


def first_of(page: RenderedPage, heading: Heading) -> int:
    """The order of the first text or image of a heading."""
    orders = [page.texts[text].order for text in heading.texts]
    orders += (page.elements[image].order for image in heading.images)
    return min(orders)


def by_level(
    page: RenderedPage,
    body: int,
    headings: Iterable[Heading],
    ends: Sequence[int | None] | None = None,
) -> tuple[HeadedBlock, ...]:
    """The blocks of headings: each goes on until the next heading of its level or a higher one.

    `ends` may say of a heading, in the order of `headings`, where its block ends instead. A block
    never goes on behind the one that it is in.
    """
    last = Extent(page).ends[body]
    blocks = [HeadedBlock(-1, BODY, page.elements[body].order, last)]
    given = list(headings)
    said = ends if ends is not None else [None] * len(given)
    numbered = sorted(
        (first_of(page, heading), heading, end) for heading, end in zip(given, said, strict=True)
    )
    open_blocks = [0]
    for number, (first, heading, end) in enumerate(numbered):
        behind = (at for at, other, _ in numbered[number + 1 :] if other.level <= heading.level)
        stop = next(behind, last) if end is None else end
        while open_blocks[1:] and (
            blocks[open_blocks[-1]].heading.level >= heading.level
            or blocks[open_blocks[-1]].end <= first
        ):
            open_blocks.pop()
        parent = open_blocks[-1]
        stop = min(stop, blocks[parent].end)
        open_blocks.append(len(blocks))
        blocks.append(HeadedBlock(parent, heading, first, stop))
    return tuple(blocks)


def nested(blocks: Sequence[HeadedBlock]) -> tuple[HeadedBlock, ...]:
    """Return the same blocks with the level of each heading set to the number of blocks around its own."""
    levels = [0]
    for block in blocks[1:]:
        levels.append(levels[block.parent] + 1)
    return tuple(
        block._replace(heading=block.heading._replace(level=level))
        for block, level in zip(blocks, levels, strict=True)
    )
