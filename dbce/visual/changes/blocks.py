"""The blocks of two rendered snapshots paired: which stayed, changed, came and went.

Equal texts stay first, in their order. The rest is paired by an assignment (Hungarian method) of the
likest: cosine of word counts, by itself where there are no boxes, else with the overlap of the boxes.
Never by position or number in the list: one block more would have all later ones compared with the wrong one.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from dbce.visual.changes.snapshot import CONTENT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from dbce.visual.changes.snapshot import BlockColumns

    Pairs = list[tuple[int, int]]

ALIKE = 0.5
"""Likeness that two blocks must have to be one that changed, 0 to 1."""

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
    """The blocks of two snapshots; `weight` is that of all changes of content.

    A change weighs the importance of the block (of both, the mean) by the share of its words, links and
    images that changed; of links and images it is only known in which block they are where pages were rendered.
    """
    kept, left, right = _equal(old, new)
    similar = [(left[i], right[j]) for i, j in _assigned(old, new, left, right)]
    of_old, of_new = ({pair[side] for pair in similar} for side in (0, 1))
    removed = [block for block in left if block not in of_old]
    added = [block for block in right if block not in of_new]
    weights = [_share_changed(old, new, pair) for pair in similar]
    weights += [_alone(old, block) for block in removed] + [_alone(new, block) for block in added]
    return ChangedBlocks(kept, similar, removed, added, float(sum(weights)))


def _equal(old: BlockColumns, new: BlockColumns) -> tuple[Pairs, list[int], list[int]]:
    """Return the pairs of blocks with equal texts, in order, and the unpaired old and unpaired new blocks."""
    there: defaultdict[bytes, deque[int]] = defaultdict(deque)
    for block, words in enumerate(_bytes(new)):
        there[words].append(block)
    kept, left = [], []
    for block, words in enumerate(_bytes(old)):
        same = there.get(words)
        if same:
            kept.append((block, same.popleft()))
        else:
            left.append(block)
    return kept, left, sorted(block for blocks in there.values() for block in blocks)


def _bytes(side: BlockColumns) -> Iterator[bytes]:
    """The words of each block as bytes, which compare and hash faster than arrays."""
    data, start = side.words.tobytes(), 0
    for end in (side.ends * side.words.itemsize).tolist():
        yield data[start:end]
        start = end


def _assigned(
    old: BlockColumns, new: BlockColumns, left: Sequence[int], right: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Pairs of places in `left` and `right` that are alike enough."""
    ours, theirs = _longest(old, left), _longest(new, right)
    if not ours or not theirs:
        return
    alike: NDArray[np.floating] = _cosine(
        old, new, [left[i] for i in ours], [right[j] for j in theirs]
    )
    if len(old.rects) and len(new.rects):
        boxes = (old.rects[[left[i] for i in ours]], new.rects[[right[j] for j in theirs]])
        alike = (alike + overlaps(*boxes)) / 2
    for i, j in zip(*linear_sum_assignment(alike, maximize=True), strict=True):
        if alike[i, j] >= ALIKE:
            yield ours[i], theirs[j]


def _longest(blocks: BlockColumns, some: Sequence[int]) -> list[int]:
    """The places of the longest of some blocks, in their order."""
    if len(some) <= MOST:
        return list(range(len(some)))
    order = np.argsort(-blocks.sizes[list(some)], kind="stable")
    return sorted(order[:MOST].tolist())


def _cosine(
    old: BlockColumns, new: BlockColumns, left: Sequence[int], right: Sequence[int]
) -> NDArray[np.float32]:
    """Cosine of the word counts of each pair; of two blocks without words it is 1."""
    ours, theirs = _counts(old, left), _counts(new, right)
    cosines: NDArray[np.float32] = ours @ theirs.T
    cosines[np.outer(~ours.any(axis=1), ~theirs.any(axis=1))] = 1
    return cosines


def _counts(side: BlockColumns, some: Sequence[int]) -> NDArray[np.float32]:
    """The word counts of some blocks, a row each of length 1, or 0 without words."""
    sizes = side.sizes[list(some)]
    words = np.concatenate([side.of(block) for block in some])
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
    shares: NDArray[np.float64] = np.where(both > 0, common / np.where(both > 0, both, 1), 0.0)
    return shares


def _share_changed(old: BlockColumns, new: BlockColumns, pair: tuple[int, int]) -> float:
    """Return the weight of a block that changed: its importance by the share of its words that came or went."""
    if not max(old.content[pair[0]], new.content[pair[1]]) >= CONTENT:
        return 0.0
    before, after = old.of(pair[0]), new.of(pair[1])
    known, number = np.unique(np.concatenate((before, after)), return_inverse=True)
    sides = number[: len(before)], number[len(before) :]
    counts = [np.bincount(side, minlength=len(known)) for side in sides]
    share = np.abs(counts[0] - counts[1]).sum() / max(1, len(number))
    return float((old.importance[pair[0]] + new.importance[pair[1]]) / 2 * share)


def _alone(side: BlockColumns, block: int) -> float:
    return float(side.importance[block]) if side.content[block] >= CONTENT else 0.0
