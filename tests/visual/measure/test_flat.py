"""Importance of blocks, on pages worked by hand."""

import pytest

from dbce.visual.measure.measures import NormalBlock, grid, importances, shares
from tests.visual.measure.worked import COMPUTED, GOLD, flat


def test_cells_count_more_towards_the_middle_of_what_shows_first():
    edge, second = [1] * 10, [1, *[2] * 8, 1]
    middle = [1, 2, *[3] * 6, 2, 1]
    rows = [edge, second, middle, second, edge, edge]
    assert grid(0.5)[:6].tolist() == rows


@pytest.mark.parametrize(
    ("rects", "expected"),
    [(GOLD, [0.070, 0.218, 0.641, 0.070]), (COMPUTED, [0.072, 0.791, 0.036, 0.036, 0.065])],
)
def test_the_worked_page(rects, expected):
    assert flat(rects).importance == pytest.approx(expected, abs=5e-4)


def test_the_example_of_the_thesis():
    found = shares([33, 26, 15, 2])
    assert found == pytest.approx([0.434, 0.342, 0.197, 0.026], abs=5e-4)
    assert sum(share > 0.3 for share in found) == 2


def test_a_block_that_ends_on_a_line_of_the_grid_does_not_meet_the_next_cell():
    block = NormalBlock(0, 0, 0.1 + 0.2 + 9.7, 10, 1, 1)
    rest = NormalBlock(10, 0, 100, 10, 1, 1)
    assert importances([block, rest], 1) == pytest.approx([0.1, 0.9])


def test_blocks_beside_the_page_have_none_and_none_divides_by_zero():
    outside = NormalBlock(-30, -30, -10, -5, 1, 1)
    assert importances([outside], 0.5) == (0.0,)
    assert importances([], 0.5) == ()
