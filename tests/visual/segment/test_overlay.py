"""Blocks that lie over one another are reported."""

from __future__ import annotations

from dbce.visual import Block, Rect, Segmentation
from dbce.visual.segment import overlapping


def of(*rects: tuple[float, float, float, float]) -> Segmentation:
    page = Block(-1, Rect(0, 0, 1000, 1000), (), "", "", 10)
    return Segmentation("", "", (page, *(Block(0, Rect(*r), (), "", "", 1) for r in rects)))


def test_pairs_that_overlap_by_more_than_two_pixels_are_found() -> None:
    blocks = of((0, 0, 100, 100), (98, 0, 100, 100), (97, 50, 10, 10), (500, 500, 9, 9))
    assert overlapping(blocks) == ((0, 2), (1, 2))
    assert overlapping(blocks, more_than=1) == ((0, 1), (0, 2), (1, 2))


def test_tiles_do_not_overlap() -> None:
    assert overlapping(of((0, 0, 500, 500), (500, 0, 500, 500), (0, 500, 1000, 500))) == ()
