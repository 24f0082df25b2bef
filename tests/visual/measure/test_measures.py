"""The correspondence of blocks, B-cubed over the kinds of atoms, and importance, on pages worked by hand."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from dbce.visual.measure import edges, measures
from tests.visual.measure.worked import COMPUTED, GOLD, elements, flat, texts


def count(convention, gold, computed, *tolerances):
    """Counts by a convention, with its own tolerances unless others are given."""
    correspond, own = measures.CONVENTIONS[convention]
    return correspond(gold, computed, measures.Tolerances(*(tolerances or own)))


def test_the_pairs_that_correspond_to_each_other_alone_are_those_that_are_counted():
    gold, computed = flat(GOLD), flat(COMPUTED)
    assert measures.corresponding(gold, computed) == [(0, 0)]  # the headers
    assert count("dbce", gold, computed).blocks.correct == 1
    assert measures.corresponding(gold, gold) == [(n, n) for n in range(4)]


@pytest.mark.parametrize(("convention", "geometric"), [("dbce", 0), ("thesis", 1)])
@pytest.mark.parametrize(
    ("relative", "counts"),
    [
        (0, (1, 1, 1, 0, 1, 4, 5)),
        (0.1, (1, 1, 1, 0, 1, 4, 5)),
        (0.2, (2, 1, 0, 1, 1, 4, 5)),  # nav in what holds nav and main weighs 16/121
    ],
)
def test_blocks_correspond_as_worked_by_hand(convention, geometric, relative, counts):
    found = count(convention, flat(GOLD), flat(COMPUTED), relative, geometric, 0.1)
    assert found.blocks == counts
    assert found.blocks.quality / found.blocks.gold == 0.75
    if relative == 0.1:
        assert found.important == (0, 0, 1, 0, 0, 2, 1)
        assert found.important.quality == 1


def side(importance, *rows):
    blocks = tuple(measures.NormalBlock(*row) for row in rows)
    return measures.Flat("page 152", (1, 1), 1, blocks, measures.shares(importance))


PAGE_152 = (
    side([1, 3, 8, 11, 3], (0, 0, 99.8, 4.3, 8, 55), (0, 4.3, 99.8, 11.1, 215, 119),
         (0, 11.1, 99.8, 34.1, 35, 124), (21.1, 34.1, 78.6, 78.7, 135, 114), (0, 78.7, 99.8, 99.2, 173, 232)),
    side([3, 6, 15, 3, 0], (0, 0, 100, 14.1, 15, 53), (0, 15.7, 100, 31.3, 1, 1),
         (0, 36.3, 100, 79.4, 25, 39), (0, 80.5, 100, 94.7, 25, 47), (0, 98.2, 100, 100, 1, 5)),
)  # fmt: skip


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
    assert found.blocks == (*counts, 5, 5)
    if relative == 0:
        assert found.important == (1, 1, 1, 1, 1, 4, 4)


def test_unimportant_blocks_leave_the_graph_of_ours_with_their_edges():
    header, *_ = flat(GOLD).blocks
    whole = side([1], (0, 0, 100, 100, 9, 9))
    gold = side([1, 9], header, (0, 10, 100, 100, 7, 9))
    found = count("dbce", gold, whole, 0.1, 0, 0.1)
    assert (found.blocks.undersegmented, found.important) == (1, (1, 0, 0, 0, 0, 1, 1))
    # Edges in the thesis' way point from the whole to both, and stay.
    assert count("thesis", gold, whole, 0, 1, 0.1).important == (0, 0, 1, 0, 0, 1, 1)


def block(side, elements, words=0):
    return measures.NormalBlock(0, 0, side, side, elements, words)


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
        assert measures.dbce_edges([gold], [computed], relative, 1).any() == ours
        assert not np.any(measures.thesis_edges([gold], [computed], relative, 1))


def test_in_the_thesis_a_gold_block_that_found_its_equal_looks_no_further():
    gold = measures.NormalBlock(0, 0, 50, 50, 5, 5)
    inside = measures.NormalBlock(0, 10, 50, 40, 5, 5)
    assert measures.thesis_edges([gold], [gold, inside], 0, 1)[0].tolist() == [[True, False]]
    assert measures.thesis_edges([gold], [inside], 0, 1)[0].tolist() == [[True]]


@pytest.mark.parametrize("convention", measures.CONVENTIONS)
def test_a_segmentation_without_blocks_misses_all(convention):
    assert count(convention, flat(GOLD), flat(())).blocks == (0, 0, 0, 4, 0, 4, 0)
    assert count(convention, flat(()), flat(GOLD)).blocks == (0, 0, 0, 0, 4, 0, 4)


def sides():
    """Blocks whose places and contents are whole numbers, so that edges coincide often."""

    def block(x, y, w, h, *inside):
        return (10 * x, 10 * y, 10 * (x + w), 10 * (y + h), *inside)

    blocks = st.builds(block, *[st.integers(0, 10)] * 6)
    return st.lists(blocks, max_size=6).map(lambda rows: side([1] * len(rows), *rows))


@given(sides(), sides())
def test_in_our_convention_the_sides_can_be_exchanged_and_no_block_counts_twice(one, other):
    there, back = count("dbce", one, other), count("dbce", other, one)
    correct, over, under, missed, false, gold, computed = there.blocks
    assert back.blocks == (correct, under, over, false, missed, computed, gold)
    for counts in (*there, *back):
        assert counts.correct + counts.oversegmented + counts.missed <= counts.gold


EVENLY = replace(texts(), weights=np.ones(len(texts().x)))
ATOMS = {"characters": texts(), "texts": EVENLY, "elements": elements(), "area": measures.area()}


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
    gold, computed = (measures.members(pieces, flat(rects).blocks) for rects in (GOLD, COMPUTED))
    found = measures.bcubed(gold, computed, pieces.weights)
    assert tuple(round(value, digits) for value in found) == expected
    assert measures.bcubed(gold, gold, pieces.weights) == pytest.approx((1, 1, 1))


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
        found = measures.bcubed(gold, computed, weights)
        assert found.precision == pytest.approx(by_definition(computed, gold, weights))
        assert found.recall == pytest.approx(by_definition(gold, computed, weights))


def test_where_no_atom_is_in_a_segment_there_is_no_score():
    none = np.zeros((3, 0), bool)
    found = measures.bcubed(np.ones((3, 1), bool), none, np.ones(3))
    assert np.isnan(found.precision)
    assert found.recall == 0


SIZE = (300, 400)
UPPER, LOWER = (100, 60, 199, 139), (100, 260, 199, 339)


def picture(*squares, faint=None):
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
    sides = [abs(x - left), abs(x - right - 1), abs(y - top), abs(y - bottom - 1)]
    apart = np.minimum.reduce(sides)
    assert len(x) > 200, "the square has a perimeter of 360 pixels"
    assert apart.max() < within


def test_an_empty_page_has_no_edges():
    assert [len(found.x) for found in edges(picture()).values()] == [0, 0]


def test_faint_edges_beside_strong_ones_are_fine_and_not_coarse():
    found = edges(picture(UPPER, faint=LOWER))  # 20 of 255: above 2 %, below 16 %
    assert (found["edges_fine"].y > 50).sum() > 200
    assert (found["edges_coarse"].y > 50).sum() == 0


def test_cells_count_more_towards_the_middle_of_what_shows_first():
    edge, second = [1] * 10, [1, *[2] * 8, 1]
    middle = [1, 2, *[3] * 6, 2, 1]
    rows = [edge, second, middle, second, edge, edge]
    assert measures.grid(0.5)[:6].tolist() == rows


@pytest.mark.parametrize(
    ("rects", "expected"),
    [(GOLD, [0.070, 0.218, 0.641, 0.070]), (COMPUTED, [0.072, 0.791, 0.036, 0.036, 0.065])],
)
def test_importance_of_the_worked_page(rects, expected):
    assert flat(rects).importance == pytest.approx(expected, abs=5e-4)


def test_the_example_of_the_thesis():
    found = measures.shares([33, 26, 15, 2])
    assert found == pytest.approx([0.434, 0.342, 0.197, 0.026], abs=5e-4)
    assert sum(share > 0.3 for share in found) == 2


def test_a_block_that_ends_on_a_line_of_the_grid_does_not_meet_the_next_cell():
    block = measures.NormalBlock(0, 0, 0.1 + 0.2 + 9.7, 10, 1, 1)
    rest = measures.NormalBlock(10, 0, 100, 10, 1, 1)
    assert measures.importances([block, rest], 1) == pytest.approx([0.1, 0.9])


def test_blocks_beside_the_page_have_none_and_none_divides_by_zero():
    outside = measures.NormalBlock(-30, -30, -10, -5, 1, 1)
    assert measures.importances([outside], 0.5) == (0.0,)
    assert measures.importances([], 0.5) == ()
