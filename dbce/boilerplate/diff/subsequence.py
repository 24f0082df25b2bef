"""Longest common subsequences of many pairs of spans at once.

What two spans have in common at their ends is matched first, the rest by LCSseq of rapidfuzz
(bit-parallel, Hyyrö 2004). Two things keep that cheap without changing a match. What the other
span does not have is left out: the traceback passes it by. And many pairs share one call: each
has its own values, so that nothing matches across.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.diff.spans import Spans, equal_after, equal_before

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from dbce.boilerplate.diff.spans import Places
    from dbce.model import Hashes, Mask

    Numbered = NDArray[np.uint64]

TOGETHER = 256
"""Values that share a call. Its work grows by their square: more cost more than a call saves."""

HALF = np.uint64(32)

SCATTER = np.uint64(0x9E3779B97F4A7C15)
"""2**64 / golden ratio: the upper bits of a product with it are a good hash (Knuth, TAOCP 6.4)."""

FIRST, LAST, OTHER_FIRST, OTHER_LAST = (1 << 60 | n for n in range(4))
"""Values that no numbered span has."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Pairs of equal values: number of their spans, place in the one array, in the other."""

    number: Places
    own: Places
    other: Places


def matches(
    own: Hashes, spans: Spans, other: Hashes, other_spans: Spans, least: int = 1
) -> Matches:
    """A longest common subsequence of each span and the other of its number; in no order.

    Only runs of `least` matches in a row are asked for, besides those at the ends of a span;
    shorter ones may be left out.
    """
    prefix = equal_before(own, spans, other, other_spans)
    rest, other_rest = spans.without(prefix, 0), other_spans.without(prefix, 0)
    suffix = equal_after(own, rest, other, other_rest)
    rest, other_rest = rest.without(0, suffix), other_rest.without(0, suffix)
    between = _between(own, rest, other, other_rest, least)
    numbers = np.arange(len(prefix))
    return Matches(
        np.concatenate((np.repeat(numbers, prefix), np.repeat(numbers, suffix), between.number)),
        np.concatenate(
            (
                Spans(spans.starts, prefix).places(),
                Spans(rest.ends, suffix).places(),
                between.own,
            )
        ),
        np.concatenate(
            (
                Spans(other_spans.starts, prefix).places(),
                Spans(other_rest.ends, suffix).places(),
                between.other,
            )
        ),
    )


def _between(own: Hashes, spans: Spans, other: Hashes, other_spans: Spans, least: int) -> Matches:
    """The matches of spans that have no end in common."""
    values, others = _numbered(own, spans), _numbered(other, other_spans)
    is_kept, other_kept = _in_both(values, others)
    if least > 1:
        worth = np.zeros(len(spans.sizes), dtype=np.bool_)
        worth[_with_runs(values, is_kept, others, other_kept, least)] = True
        is_kept &= worth[values >> HALF]
        other_kept &= worth[others >> HALF]
    ranks, other_ranks = np.flatnonzero(is_kept), np.flatnonzero(other_kept)
    matched, other_found = _aligned(values[ranks], others[other_ranks], len(spans.sizes), least)
    ranks, other_ranks = ranks[matched], other_ranks[other_found]
    number = (values[ranks] >> HALF).astype(np.int64)
    return Matches(number, spans.place(ranks, number), other_spans.place(other_ranks, number))


def _numbered(array: Hashes, spans: Spans) -> Numbered:
    """All values, the number of their span before them: no values of two spans are equal."""
    numbers = np.arange(len(spans.sizes), dtype=np.uint64) << HALF
    return np.repeat(numbers, spans.sizes) | array[spans.places()]


def _in_both(values: Numbered, others: Numbered) -> tuple[Mask, Mask]:
    """False, for the ones and the others, only where the other side does not have the value."""
    kept = _may_be_in(values, others)
    return kept, _may_be_in(others, values[kept])


def _may_be_in(values: Numbered, others: Numbered) -> Mask:
    bits = max(10, (8 * len(others)).bit_length())
    shift = np.uint64(64 - bits)
    seen = np.zeros(1 << bits, dtype=np.bool_)
    seen[(others * SCATTER) >> shift] = True
    may_be: Mask = seen[(values * SCATTER) >> shift]
    return may_be


def _with_runs(
    values: Numbered, kept: Mask, others: Numbered, other_kept: Mask, least: int
) -> NDArray[np.uint64]:
    """Numbers of the spans that have a run of so many values in common, and perhaps of some more."""
    (runs, spans), (other_runs, _) = _runs(values, kept, least), _runs(others, other_kept, least)
    here, there = _in_both(runs, other_runs)
    return spans[here][np.isin(runs[here], other_runs[there])]


def _runs(values: Numbered, kept: Mask, least: int) -> tuple[Numbered, Numbered]:
    """(hash, number of the span) of every run of `least` values that all are kept."""
    count = max(0, len(values) - least + 1)
    whole = kept[:count].copy()
    for place in range(1, least):
        whole &= kept[place : count + place]
    first = np.flatnonzero(whole)
    spans = values[first] >> HALF
    inside = spans == values[first + least - 1] >> HALF
    first, spans = first[inside], spans[inside]
    runs = values[first]
    for place in range(1, least):
        runs = (runs ^ (runs >> np.uint64(29))) * SCATTER + values[first + place]
    return runs, spans


def _aligned(values: Numbered, others: Numbered, count: int, least: int) -> tuple[Places, Places]:
    """Places of what matches, in the one array and in the other, of `count` spans."""
    spans, other_spans = _by_number(values, count), _by_number(others, count)
    # What is left of two spans is mostly equal now.
    alike = np.flatnonzero((spans.sizes == other_spans.sizes) & (spans.sizes > 0))
    equal_values = equal_before(values, spans.of(alike), others, other_spans.of(alike))
    equal = alike[equal_values == spans.sizes[alike]]
    differ = (spans.sizes > 0) & (other_spans.sizes > 0)
    differ[equal] = False
    rest = np.flatnonzero(differ)
    found, other_found = _by_lcs(values, spans.of(rest), others, other_spans.of(rest), least)
    return (
        np.concatenate((spans.of(equal).places(), found)),
        np.concatenate((other_spans.of(equal).places(), other_found)),
    )


def _by_number(values: Numbered, count: int) -> Spans:
    bounds = np.searchsorted(values, np.arange(count + 1, dtype=np.uint64) << HALF)
    return Spans(bounds[:-1], np.diff(bounds))


def _by_lcs(
    values: Numbered, spans: Spans, others: Numbered, other_spans: Spans, least: int
) -> tuple[Places, Places]:
    """As `_aligned`, by LCSseq."""
    from rapidfuzz.distance import LCSseq  # a slow start, and many pages stand alone

    places, other_places = spans.places(), other_spans.places()
    left, right = values[places].tolist(), others[other_places].tolist()
    # LCSseq would match equal ends before all else: what was thinned must not have any.
    blocks: list[int] = []
    for (a, b), (c, d) in _groups(spans.sizes, other_spans.sizes):
        edits = LCSseq.editops([FIRST, *left[a:b], LAST], [OTHER_FIRST, *right[c:d], OTHER_LAST])
        for block in edits.as_matching_blocks():
            if block.size >= least:
                blocks += (a + block.a - 1, c + block.b - 1, block.size)
    starts, other_starts, sizes = np.array(blocks, dtype=np.int64).reshape(-1, 3).T
    return places[Spans(starts, sizes).places()], other_places[Spans(other_starts, sizes).places()]


def _groups(
    sizes: Places, other_sizes: Places
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """(from, to) in the one list and in the other of the spans that share a call."""
    both = sizes + other_sizes
    cuts = np.flatnonzero(np.diff((np.cumsum(both) - both) // TOGETHER, append=-1)) + 1
    ends, other_ends = np.cumsum(sizes)[cuts - 1], np.cumsum(other_sizes)[cuts - 1]
    yield from zip(pairwise([0, *ends.tolist()]), pairwise([0, *other_ends.tolist()]), strict=True)
