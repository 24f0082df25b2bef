"""Words of a page that another page shares: aligned node by node, then word by word.

The method compares the two pages as sequences of words (thesis, section 2.2, after
lxml.html.diff). Most of two pages of one template is equal text node by text node, so whole equal
nodes are aligned first; only what lies between them is aligned word by word. Both alignments are
longest common subsequences. A page is small for numpy, so many pairs are aligned in one go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dbce import thesis
from dbce.kernel import compiled
from dbce.model import Hashes, Mask, first_alike, first_numbers

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Starts and lengths of stretches."""

    starts: Places
    sizes: Places

    @property
    def ends(self) -> Places:
        return self.starts + self.sizes

    def take(self, numbers: Places) -> Spans:
        return Spans(self.starts[numbers], self.sizes[numbers])

    def rows(self) -> Places:
        return np.stack((self.starts, self.sizes))

    def places(self) -> Places:
        """Places in the array of all values, span by span."""
        shifts = np.repeat(self._shifts(), self.sizes)
        return np.arange(len(shifts)) + shifts

    def rank(self, place: Places, number: Places) -> Places:
        """Ranks in `places` of places of the array, by their span."""
        return place - self._shifts()[number]

    def _shifts(self) -> Places:
        return self.starts - (np.cumsum(self.sizes) - self.sizes)


# The texts of a block of pages, side by side, so that many pairs are compared at once.


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Words of all pages, end to end, and where their text nodes and the pages begin; both have one more entry, the end.

    `nodes[i]` is the number of text node i: equal where the words are.
    """

    words: Hashes
    nodes: Hashes
    word_starts: NDArray[np.int64]
    node_starts: NDArray[np.int64]

    def nodes_of(self, pages: NDArray[np.int64]) -> Spans:
        starts = self.node_starts[pages]
        return Spans(starts, self.node_starts[pages + 1] - starts)

    def words_of(self, pages: NDArray[np.int64]) -> Spans:
        return self.words_between(self.node_starts[pages], self.node_starts[pages + 1])

    def words_between(self, nodes: NDArray[np.int64], ends: NDArray[np.int64]) -> Spans:
        starts = self.word_starts[nodes]
        return Spans(starts, self.word_starts[ends] - starts)


def texts_of(pages: Sequence[tuple[Hashes, Hashes]]) -> Texts:
    """Texts of pages given as (word hashes, end of each text node among them)."""
    all_words, all_ends = zip(*pages, strict=True)
    words, ends = map(np.concatenate, (all_words, all_ends))
    nodes_of = [*map(len, all_ends)]
    before = _starts([*map(len, all_words)])[:-1]
    word_starts = np.append(0, ends + before.repeat(nodes_of))
    keys = np.empty(len(ends), np.int64)
    compiled.hash_rows(words, word_starts, keys)
    numbers, _ = first_numbers(keys)
    return Texts(words, numbers.astype(np.uint32), word_starts, _starts(nodes_of))


def _starts(sizes: Sequence[int]) -> NDArray[np.int64]:
    """The place where each begins, and the end of the last."""
    return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))


# Longest common subsequences of many pairs of spans at once.
#
# What two spans have in common at their ends is matched first, the rest by LCSseq of rapidfuzz
# (bit-parallel, Hyyrö 2004). Two things keep that cheap without changing a match. What the other
# span does not have is left out: the traceback passes it by. And many pairs share one call: each
# has its own values, so that nothing matches across.

TOGETHER = 256
"""Values that share a call. Its work grows by their square: more cost more than a call saves."""

ENDS = "\0\1\2\3"  # first and last letter of the one span, and of the other: no value has them
LETTERS = 0x110000 - len(ENDS)  # there are for values; a call has fewer


class Matches(NamedTuple):
    """Pairs of equal values: number of their spans, place in the one array, in the other."""

    number: Places
    own: Places
    other: Places


def matches(
    hashes: Hashes, spans: Spans, other: Hashes, other_spans: Spans, least: int = 1
) -> Matches:
    """A longest common subsequence of each span and the other of its number; in no order.

    Besides those at the ends of a span, runs of fewer than `least` matches in a row may be left out.
    """
    room, other_room = int(spans.sizes.sum()), int(other_spans.sizes.sum())
    pairs = len(spans.sizes)
    kept, other_kept = np.empty((2, room), np.int64), np.empty((2, other_room), np.int64)
    blocks = np.empty((4, 2 * pairs + min(room, other_room)), np.int64)
    sizes = np.empty((2, pairs), np.int64)
    both = (hashes, spans.rows(), other, other_spans.rows())
    count = compiled.thin_spans(*both, least, blocks, kept, other_kept, sizes)
    number, starts, other_starts, lengths = blocks[:, :count]
    places, other_places = (Spans(of, lengths).places() for of in (starts, other_starts))
    whole = Matches(np.repeat(number, lengths), places, other_places)
    aligned = _by_lcs(kept, other_kept, sizes, least)
    return Matches(*map(np.concatenate, zip(whole, aligned, strict=True)))


def _by_lcs(kept: Places, other_kept: Places, sizes: Places, least: int) -> Matches:
    """Matches of what is left of spans, as `thin_spans` writes it: values with the numbers of their spans, and places."""
    from rapidfuzz.distance import LCSseq  # a slow start, and many pages stand alone

    # As letters of a text, which rapidfuzz takes as they are.
    size, other = sizes.sum(1)
    firsts = first_alike(np.concatenate((kept[0, :size], other_kept[0, :other])))
    letters = (firsts % LETTERS + len(ENDS)).astype("<u4").tobytes()
    text = letters.decode("utf-32-le", "surrogatepass")
    left, right = text[:size], text[size:]
    # LCSseq would match equal ends before all else: what was thinned must not have any.
    blocks: list[int] = []
    for (a, b), (c, d) in _groups(*sizes[:, sizes[0] > 0]):
        edits = LCSseq.editops(f"{ENDS[0]}{left[a:b]}{ENDS[1]}", f"{ENDS[2]}{right[c:d]}{ENDS[3]}")
        for block in edits.as_matching_blocks():
            if block.size >= least:
                blocks += (a + block.a - 1, c + block.b - 1, block.size)
    starts, other_starts, lengths = np.array(blocks, dtype=np.int64).reshape(-1, 3).T
    values, places = kept[:, Spans(starts, lengths).places()]
    return Matches(values >> 32, places, other_kept[1, Spans(other_starts, lengths).places()])


def _groups(
    sizes: Places, other_sizes: Places
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """(from, to) in the one list and in the other of the spans that share a call."""
    both = sizes + other_sizes
    cuts = np.flatnonzero(np.diff((np.cumsum(both) - both) // TOGETHER, append=-1)) + 1
    ends, other_ends = np.cumsum(sizes)[cuts - 1], np.cumsum(other_sizes)[cuts - 1]
    yield from zip(pairwise([0, *ends.tolist()]), pairwise([0, *other_ends.tolist()]), strict=True)


# Both alignments: of text nodes, and of the words in the gaps between them.

SMALL = 2
"""Matching runs of at most so many words are taken for chance (lxml.html.diff, `threshold`)."""

BATCH = 1 << 16
"""Words of annotated pages that are aligned in one go; more do not fit a processor's cache."""

NONE = -1  # partner of a text node not shared as a whole
APART = 1 << 62  # shift of a word not shared


def align(texts: Texts, cur: Places, other: Places, cells: int) -> Iterator[Mask]:
    """Masks of the pairs of pages, in order: true of every word of a page of `cur` that that of `other` shares.

    In a gap that would exceed what is left of the work limit of a pair, in pairs of words (`cells`), only whole
    equal text nodes count as shared.
    """
    huge = texts.nodes_of(cur).sizes * texts.nodes_of(other).sizes > cells
    some, others = cur[~huge], other[~huge]
    cuts = np.flatnonzero(np.diff(np.cumsum(texts.words_of(some).sizes) // BATCH)) + 1
    batches = zip(np.split(some, cuts), np.split(others, cuts), strict=True)
    masks = chain.from_iterable(_align(texts, *batch, cells) for batch in batches)
    for pair, is_huge in enumerate(huge.tolist()):
        yield _whole_nodes(texts, cur[pair], other[pair]) if is_huge else next(masks)


def _whole_nodes(texts: Texts, cur: np.int64, other: np.int64) -> Mask:
    """Words of the text nodes found anywhere on the other page."""
    nodes, its = (texts.nodes_of(np.array([page])).places() for page in (cur, other))
    sizes = texts.words_between(nodes, nodes + 1).sizes
    return np.repeat(np.isin(texts.nodes[nodes], texts.nodes[its]), sizes)


def _align(texts: Texts, cur: Places, other: Places, cells: int) -> Iterator[Mask]:
    words, nodes, other_nodes = texts.words_of(cur), texts.nodes_of(cur), texts.nodes_of(other)
    node = nodes.places()
    its = texts.words_between(node, node + 1)

    matched = matches(texts.nodes, nodes, texts.nodes, other_nodes)
    partner = np.full(len(node), NONE)
    partner[nodes.rank(matched.own, matched.number)] = matched.other
    whole = partner != NONE
    # How far each word is from its like, counted in the words of all pages.
    shift = np.repeat(np.where(whole, texts.word_starts[partner] - its.starts, APART), its.sizes)

    # As lxml.html.diff bounds it: on a page of few words a run of two is no chance.
    chance = np.minimum(SMALL, words.sizes // 4)
    pair, gaps, other_gaps = _gaps(texts, partner, nodes, other_nodes)
    affordable = _affordable(pair, gaps.sizes * other_gaps.sizes, cells)
    least = int(chance.min()) + 1
    matched = matches(
        texts.words, gaps.take(affordable), texts.words, other_gaps.take(affordable), least
    )
    shift[words.rank(matched.own, pair[affordable][matched.number])] = matched.other - matched.own

    mask = _in_long_runs(shift, words.sizes, chance) | np.repeat(whole, its.sizes)
    yield from np.split(mask, np.cumsum(words.sizes)[:-1])


def _gaps(
    texts: Texts, partner: Places, nodes: Spans, other_nodes: Spans
) -> tuple[Places, Spans, Spans]:
    """Gaps with words on both pages, in order: number of their pair, their words on the one page, and on the other.

    `partner` tells with which node each is aligned, if with any.
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
    return (
        pair[both],
        texts.words_between(begins[both], ends[both]),
        texts.words_between(other_begins[both], other_ends[both]),
    )


def _affordable(pairs: Places, costs: Places, cells: int) -> Places:
    """Numbers of the gaps within the work limit of their pair, counted in order."""
    if np.bincount(pairs, weights=costs).max(initial=0) <= cells:
        return np.arange(len(pairs))
    left: dict[int, int] = defaultdict(lambda: cells)
    numbers = []
    for number, (pair, cost) in enumerate(zip(pairs.tolist(), costs.tolist(), strict=True)):
        if cost <= left[pair]:
            left[pair] -= cost
            numbers.append(number)
    return np.array(numbers, dtype=np.int64)


def _in_long_runs(shift: Places, sizes: Places, chance: Places) -> Mask:
    """Words shared in runs longer than chance explains on a page of that size."""
    if not len(shift):
        return np.zeros(0, dtype=np.bool_)
    breaks = np.append(True, shift[1:] != shift[:-1])
    breaks[np.cumsum(sizes)[:-1]] = True
    first = np.flatnonzero(breaks)
    small = np.repeat(chance, sizes)[first]
    length = np.diff(first, append=len(shift))
    return np.repeat((length > small) & (shift[first] != APART), length)


# The thesis' own matcher, `lxml.html.diff`: slower, and the oracle of the fast one.


def match(words: Hashes, other_words: Hashes) -> Mask:
    """True for every word that the other page, the older version, shares, as `html_annotate` finds it.

    lxml compares its tokens by their text alone, so hashes stand for words here; images, which are
    tokens of lxml too, are left out.
    """
    text, other = (" ".join(map("{:x}".format, of.tolist())) for of in (words, other_words))
    return np.array(thesis.find_shared_tokens(text, other))
