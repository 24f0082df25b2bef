"""The block correspondence graph, on pages worked by hand and from the authors' database."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.visual.measure.measures import (
    CONVENTIONS,
    BlockCounts,
    Flat,
    NormalBlock,
    Tolerances,
    corresponding,
    dbce_edges,
    shares,
    thesis_edges,
)
from tests.visual.measure.worked import COMPUTED, GOLD, flat


def count(convention, gold, computed, *tolerances):
    return CONVENTIONS[convention].correspond(gold, computed, Tolerances(*tolerances))


def test_the_pairs_that_correspond_to_each_other_alone_are_those_that_are_counted():
    gold, computed = flat(GOLD), flat(COMPUTED)
    assert corresponding(gold, computed) == [(0, 0)]  # the headers
    assert count("dbce", gold, computed, *CONVENTIONS["dbce"].tolerances).blocks.correct == 1
    assert corresponding(gold, gold) == [(n, n) for n in range(4)]


@pytest.mark.parametrize(("convention", "geometric"), [("dbce", 0), ("thesis", 1)])
@pytest.mark.parametrize(
    ("relative", "counts"),
    [
        (0, BlockCounts(1, 1, 1, 0, 1, 4, 5)),
        (0.1, BlockCounts(1, 1, 1, 0, 1, 4, 5)),
        (0.2, BlockCounts(2, 1, 0, 1, 1, 4, 5)),  # nav in what holds nav and main weighs 16/121
    ],
)
def test_blocks_correspond_as_worked_by_hand(convention, geometric, relative, counts):
    found = count(convention, flat(GOLD), flat(COMPUTED), relative, geometric, 0.1)
    assert found.blocks == counts
    assert found.blocks.quality / found.blocks.gold == 0.75
    if relative == 0.1:
        assert found.important == BlockCounts(0, 0, 1, 0, 0, 2, 1)
        assert found.important.quality == 1


def side(importance, *rows):
    return Flat("page 152", (1, 1), 1, tuple(NormalBlock(*row) for row in rows), shares(importance))


PAGE_152 = (
    side(
        [1, 3, 8, 11, 3],
        (0, 0, 99.8, 4.3, 8, 55),
        (0, 4.3, 99.8, 11.1, 215, 119),
        (0, 11.1, 99.8, 34.1, 35, 124),
        (21.1, 34.1, 78.6, 78.7, 135, 114),
        (0, 78.7, 99.8, 99.2, 173, 232),
    ),
    side(
        [3, 6, 15, 3, 0],
        (0, 0, 100, 14.1, 15, 53),
        (0, 15.7, 100, 31.3, 1, 1),
        (0, 36.3, 100, 79.4, 25, 39),
        (0, 80.5, 100, 94.7, 25, 47),
        (0, 98.2, 100, 100, 1, 5),
    ),
)


@pytest.mark.parametrize(
    ("convention", "relative", "counts"),
    [
        ("thesis", 0, (1, 1, 1, 1, 1)),
        ("thesis", 0.1, (1, 0, 1, 2, 3)),
        ("dbce", 0.1, (1, 0, 1, 2, 3)),
    ],
)
def test_vips_on_a_page_of_the_authors_database(convention, relative, counts):
    found = count(convention, *PAGE_152, relative, 1, 0.1)
    assert found.blocks == BlockCounts(*counts, 5, 5)
    if relative == 0:
        assert found.important == BlockCounts(1, 1, 1, 1, 1, gold=4, computed=4)


def test_unimportant_blocks_leave_the_graph_of_ours_with_their_edges():
    header, *_ = flat(GOLD).blocks
    whole = side([1], (0, 0, 100, 100, 9, 9))
    gold = side([1, 9], header, (0, 10, 100, 100, 7, 9))
    assert count("dbce", gold, whole, 0.1, 0, 0.1).blocks.undersegmented == 1
    assert count("dbce", gold, whole, 0.1, 0, 0.1).important == BlockCounts(1, 0, 0, 0, 0, 1, 1)
    # Edges in the thesis' way point from the whole to both, and stay.
    assert count("thesis", gold, whole, 0, 1, 0.1).important == BlockCounts(0, 0, 1, 0, 0, 1, 1)


def block(side, elements, words=0):
    return NormalBlock(0, 0, side, side, elements, words)


@pytest.mark.parametrize(
    ("one", "other", "relative", "ours"),
    [
        # An edge of the thesis needs more than the tolerance, ours as much.
        (block(50, 1), block(100, 10), 0.1, True),
        (block(9, 0), block(9, 5, 5), 0, False),
        (block(9, 0), block(9, 0), 0, False),
        (block(9, 1), block(9, 20), 0.1, False),
    ],
    ids=["as light as the tolerance", "one empty", "both empty", "equal rectangles"],
)
def test_which_of_two_blocks_is_the_gold_makes_no_difference(one, other, relative, ours):
    for gold, computed in ((one, other), (other, one)):
        assert dbce_edges([gold], [computed], relative, 1).any() == ours
        assert not np.any(thesis_edges([gold], [computed], relative, 1))


def test_in_the_thesis_a_gold_block_that_found_its_equal_looks_no_further():
    gold = NormalBlock(0, 0, 50, 50, 5, 5)
    inside = NormalBlock(0, 10, 50, 40, 5, 5)
    assert thesis_edges([gold], [gold, inside], 0, 1)[0].tolist() == [[True, False]]
    assert thesis_edges([gold], [inside], 0, 1)[0].tolist() == [[True]]


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_segmentation_without_blocks_misses_all(convention):
    none = flat(())
    missed = count(convention, flat(GOLD), none, *CONVENTIONS[convention].tolerances)
    false = count(convention, none, flat(GOLD), *CONVENTIONS[convention].tolerances)
    assert missed.blocks == BlockCounts(0, 0, 0, 4, 0, 4, 0)
    assert false.blocks == BlockCounts(0, 0, 0, 0, 4, 0, 4)


def sides():
    """Blocks whose places and contents are whole numbers, so that edges coincide often."""
    tenths = st.integers(0, 10)
    block = st.builds(
        lambda x, y, w, h, n, m: NormalBlock(10 * x, 10 * y, 10 * (x + w), 10 * (y + h), n, m),
        *(tenths for _ in range(6)),
    )
    return st.lists(block, max_size=6).map(lambda rows: side([1] * len(rows), *rows))


@given(sides(), sides())
def test_in_our_convention_the_sides_can_be_exchanged_and_no_block_counts_twice(one, other):
    correspond, tolerances = CONVENTIONS["dbce"]
    there, back = correspond(one, other, tolerances), correspond(other, one, tolerances)
    of_gold, of_computed = there.blocks, back.blocks
    assert of_computed == BlockCounts(
        of_gold.correct,
        of_gold.undersegmented,
        of_gold.oversegmented,
        of_gold.false_alarms,
        of_gold.missed,
        of_gold.computed,
        of_gold.gold,
    )
    for counts in (*there, *back):
        assert counts.correct + counts.oversegmented + counts.missed <= counts.gold
