"""The texts of a block of pages, side by side, so that many pairs are compared at once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.diff.spans import Spans
from dbce.model import first_numbers, mix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.model import Hashes

CHUNK = 1 << 16
"""Words whose keys are made at once: as many as stay in a processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """The words of all pages, end to end, and where their text nodes and the pages begin.

    `nodes[i]` is the number of text node i: equal where the words are. Its words begin at
    `word_starts[i]`; the nodes of page p begin at `node_starts[p]`; both have one more entry, the
    end of the last.
    """

    words: Hashes
    nodes: Hashes
    word_starts: NDArray[np.int64]
    node_starts: NDArray[np.int64]

    def nodes_of(self, pages: NDArray[np.int64]) -> Spans:
        """The text nodes of pages."""
        starts = self.node_starts[pages]
        return Spans(starts, self.node_starts[pages + 1] - starts)

    def words_of(self, pages: NDArray[np.int64]) -> Spans:
        """The words of pages."""
        return self.words_between(self.node_starts[pages], self.node_starts[pages + 1])

    def words_between(self, nodes: NDArray[np.int64], ends: NDArray[np.int64]) -> Spans:
        """The words of stretches of text nodes, each without its end."""
        starts = self.word_starts[nodes]
        return Spans(starts, self.word_starts[ends] - starts)


def texts_of(pages: Sequence[tuple[Hashes, Hashes]]) -> Texts:
    """The texts of pages given as (word hashes, end of each text node among them)."""
    words = np.concatenate([words for words, _ in pages])
    nodes_of = [len(ends) for _, ends in pages]
    sizes = np.concatenate([np.diff(ends, prepend=np.uint32(0)) for _, ends in pages])
    word_starts = _starts(sizes)
    numbers, _ = first_numbers(_keys(words, word_starts))
    return Texts(words, numbers.astype(np.uint32), word_starts, _starts(nodes_of))


def node_keys(words: Hashes, ends: NDArray[np.integer]) -> NDArray[np.uint64]:
    """One 64-bit key per text node; equal words in equal order give equal keys."""
    if not len(ends):
        return np.zeros(0, dtype=np.uint64)
    starts = np.concatenate(([0], ends[:-1])).astype(np.int64)
    place = np.arange(len(words)) - np.repeat(starts, np.diff(ends, prepend=0))
    # A sum has no order: so each word is mixed together with its place.
    placed = words.astype(np.uint64) | (place.astype(np.uint64) << np.uint64(32))
    return mix(np.add.reduceat(mix(placed), starts))


def _keys(words: Hashes, starts: NDArray[np.int64]) -> NDArray[np.uint64]:
    cuts = np.unique(np.searchsorted(starts, [*range(0, len(words), CHUNK), len(words)]))
    return np.concatenate(
        [
            node_keys(words[starts[a] : starts[b]], starts[a + 1 : b + 1] - starts[a])
            for a, b in pairwise(cuts.tolist())
        ]
        or [np.zeros(0, dtype=np.uint64)]
    )


def _starts(sizes: Sequence[int] | NDArray[np.integer]) -> NDArray[np.int64]:
    """The place where each begins, and the end of the last."""
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
