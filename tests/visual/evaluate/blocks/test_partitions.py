"""The measures of others, on the examples that define them."""

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

from dbce.visual.evaluate.blocks.evaluation import (
    dunn,
    earth_movers,
    found_exactly,
    nested_earth_movers,
    partition,
    score,
)
from dbce.visual.measure import CONVENTIONS, Contents, Flat
from dbce.visual.measure.measures import NormalBlock, atoms
from tests.visual.measure.worked import COMPUTED, GOLD, flat


def test_clusters_of_texts_are_compared():
    # A text a letter: aaabbb by the gold, aabbcc by the other.
    texts = atoms([(10 * n + 5, 5, 1) for n in range(6)])
    gold, computed = (
        Flat(name, (100, 10), 0, tuple(NormalBlock(a, 0, b, 10, 1, 1) for a, b in spans), ())
        for name, spans in (("gold", [(0, 30), (30, 60)]), ("ours", [(0, 20), (20, 40), (40, 60)]))
    )
    found = score(gold, computed, CONVENTIONS["dbce"], Contents(texts, texts.weights, texts))
    assert found["rand"] == pytest.approx(10 / 15)
    assert round(found["adjusted_rand"], 4) == 0.2424
    assert round(found["nmi"], 4) == 0.5295, "by the geometric mean of the entropies"
    assert found["dunn"] == pytest.approx(2)


def test_dunn_is_the_least_distance_by_the_largest_diameter():
    points = np.array([(0, 0), (0, 2), (6, 0), (6, 2), (0, 10), (2, 10)], float)
    assert dunn(points, np.array([0, 0, 1, 1, 2, 2])) == pytest.approx(3)
    assert np.isnan(dunn(points, np.zeros(6, int)))
    assert dunn(points, np.arange(6)) == float("inf")


def test_earth_is_moved_the_shortest_way_and_no_more_than_is_asked_for():
    distances = np.array([[0, 10], [10, 0]], float)
    assert earth_movers(np.array([0.4, 0.6]), np.array([0.5, 0.5]), distances) == pytest.approx(1)
    assert earth_movers(np.array([2.0, 2.0]), np.array([1.0]), np.array([[3.0], [1.0]])) == 1


def test_the_distance_of_two_blocks_is_that_of_their_extents():
    one, other = NormalBlock(10, 0, 40, 100, 0, 0), NormalBlock(20, 0, 25, 100, 0, 0)
    quantiles = (np.arange(2000) + 0.5) / 2000
    expected = wasserstein_distance(0.1 + 0.3 * quantiles, 0.2 + 0.05 * quantiles)
    assert nested_earth_movers([one], [other]) == pytest.approx(expected, rel=1e-5)


def test_a_segmentation_is_nowhere_from_itself_and_as_far_from_another_as_that_from_it():
    gold, computed = flat(GOLD).blocks, flat(COMPUTED).blocks
    assert nested_earth_movers(gold, gold) == pytest.approx(0)
    there, back = nested_earth_movers(gold, computed), nested_earth_movers(computed, gold)
    assert there == pytest.approx(back)
    assert there > 0.1
    assert np.isnan(nested_earth_movers(gold, ()))


def test_atoms_are_in_the_smallest_block_and_alone_outside_of_all():
    blocks = [NormalBlock(0, 0, 50, 50, 0, 0), NormalBlock(0, 0, 10, 10, 0, 0)]
    places = [(5, 5, 1), (20, 20, 1), (30, 30, 1), (80, 80, 1), (90, 90, 1)]
    first, second, third, *outside = partition(atoms(places), blocks)
    assert (first, second, third) == (1, 0, 0)
    assert len({0, 1, *outside}) == 4
    assert len(set(partition(atoms(places), []))) == 5


def test_blocks_are_found_exactly_once_each():
    header, *_ = gold = flat(GOLD).blocks
    assert found_exactly(gold, flat(COMPUTED).blocks, 0) == pytest.approx((1 / 5, 1 / 4, 2 / 9))
    assert found_exactly([header], [header, header], 0).precision == 0.5
    assert found_exactly(gold, (), 0).recall == 0
