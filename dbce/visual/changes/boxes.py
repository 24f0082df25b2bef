"""Blocks of a rendered page with their boxes, and pairs of those of two pages: kept, changed, added and removed ones.

Equal texts are paired first, in order. The rest is paired by assignment (Hungarian method) of the most
similar: by cosine of word counts and, where there are boxes, their overlap. Never by position in the
list: one more block would misalign all later ones.
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
from dbce.visual.changes.snapshot import NAMED_BY, BlockColumns, count_shared, without_player
from dbce.visual.segment import segment

Pairs = list[tuple[int, int]]


def boxes_of(page: RenderedPage, content: Mapping[int, float]) -> BlockColumns:
    """Return the terminal blocks of a page; a text, link or image is in the first that contains its centre.

    `content` is the share of each text node that is content, by its number in `nodes`.
    """
    all_blocks = segment(page).blocks
    parents = {block.parent for block in all_blocks}
    judged = zip(all_blocks, shares_of(page, all_blocks, content), strict=True)
    terminal = [pair for n, pair in enumerate(judged) if n not in parents]
    blocks, shares = [block for block, _ in terminal], [share for _, share in terminal]
    texts = _texts_by_block(blocks, ((text.rects, text.text) for text in page.texts))
    addresses = _texts_by_block(blocks, _addresses(page))
    block_words = [
        words_of(" ".join(block_texts).lower()) + block_addresses
        for block_texts, block_addresses in zip(texts, addresses, strict=True)
    ]
    return BlockColumns(
        hash_strings([word for words in block_words for word in words]),
        np.zeros(sum(map(len, block_words)), np.uint8),
        np.cumsum([len(words) for words in block_words]).astype(np.uint32),
        np.array([share.content or 0 for share in shares], np.float32),
        np.zeros(len(blocks), np.uint32),
        np.array([share.importance for share in shares], np.float32),
        np.array([block.rect for block in blocks], np.float32).reshape(-1, 4),
    )


def _addresses(page: RenderedPage) -> Iterator[tuple[Sequence[Rect], str]]:
    """Yield boxes and address of each link and image of a page; its tag is prefixed, to differ from words."""
    for element in page.elements:
        address = element.attributes.get(NAMED_BY.get(element.tag, ""), "").strip()
        if address and element.rect is not None:
            yield (element.rect,), f"{element.tag} {without_player(address)}"


def _texts_by_block(
    blocks: Sequence[Block], boxed: Iterable[tuple[Sequence[Rect], str]]
) -> list[list[str]]:
    """Return the texts of each block: those centred in it and in no earlier one."""
    contents: list[list[str]] = [[] for _ in blocks]
    for rects, text in boxed:
        box = union(filter(has_area, rects))
        if box is not None:
            holders = (n for n, block in enumerate(blocks) if block.rect.has_centre_of(box))
            place = next(holders, None)
            if place is not None:
                contents[place].append(text)
    return contents


SIMILAR = 0.5  # minimum similarity of two blocks to be one that changed, 0 to 1

MOST = 100
"""Maximum blocks of a side that are paired by similarity, the longest. The work grows with their cube."""

COLUMNS = 512
"""Columns of word counts, by hash: two words of a block collide now and then."""


class ChangedBlocks(NamedTuple):
    """Fate of each block of two snapshots, as places in either list; `changed` are pairs (old, new)."""

    kept: Pairs
    changed: Pairs
    removed: list[int]
    added: list[int]
    weight: float = 0.0


def changed_blocks(old: BlockColumns, new: BlockColumns) -> ChangedBlocks:
    """Return the blocks of two snapshots; `weight` is that of all changes of content.

    A change weighs the importance of the block (of both, the mean) by the share of its words, links and
    images that changed; the blocks of links and images are only known where pages were rendered.
    """
    kept, old_rest, new_rest = pair_equal(enumerate(old.texts()), enumerate(new.texts()))
    similar = list(_assign_pairs(old, new, old_rest, new_rest))
    paired_old, paired_new = ({pair[side] for pair in similar} for side in (0, 1))
    removed = [block for block in old_rest if block not in paired_old]
    added = [block for block in new_rest if block not in paired_new]
    weights = [_share_changed(old, new, pair) for pair in similar]
    for side, blocks in ((old, removed), (new, added)):
        weights += [float(side.importance[n]) for n in blocks if side.content[n] >= CONTENT]
    return ChangedBlocks(kept, similar, removed, added, float(sum(weights)))


def pair_equal(
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
    """Yield pairs of similar blocks, of `left` and of `right`."""
    old_blocks, new_blocks = _longest(old, left), _longest(new, right)
    if not old_blocks or not new_blocks:
        return
    similarity: NDArray[np.floating] = _cosine(old, new, old_blocks, new_blocks)
    if len(old.rects) and len(new.rects):
        similarity = (similarity + overlaps(old.rects[old_blocks], new.rects[new_blocks])) / 2
    for i, j in zip(*linear_sum_assignment(similarity, maximize=True), strict=True):
        if similarity[i, j] >= SIMILAR:
            yield old_blocks[i], new_blocks[j]


def _longest(blocks: BlockColumns, places: list[int]) -> list[int]:
    order = np.argsort(-blocks.sizes[places], kind="stable")
    return [places[n] for n in sorted(order[:MOST].tolist())]


def _cosine(
    old: BlockColumns, new: BlockColumns, left: Sequence[int], right: Sequence[int]
) -> NDArray[np.float32]:
    """Return the cosine of the word counts of each pair; 1 for two blocks without words."""
    old_counts, new_counts = _counts(old, left), _counts(new, right)
    cosines: NDArray[np.float32] = old_counts @ new_counts.T
    cosines[np.outer(~old_counts.any(axis=1), ~new_counts.any(axis=1))] = 1
    return cosines


def _counts(side: BlockColumns, places: Sequence[int]) -> NDArray[np.float32]:
    """Return the word counts of some blocks, a row each of length 1, or 0 without words."""
    sizes = side.sizes[list(places)]
    words = np.concatenate([side.words_of(block) for block in places])
    cells = np.repeat(np.arange(len(places)) * COLUMNS, sizes) + words % COLUMNS
    counts = np.bincount(cells, minlength=len(places) * COLUMNS).reshape(-1, COLUMNS)
    rows = counts.astype(np.float32)
    lengths = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    normed: NDArray[np.float32] = rows / np.maximum(lengths, 1)
    return normed


def overlaps(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the intersection over union of each pair of rectangles (x, y, w, h)."""
    first, second = left[:, None, :].astype(np.float64), right[None, :, :].astype(np.float64)
    start = np.maximum(first[..., :2], second[..., :2])
    end = np.minimum(first[..., :2] + first[..., 2:], second[..., :2] + second[..., 2:])
    common = np.clip(end - start, 0, None).prod(axis=-1)
    total = first[..., 2:].prod(axis=-1) + second[..., 2:].prod(axis=-1) - common
    return np.where(total > 0, common / np.where(total > 0, total, 1), 0.0)


def _share_changed(old: BlockColumns, new: BlockColumns, pair: tuple[int, int]) -> float:
    """Return the weight of a block that changed: its importance by the share of its words that were added or removed."""
    if max(old.content[pair[0]], new.content[pair[1]]) < CONTENT:
        return 0.0
    before, after = old.words_of(pair[0]), new.words_of(pair[1])
    words = len(before) + len(after)
    share = (words - 2 * count_shared(before, after)) / max(1, words)
    return float((old.importance[pair[0]] + new.importance[pair[1]]) / 2 * share)
