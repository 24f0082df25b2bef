"""The blocks of a rendered page as they are compared: with their boxes, and the links and images in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.history import words
from dbce.model import hash_strings
from dbce.visual.changes.addresses import NAMED_BY, without_player
from dbce.visual.changes.snapshot import BlockColumns
from dbce.visual.joined import shares_of
from dbce.visual.measure import has_area, union
from dbce.visual.segment import segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dbce.visual import Block, Rect, RenderedPage


def boxes_of(page: RenderedPage, content: Mapping[int, float]) -> BlockColumns:
    """The terminal blocks of a page; a text, link or image is in the first that has its centre.

    `content` is the share of each text node that is content, by its number in `nodes`.
    """
    every = segment(page).blocks
    parents = {block.parent for block in every}
    told = zip(every, shares_of(page, every, content), strict=True)
    terminal = [pair for n, pair in enumerate(told) if n not in parents]
    cut, shares = [block for block, _ in terminal], [share for _, share in terminal]
    texts = _held(cut, ((text.rects, text.text) for text in page.texts))
    addresses = _held(cut, _addresses(page))
    of_blocks = [
        words([" ".join(of_block_texts)])[0] + named
        for of_block_texts, named in zip(texts, addresses, strict=True)
    ]
    return BlockColumns(
        hash_strings([word for of_one in of_blocks for word in of_one]),
        np.zeros(sum(map(len, of_blocks)), np.uint8),
        np.cumsum([len(of_one) for of_one in of_blocks]).astype(np.uint32),
        np.array([share.content or 0 for share in shares], np.float32),
        np.zeros(len(cut), np.uint32),
        np.array([share.importance for share in shares], np.float32),
        np.array([block.rect for block in cut], np.float32).reshape(-1, 4),
    )


def _addresses(page: RenderedPage) -> Iterator[tuple[Sequence[Rect], str]]:
    """Yield boxes and address of each link and image of a page; the tag before it tells it from words."""
    for element in page.elements:
        address = element.attributes.get(NAMED_BY.get(element.tag, ""), "").strip()
        if address and element.rect is not None:
            yield (element.rect,), f"{element.tag} {without_player(address)}"


def _held(blocks: Sequence[Block], boxed: Iterable[tuple[Sequence[Rect], str]]) -> list[list[str]]:
    """For each block what has its centre in it and in none before."""
    contents: list[list[str]] = [[] for _ in blocks]
    for rects, held in boxed:
        box = union(filter(has_area, rects))
        if box is not None:
            place = _holder(blocks, box.x + box.w / 2, box.y + box.h / 2)
            if place is not None:
                contents[place].append(held)
    return contents


def _holder(blocks: Sequence[Block], x: float, y: float) -> int | None:
    return next(
        (
            n
            for n, block in enumerate(blocks)
            if block.rect.x <= x <= block.rect.x + block.rect.w
            and block.rect.y <= y <= block.rect.y + block.rect.h
        ),
        None,
    )
