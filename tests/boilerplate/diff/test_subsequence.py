"""Longest common subsequences of many spans at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from dbce.boilerplate.diff import Spans, equal_after, equal_before, matches

values = st.lists(st.integers(0, 6), max_size=14)
pairs = st.lists(st.tuples(values, values), max_size=6)


def laid_out(lists: list[list[int]], gap: int) -> tuple[np.ndarray, Spans]:
    """The lists as spans of one array, with something between."""
    array, starts = [9] * gap, []
    for one in lists:
        starts.append(len(array))
        array += [*one, *[9] * gap]
    sizes = np.array([len(one) for one in lists], dtype=np.int64)
    return np.array(array, dtype=np.uint32), Spans(np.array(starts, dtype=np.int64), sizes)


def found(some: list[tuple[list[int], list[int]]], least: int = 1) -> list[list[tuple[int, int]]]:
    """The matches of each pair, as places in its lists."""
    one, spans = laid_out([left for left, _ in some], 1)
    other, other_spans = laid_out([right for _, right in some], 2)
    result = matches(one, spans, other, other_spans, least)
    lists: list[list[tuple[int, int]]] = [[] for _ in some]
    for number, place, other_place in zip(result.number, result.own, result.other, strict=True):
        own = place - spans.starts[number], other_place - other_spans.starts[number]
        lists[number].append((int(own[0]), int(own[1])))
    return [sorted(own) for own in lists]


def plainly(one: list[int], other: list[int]) -> list[tuple[int, int]]:
    """The matches of one pair, by one call."""
    blocks = LCSseq.editops(one, other).as_matching_blocks()
    return [(block.a + n, block.b + n) for block in blocks for n in range(block.size)]


@settings(max_examples=300)
@given(pairs, st.sampled_from([1, 10, 256]))
def test_each_pair_has_the_matches_that_it_has_alone(some, together):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dbce.boilerplate.diff.TOGETHER", together)
        assert found(some) == [plainly(one, other) for one, other in some]


def runs(some: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Matches that follow each other on both sides."""
    result: list[list[tuple[int, int]]] = []
    for one, other in some:
        if result and result[-1][-1] == (one - 1, other - 1):
            result[-1].append((one, other))
        else:
            result.append([(one, other)])
    return result


@settings(max_examples=300)
@given(pairs, st.integers(2, 4))
def test_long_runs_are_found_when_only_they_are_asked_for(some, least):
    for mine, (one, other) in zip(found(some, least), some, strict=True):
        all_runs = runs(plainly(one, other))
        asked = {match for run in all_runs if len(run) >= least for match in run}
        assert asked <= set(mine) <= {match for run in all_runs for match in run}


def test_long_lists_that_need_more_than_one_word_of_bits_are_aligned():
    rng = np.random.default_rng(7)
    some = [
        (rng.integers(0, 40, 900).tolist(), rng.integers(0, 40, 700).tolist()) for _ in range(3)
    ]
    assert found(some) == [plainly(one, other) for one, other in some]


@given(pairs)
def test_what_spans_have_in_common_at_their_ends_is_counted(some):
    one, spans = laid_out([left for left, _ in some], 1)
    other, other_spans = laid_out([right for _, right in some], 0)
    for at_end, count in ((False, equal_before), (True, equal_after)):
        expected = []
        for left, right in some:
            both = zip(reversed(left), reversed(right)) if at_end else zip(left, right)  # noqa: B905 - to the shorter one's end
            equal = [a == b for a, b in both]
            expected.append([*equal, False].index(False))
        assert count(one, spans, other, other_spans).tolist() == expected
