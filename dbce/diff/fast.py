"""Which words of a page another page shares: aligned node by node, then word by word.

The method compares the two pages as sequences of words (thesis, section 2.2, after
lxml.html.diff). Most of two pages of one template is equal text node by text node, so whole equal
nodes are aligned first; only what lies between them is aligned word by word. Both alignments are
longest common subsequences from rapidfuzz (bit-parallel, Hyyrö 2004).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import LCSseq

from dbce.hashing import mix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from dbce.model import Hashes, Mask

SMALL = 2
"""Matching runs of at most so many words are taken for chance (lxml.html.diff, `threshold`)."""

Block = tuple[int, int, int]
"""Start in the one sequence, start in the other, length."""


def node_keys(words: Hashes, ends: Hashes) -> NDArray[np.uint64]:
    """One 64-bit key per text node; equal words in equal order give equal keys."""
    if not len(ends):
        return np.zeros(0, dtype=np.uint64)
    starts = np.concatenate(([0], ends[:-1])).astype(np.int64)
    place = np.arange(len(words)) - np.repeat(starts, np.diff(ends, prepend=0))
    placed = words.astype(np.uint64) | (place.astype(np.uint64) << np.uint64(32))
    return mix(np.add.reduceat(mix(placed), starts))


def align(
    words: Hashes,
    ends: Hashes,
    other_words: Hashes,
    other_ends: Hashes,
    cells: int,
) -> Mask:
    """True for every word that the other page shares, in order.

    Args:
        words: word hashes of the page that is annotated, shape (n,).
        ends: end of each of its text nodes in `words`, shape (nodes,).
        other_words: the same of the page it is compared with.
        other_ends: the same of the page it is compared with.
        cells: work limit, in pairs of words; in a gap that would exceed what is left of it only
            whole equal text nodes count as shared.
    """
    keys, other_keys = node_keys(words, ends), node_keys(other_words, other_ends)
    if len(keys) * len(other_keys) > cells:
        return np.repeat(np.isin(keys, other_keys), np.diff(ends, prepend=0))
    starts, other_starts = _starts(ends), _starts(other_ends)
    # Where each word stands in the other page, -1 where it does not.
    partner = np.full(len(words), -1, dtype=np.int64)
    whole = np.zeros(len(words), dtype=np.bool_)
    anchors = list(_common(keys, other_keys))
    for i, j, length in anchors:
        here = slice(starts[i], starts[i + length])
        partner[here] = np.arange(other_starts[j], other_starts[j + length])
        whole[here] = True
    for (i, j, length), (next_i, next_j, _) in pairwise(
        [(0, 0, 0), *anchors, _last(keys, other_keys)]
    ):
        gap = slice(starts[i + length], starts[next_i])
        other_gap = slice(other_starts[j + length], other_starts[next_j])
        cost = (gap.stop - gap.start) * (other_gap.stop - other_gap.start)
        if cost <= cells:
            cells -= cost
            for a, b, size in _common(words[gap], other_words[other_gap]):
                first = other_gap.start + b
                partner[gap.start + a : gap.start + a + size] = np.arange(first, first + size)
    return _without_small(partner, whole)


def _starts(ends: Hashes) -> NDArray[np.int64]:
    """Start of each node, and one past the last."""
    return np.concatenate(([0], ends)).astype(np.int64)


def _last(keys: NDArray[np.uint64], other_keys: NDArray[np.uint64]) -> Block:
    return len(keys), len(other_keys), 0


def _common(
    one: NDArray[np.unsignedinteger], other: NDArray[np.unsignedinteger]
) -> Iterator[Block]:
    """The blocks of a longest common subsequence, in order."""
    if len(one) and len(other):
        for op in LCSseq.opcodes(one.tolist(), other.tolist()):
            if op.tag == "equal":
                yield op.src_start, op.dest_start, op.src_end - op.src_start


def _without_small(partner: NDArray[np.int64], whole: Mask) -> Mask:
    """The shared words without matches that may be chance: short, and not a whole node."""
    shared = partner >= 0
    if not len(partner):
        return shared
    # A block goes on while both pages go on.
    breaks = np.flatnonzero((np.diff(partner) != 1) | ~shared[1:]) + 1
    first = np.concatenate(([0], breaks))
    size = np.diff(np.append(first, len(partner)))
    small = np.repeat(size <= min(SMALL, len(partner) // 4), size)
    return shared & (~small | whole)
