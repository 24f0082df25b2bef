"""Distances, alignment and cover of rectangles."""

from __future__ import annotations

import pytest

from dbce.visual import Rect
from dbce.visual.segment.boxes import Boxes, aligned, corner_distances, gaps, inside, outside

ONE = Rect(100, 100, 200, 100)


def one(*rect: float) -> Boxes:
    return Boxes.of([Rect(*rect)])


@pytest.mark.parametrize(
    ("rect", "distance"),
    [
        ((100, 250, 200, 50), 50),
        ((330, 240, 10, 10), 50),
        ((300, 200, 10, 10), 0),
        ((150, 120, 10, 10), 0),
    ],
)
def test_the_gap_is_that_of_closed_rectangles(rect: tuple[float, ...], distance: float) -> None:
    assert gaps(one(*rect), ONE)[0] == distance


def test_by_corners_a_long_block_beside_a_short_one_is_far() -> None:
    # It touches the short one, but both its corners are 500 px above and below.
    long = Rect(300, -400, 50, 1100)
    assert gaps(one(*long), ONE)[0] == 0
    assert corner_distances(one(*long), ONE)[0] == 500
    assert corner_distances(one(*ONE), long)[0] == 0


def test_a_corner_inside_is_as_far_as_the_nearest_edge() -> None:
    assert corner_distances(one(150, 130, 100, 50), ONE)[0] == 20


@pytest.mark.parametrize(
    ("rect", "both", "either"),
    [
        ((120, 500, 190, 900), True, True),  # below: like x, like width
        ((900, 90, 700, 120), True, True),  # beside: like y, like height
        ((120, 500, 900, 900), False, True),  # like x alone
        ((900, 500, 210, 900), False, True),  # like width alone
        ((900, 500, 900, 900), False, False),
    ],
)
def test_aligned_asks_for_place_and_size_or_for_one_of_them(
    rect: tuple[float, ...], both: bool, either: bool
) -> None:
    assert aligned(one(*rect), ONE, 50, "and")[0] == both
    assert aligned(one(*rect), ONE, 50, "or")[0] == either


def test_a_difference_of_the_tolerance_itself_is_too_much() -> None:
    assert not aligned(one(150, 500, 200, 900), ONE, 50, "and")[0]


def test_cover_is_known_both_ways() -> None:
    small = Rect(120, 120, 20, 20)
    assert inside(one(*small), ONE)[0]
    assert not inside(one(*ONE), small)[0]
    assert outside(one(*ONE), small)[0]
