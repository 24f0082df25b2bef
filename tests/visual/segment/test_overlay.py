"""Blocks that lie over one another are reported, and all are drawn."""

from dbce.visual import Block, Rect, Segmentation
from dbce.visual.segment.overlay import overlaps, overlay
from tests.visual.pages import page


def of(*rects: tuple[float, float, float, float]) -> Segmentation:
    page = Block(-1, Rect(0, 0, 1000, 1000), (), "", "", 10)
    return Segmentation("", "", (page, *(Block(0, Rect(*r), (), "", "", 1) for r in rects)))


def test_pairs_that_overlap_by_more_than_two_pixels_are_found() -> None:
    places = [(0, 0, 100, 100), (98, 0, 100, 100), (97, 50, 10, 10), (500, 500, 9, 9)]
    rects = [Rect(*place) for place in places]
    assert overlaps(rects) == ((0, 2), (1, 2))
    assert overlaps(rects, more_than=1) == ((0, 1), (0, 2), (1, 2))


def test_tiles_do_not_overlap() -> None:
    tiles = [(0, 0, 500, 500), (500, 0, 500, 500), (0, 500, 1000, 500)]
    assert overlaps([Rect(*tile) for tile in tiles]) == ()


def test_what_is_out_of_the_flow_is_drawn_with_a_dashed_line() -> None:
    blocks = of((0, 0, 500, 500), (100, 100, 50, 50)).blocks
    afloat = Segmentation("", "", (*blocks[:2], blocks[2]._replace(floating=True)))
    lines = overlay(page(), afloat, "").splitlines()
    dashed = ["stroke-dasharray" in line for line in lines if line.startswith("<rect")]
    assert dashed == [False, True]
