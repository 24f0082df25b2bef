"""The measures of others, on the examples that define them."""

import numpy as np
import pytest
from scipy.stats import wasserstein_distance
from sklearn.metrics import normalized_mutual_info_score

from dbce.visual.evaluate.blocks.scores import (
    adjusted_rand,
    dunn,
    earth_movers,
    found_exactly,
    mutual_information,
    nested_earth_movers,
    partition,
    rand,
)
from dbce.visual.measure.measures import NormalBlock, atoms
from tests.visual.measure.worked import COMPUTED, GOLD, flat

X, Y = ([ord(letter) for letter in letters] for letters in ("aaabbb", "aabbcc"))


def test_rand_counts_pairs_that_are_treated_alike():
    assert rand(X, Y) == pytest.approx(10 / 15)


def test_rand_corrected_for_chance():
    assert round(adjusted_rand(X, Y), 4) == 0.2424


def test_mutual_information_is_normalised_by_the_geometric_mean():
    assert round(mutual_information(X, Y), 4) == 0.5295
    assert round(normalized_mutual_info_score(X, Y), 4) == 0.5158  # the arithmetic one


def test_dunn_is_the_least_distance_by_the_largest_diameter():
    points = np.array([(0, 0), (0, 2), (6, 0), (6, 2), (0, 10), (2, 10)], float)
    assert dunn(points, np.array([0, 0, 1, 1, 2, 2])) == pytest.approx(3)
    assert np.isnan(dunn(points, np.zeros(6, int)))
    assert dunn(points, np.arange(6)) == float("inf")


def test_earth_is_moved_the_shortest_way():
    distances = np.array([[0, 10], [10, 0]], float)
    assert earth_movers(np.array([0.4, 0.6]), np.array([0.5, 0.5]), distances) == pytest.approx(1)


def test_of_more_earth_only_what_is_asked_for_is_moved():
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
