"""B-cubed over the kinds of atoms, on the worked page, and over edges in a picture."""

from dataclasses import replace
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from dbce.visual import Rect
from dbce.visual.measure import edges, normalise
from dbce.visual.measure.measures import area, bcubed, members
from tests.visual.measure.worked import COMPUTED, GOLD, elements, flat, texts

EVENLY = replace(texts(), weights=np.ones(len(texts().x)))
ATOMS = {"characters": texts(), "texts": EVENLY, "elements": elements(), "area": area()}


@pytest.mark.parametrize(
    ("kind", "expected", "digits"),
    [
        ("characters", (0.848485, 0.975, 0.907354), 6),
        ("texts", (0.6296, 0.9167, 0.7465), 4),
        ("elements", (0.6791, 0.8824, 0.7675), 4),
        ("area", (0.6988, 0.95, 0.8053), 4),
    ],
)
def test_the_worked_page(kind, expected, digits):
    pieces = ATOMS[kind]
    gold, computed = (members(pieces, flat(rects).blocks) for rects in (GOLD, COMPUTED))
    found = bcubed(gold, computed, pieces.weights)
    assert tuple(round(value, digits) for value in found) == expected
    assert bcubed(gold, gold, pieces.weights) == pytest.approx((1, 1, 1))


def by_definition(asked, other, weights):
    """Amigo's formula, atom by atom."""
    shared, agreed = (lambda a, b, s=side: int((s[a] & s[b]).sum()) for side in (asked, other))
    of_atoms = []
    for a in range(len(asked)):
        with_a = [b for b in range(len(asked)) if shared(a, b)]
        if with_a:
            precision = [min(shared(a, b), agreed(a, b)) / shared(a, b) for b in with_a]
            of_atoms.append((np.average(precision, weights=weights[with_a]), weights[a]))
    values, counted = zip(*of_atoms, strict=True)
    return np.average(values, weights=counted)


def test_overlapping_segments_score_as_the_definition_says():
    random = np.random.default_rng(3)
    for _ in range(20):
        gold, computed = random.random((12, 4)) < 0.4, random.random((12, 5)) < 0.4
        weights = random.integers(1, 9, 12).astype(float)
        found = bcubed(gold, computed, weights)
        assert found.precision == pytest.approx(by_definition(computed, gold, weights))
        assert found.recall == pytest.approx(by_definition(gold, computed, weights))


def test_where_no_atom_is_in_a_segment_there_is_no_score():
    none = np.zeros((3, 0), bool)
    found = bcubed(np.ones((3, 1), bool), none, np.ones(3))
    assert np.isnan(found.precision)
    assert found.recall == 0


SIZE = (300, 400)
UPPER, LOWER = (100, 60, 199, 139), (100, 260, 199, 339)


def picture(*squares: tuple[int, int, int, int], faint: Any = None) -> bytes:
    """A white picture with filled squares (left, top, right, bottom: their outermost pixels)."""
    drawn = Image.new("RGB", SIZE, "white")
    for square in squares:
        ImageDraw.Draw(drawn).rectangle(square, fill="black")
    if faint:
        ImageDraw.Draw(drawn).rectangle(faint, fill=(235, 235, 235))
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
    assert [len(found.x) for found in edges(picture()).values()] == [0, 0]


def test_faint_edges_beside_strong_ones_are_fine_and_not_coarse():
    found = edges(picture(UPPER, faint=LOWER))  # 20 of 255: above 2 %, below 16 %
    assert (found["edges_fine"].y > 50).sum() > 200
    assert (found["edges_coarse"].y > 50).sum() == 0


@pytest.mark.parametrize("kind", ["edges_fine", "edges_coarse"])
def test_two_equal_squares_that_are_merged_have_a_precision_of_a_half(kind):
    found = edges(picture(UPPER, LOWER))[kind]
    halves = [normalise(Rect(0, y, 300, 200), SIZE) for y in (0, 200)]
    whole = [normalise(Rect(0, 0, 300, 400), SIZE)]
    gold, merged = (members(found, blocks) for blocks in (halves, whole))
    assert bcubed(gold, merged, found.weights) == pytest.approx((0.5, 1, 2 / 3), abs=0.001)
    assert bcubed(merged, gold, found.weights) == pytest.approx((1, 0.5, 2 / 3), abs=0.001)
