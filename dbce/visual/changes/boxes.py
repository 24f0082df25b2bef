"""Blocks of a rendered page with their boxes, and those of two pages paired: which stayed, changed, were added and removed.

Equal texts stay first, in their order. The rest is paired by an assignment (Hungarian method) of the
likest: cosine of word counts, by itself where there are no boxes, else with the overlap of the boxes.
Never by position or number in the list: one block more would have all later ones compared with the wrong one.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from dbce.history import equal_pairs
from dbce.model import hash_strings, words_of
from dbce.visual import Block, Rect, RenderedPage, has_area, union
from dbce.visual.block_verdicts import CONTENT, shares_of
from dbce.visual.changes.snapshot import NAMED_BY, BlockColumns, count_words_of_both, without_player
from dbce.visual.segment import segment

Pairs = list[tuple[int, int]]


def boxes_of(page: RenderedPage, content: Mapping[int, float]) -> BlockColumns:
    """Return the terminal blocks of a page; a text, link or image is in the first that has its centre.

    `content` is the share of each text node that is content, by its number in `nodes`.
    """
    every = segment(page).blocks
    parents = {block.parent for block in every}
    told = zip(every, shares_of(page, every, content), strict=True)
    terminal = [pair for n, pair in enumerate(told) if n not in parents]
    cut, shares = [block for block, _ in terminal], [share for _, share in terminal]
    texts = _texts_by_block(cut, ((text.rects, text.text) for text in page.texts))
    addresses = _texts_by_block(cut, _addresses(page))
    of_blocks = [
        words_of(" ".join(of_block_texts).lower()) + named
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


def _texts_by_block(
    blocks: Sequence[Block], boxed: Iterable[tuple[Sequence[Rect], str]]
) -> list[list[str]]:
    """Return the texts of each block: those whose centre is in it and in none before."""
    contents: list[list[str]] = [[] for _ in blocks]
    for rects, held in boxed:
        box = union(filter(has_area, rects))
        if box is not None:
            holders = (n for n, block in enumerate(blocks) if block.rect.has_centre_of(box))
            place = next(holders, None)
            if place is not None:
                contents[place].append(held)
    return contents


ALIKE = 0.5  # likeness that two blocks must have to be one that changed, 0 to 1

MOST = 100
"""Blocks of a side that are paired with others: the longest. The work grows with their cube."""

COLUMNS = 512
"""Words are counted in so many columns, by their hashes: two of a block's share one now and then."""


class ChangedBlocks(NamedTuple):
    """Fate of each block of two rendered snapshots, as places in either list; `changed` are pairs (old, new)."""

    kept: Pairs
    changed: Pairs
    removed: list[int]
    added: list[int]
    weight: float


def changed_blocks(old: BlockColumns, new: BlockColumns) -> ChangedBlocks:
    """Return the blocks of two snapshots; `weight` is that of all changes of content.

    A change weighs the importance of the block (of both, the mean) by the share of its words, links and
    images that changed; of links and images it is only known in which block they are where pages were rendered.
    """
    kept, left, right = equal_and_left(enumerate(old.texts()), enumerate(new.texts()))
    similar = list(_assign_pairs(old, new, left, right))
    of_old, of_new = ({pair[side] for pair in similar} for side in (0, 1))
    removed = [block for block in left if block not in of_old]
    added = [block for block in right if block not in of_new]
    weights = [_share_changed(old, new, pair) for pair in similar]
    for side, blocks in ((old, removed), (new, added)):
        weights += [float(side.importance[n]) for n in blocks if side.content[n] >= CONTENT]
    return ChangedBlocks(kept, similar, removed, added, float(sum(weights)))


def equal_and_left(
    old: Iterable[tuple[int, Hashable]], new: Iterable[tuple[int, Hashable]]
) -> tuple[Pairs, list[int], list[int]]:
    """Return the pairs of places with equal keys, each in one pair and in order, and the unpaired old and new ones."""
    sides = list(old), list(new)
    kept = sorted(equal_pairs(*sides))
    of_old, of_new = ({pair[side] for pair in kept} for side in (0, 1))
    left, right = sides
    return kept, [n for n, _ in left if n not in of_old], [n for n, _ in right if n not in of_new]


def _assign_pairs(
    old: BlockColumns, new: BlockColumns, left: list[int], right: list[int]
) -> Iterator[tuple[int, int]]:
    """Pairs of blocks, of `left` and of `right`, that are alike enough."""
    ours, theirs = _longest(old, left), _longest(new, right)
    if not ours or not theirs:
        return
    alike: NDArray[np.floating] = _cosine(old, new, ours, theirs)
    if len(old.rects) and len(new.rects):
        alike = (alike + overlaps(old.rects[ours], new.rects[theirs])) / 2
    for i, j in zip(*linear_sum_assignment(alike, maximize=True), strict=True):
        if alike[i, j] >= ALIKE:
            yield ours[i], theirs[j]


def _longest(blocks: BlockColumns, some: list[int]) -> list[int]:
    """Return the longest of some blocks, in their order."""
    order = np.argsort(-blocks.sizes[some], kind="stable")
    return [some[n] for n in sorted(order[:MOST].tolist())]


def _cosine(
    old: BlockColumns, new: BlockColumns, left: Sequence[int], right: Sequence[int]
) -> NDArray[np.float32]:
    """Cosine of the word counts of each pair; of two blocks without words it is 1."""
    ours, theirs = _counts(old, left), _counts(new, right)
    cosines: NDArray[np.float32] = ours @ theirs.T
    cosines[np.outer(~ours.any(axis=1), ~theirs.any(axis=1))] = 1
    return cosines


def _counts(side: BlockColumns, some: Sequence[int]) -> NDArray[np.float32]:
    """Return the word counts of some blocks, a row each of length 1, or 0 without words."""
    sizes = side.sizes[list(some)]
    words = np.concatenate([side.words_of(block) for block in some])
    cells = np.repeat(np.arange(len(some)) * COLUMNS, sizes) + words % COLUMNS
    counts = np.bincount(cells, minlength=len(some) * COLUMNS).reshape(-1, COLUMNS)
    rows = counts.astype(np.float32)
    lengths = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    normed: NDArray[np.float32] = rows / np.maximum(lengths, 1)
    return normed


def overlaps(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float64]:
    """Intersection over union of each pair of rectangles (x, y, w, h)."""
    ours, theirs = left[:, None, :].astype(np.float64), right[None, :, :].astype(np.float64)
    start = np.maximum(ours[..., :2], theirs[..., :2])
    end = np.minimum(ours[..., :2] + ours[..., 2:], theirs[..., :2] + theirs[..., 2:])
    common = np.clip(end - start, 0, None).prod(axis=-1)
    both = ours[..., 2:].prod(axis=-1) + theirs[..., 2:].prod(axis=-1) - common
    return np.where(both > 0, common / np.where(both > 0, both, 1), 0.0)


def _share_changed(old: BlockColumns, new: BlockColumns, pair: tuple[int, int]) -> float:
    """Return the weight of a block that changed: its importance by the share of its words that were added or removed."""
    if max(old.content[pair[0]], new.content[pair[1]]) < CONTENT:
        return 0.0
    before, after = old.words_of(pair[0]), new.words_of(pair[1])
    ours, theirs = count_words_of_both(before, after)
    share = np.abs(ours - theirs).sum() / max(1, len(before) + len(after))
    return float((old.importance[pair[0]] + new.importance[pair[1]]) / 2 * share)
