"""Words of a page that another page shares: aligned node by node, then word by word.

The method compares the two pages as sequences of words (thesis, section 2.2, after
lxml.html.diff). Most of two pages of one template is equal text node by text node, so whole equal
nodes are aligned first; only what lies between them is aligned word by word. Both alignments are
longest common subsequences. A page is small for numpy, so many pairs are aligned in one go.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.diff.subsequence import matches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.boilerplate.diff.spans import Places, Spans
    from dbce.boilerplate.diff.texts import Texts
    from dbce.model import Mask

SMALL = 2
"""Matching runs of at most so many words are taken for chance (lxml.html.diff, `threshold`)."""

BATCH = 1 << 16
"""Words of annotated pages that are aligned in one go; more do not fit a processor's cache."""

NONE = -1
"""The partner of a text node that is not shared as a whole."""

APART = 1 << 62
"""The shift of a word that is not shared."""


def align(texts: Texts, cur: Places, other: Places, cells: int) -> Iterator[Mask]:
    """Masks of the pairs of pages, in order: true of every word of the one that the other shares.

    Args:
        texts: the texts of the pages.
        cur: number of the page that is annotated, shape (pairs,).
        other: number of the page that it is compared with, shape (pairs,).
        cells: work limit of a pair, in pairs of words; in a gap that would exceed what is left of
            it only whole equal text nodes count as shared.
    """
    huge = texts.nodes_of(cur).sizes * texts.nodes_of(other).sizes > cells
    masks = _in_batches(texts, cur[~huge], other[~huge], cells)
    for pair, is_huge in enumerate(huge.tolist()):
        yield _whole_nodes(texts, cur[pair], other[pair]) if is_huge else next(masks)


def _in_batches(texts: Texts, cur: Places, other: Places, cells: int) -> Iterator[Mask]:
    ends = np.cumsum(texts.words_of(cur).sizes)
    cuts = np.flatnonzero(np.diff(ends // BATCH)) + 1
    for batch, theirs in zip(np.split(cur, cuts), np.split(other, cuts), strict=True):
        yield from _align(texts, batch, theirs, cells)


def _whole_nodes(texts: Texts, cur: np.int64, other: np.int64) -> Mask:
    """The words of the text nodes that the other page has, wherever."""
    own, its = (texts.nodes_of(np.array([page])).places() for page in (cur, other))
    sizes = texts.word_starts[own + 1] - texts.word_starts[own]
    return np.repeat(np.isin(texts.nodes[own], texts.nodes[its]), sizes)


def _align(texts: Texts, cur: Places, other: Places, cells: int) -> Iterator[Mask]:
    words, nodes, other_nodes = texts.words_of(cur), texts.nodes_of(cur), texts.nodes_of(other)
    node = nodes.places()
    starts = texts.word_starts[node]
    sizes = texts.word_starts[node + 1] - starts

    matched = matches(texts.nodes, nodes, texts.nodes, other_nodes)
    partner = np.full(len(node), NONE)
    partner[nodes.rank(matched.own, matched.number)] = matched.other
    whole = partner != NONE
    # How far each word is from its like, counted in the words of all pages.
    shift = np.repeat(np.where(whole, texts.word_starts[partner] - starts, APART), sizes)

    # As lxml.html.diff bounds it: on a page of few words a run of two is no chance.
    chance = np.minimum(SMALL, words.sizes // 4)
    gaps = _affordable(_gaps(texts, partner, nodes, other_nodes), cells)
    least = int(chance.min()) + 1
    matched = matches(texts.words, gaps.words, texts.words, gaps.other_words, least)
    shift[words.rank(matched.own, gaps.pair[matched.number])] = matched.other - matched.own

    mask = _in_long_runs(shift, words.sizes, chance) | np.repeat(whole, sizes)
    yield from np.split(mask, np.cumsum(words.sizes)[:-1])


@dataclass(frozen=True, slots=True, eq=False)
class _Gaps:
    """Gaps between two aligned nodes of a pair of pages: their words on the one, and on the other."""

    pair: Places
    words: Spans
    other_words: Spans

    def of(self, numbers: Places) -> _Gaps:
        return _Gaps(self.pair[numbers], self.words.of(numbers), self.other_words.of(numbers))


def _gaps(texts: Texts, partner: Places, nodes: Spans, other_nodes: Spans) -> _Gaps:
    """The gaps of all pairs that have words on both pages, in order.

    `partner` tells for every node of the annotated pages with which it is aligned, if with any.
    """
    pairs = np.arange(len(nodes.sizes))
    aligned = np.flatnonzero(partner != NONE)
    pair = np.repeat(pairs, nodes.sizes)[aligned]
    # A gap ends where the next aligned node begins, or the page ends.
    order = np.argsort(np.concatenate((pair, pairs)), kind="stable")
    pair = np.concatenate((pair, pairs))[order]
    ends = np.concatenate((nodes.places()[aligned], nodes.ends))[order]
    other_ends = np.concatenate((partner[aligned], other_nodes.ends))[order]
    first = np.diff(pair, prepend=-1) != 0
    begins = np.where(first, nodes.starts[pair], np.roll(ends, 1) + 1)
    other_begins = np.where(first, other_nodes.starts[pair], np.roll(other_ends, 1) + 1)
    both = np.flatnonzero((begins < ends) & (other_begins < other_ends))
    return _Gaps(
        pair[both],
        texts.words_between(begins[both], ends[both]),
        texts.words_between(other_begins[both], other_ends[both]),
    )


def _affordable(gaps: _Gaps, cells: int) -> _Gaps:
    """The gaps that each pair can pay for, one after the other."""
    costs = gaps.words.sizes * gaps.other_words.sizes
    if np.bincount(gaps.pair, weights=costs).max(initial=0) <= cells:
        return gaps
    left: dict[int, int] = defaultdict(lambda: cells)
    numbers = []
    for number, (pair, cost) in enumerate(zip(gaps.pair.tolist(), costs.tolist(), strict=True)):
        if cost <= left[pair]:
            left[pair] -= cost
            numbers.append(number)
    return gaps.of(np.array(numbers, dtype=np.int64))


def _in_long_runs(shift: Places, sizes: Places, chance: Places) -> Mask:
    """The words that are shared in runs longer than what may be chance on a page of such a size."""
    if not len(shift):
        return np.zeros(0, dtype=np.bool_)
    breaks = np.diff(shift, prepend=-APART) != 0
    breaks[np.cumsum(sizes)[:-1]] = True
    first = np.flatnonzero(breaks)
    small = np.repeat(chance, sizes)[first]
    length = np.diff(first, append=len(shift))
    return np.repeat((length > small) & (shift[first] != APART), length)
