"""Edges in pictures of pages, as atoms."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageDraw

from dbce.visual import Rect
from dbce.visual.measure import bcubed, edges, members, normalise

SIZE = (300, 400)
UPPER, LOWER = (100, 60, 199, 139), (100, 260, 199, 339)


def picture(*squares: tuple[int, int, int, int], grey: int = 0) -> bytes:
    """A white picture with filled squares (left, top, right, bottom: their outermost pixels)."""
    drawn = Image.new("RGB", SIZE, "white")
    for square in squares:
        ImageDraw.Draw(drawn).rectangle(square, fill=(grey, grey, grey))
    stream = BytesIO()
    drawn.save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.parametrize(("kind", "within"), [("edges_fine", 2), ("edges_coarse", 6)])
def test_edges_are_where_the_colour_changes(kind, within):
    found = edges(picture(UPPER))[kind]
    x, y = found.x * SIZE[0] / 100, found.y * SIZE[1] / 100
    left, top, right, bottom = UPPER
    apart = np.minimum.reduce(
        [abs(x - left), abs(x - right - 1), abs(y - top), abs(y - bottom - 1)]
    )
    assert len(x) > 200, "the square has a perimeter of 360 pixels"
    assert apart.max() < within


def test_an_empty_page_has_no_edges():
    assert {name: len(found.x) for name, found in edges(picture()).items()} == {
        "edges_fine": 0,
        "edges_coarse": 0,
    }


def test_faint_edges_beside_strong_ones_are_fine_and_not_coarse():
    faint = Image.open(BytesIO(picture(UPPER)))
    ImageDraw.Draw(faint).rectangle(LOWER, fill=(235, 235, 235))  # 20 of 255: above 2 %, below 16 %
    stream = BytesIO()
    faint.save(stream, "PNG")
    below = {name: int((found.y > 50).sum()) for name, found in edges(stream.getvalue()).items()}
    assert below["edges_fine"] > 200
    assert below["edges_coarse"] == 0


@pytest.mark.parametrize("kind", ["edges_fine", "edges_coarse"])
def test_two_equal_squares_that_are_merged_have_a_precision_of_a_half(kind):
    found = edges(picture(UPPER, LOWER))[kind]
    halves = [normalise(Rect(0, y, 300, 200), SIZE) for y in (0, 200)]
    whole = [normalise(Rect(0, 0, 300, 400), SIZE)]
    gold, merged = (members(found, blocks) for blocks in (halves, whole))
    assert bcubed(gold, merged, found.weights) == pytest.approx((0.5, 1, 2 / 3), abs=0.001)
    assert bcubed(merged, gold, found.weights) == pytest.approx((1, 0.5, 2 / 3), abs=0.001)
