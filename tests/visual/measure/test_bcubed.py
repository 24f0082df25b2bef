"""B-cubed over four kinds of atoms, on the worked page."""

from __future__ import annotations

import numpy as np
import pytest

from dbce.visual.measure.bcubed import area, bcubed, members
from tests.visual.measure.worked import COMPUTED, GOLD, elements, flat, texts

ATOMS = {"characters": texts(), "texts": texts().evenly(), "elements": elements(), "area": area()}


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


@pytest.mark.parametrize("kind", ATOMS)
def test_gold_agrees_with_itself(kind):
    pieces = ATOMS[kind]
    gold = members(pieces, flat(GOLD).blocks)
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
