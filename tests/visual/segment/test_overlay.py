"""Blocks that lie over one another are reported, and all are drawn."""

from dbce.visual import Block, Rect, Segmentation
from dbce.visual.segment.overlay import overlaps, overlay
from tests.visual.pages import page


def test_pairs_that_overlap_by_more_than_two_pixels_are_found() -> None:
    places = [(0, 0, 100, 100), (98, 0, 100, 100), (97, 50, 10, 10), (500, 500, 9, 9)]
    rects = [Rect(*place) for place in places]
    assert overlaps(rects) == ((0, 2), (1, 2))
    assert overlaps(rects, more_than=1) == ((0, 1), (0, 2), (1, 2))


def test_what_is_out_of_the_flow_is_drawn_with_a_dashed_line() -> None:
    whole = Block(-1, Rect(0, 0, 1000, 1000), (), "", "", 10)
    inside = [Block(0, Rect(0, 0, 500, 500), (), "", "", 1, floating=n > 0) for n in range(2)]
    lines = overlay(page(), Segmentation("", "", (whole, *inside)), "").splitlines()
    dashed = ["stroke-dasharray" in line for line in lines if line.startswith("<rect")]
    assert dashed == [False, True]
