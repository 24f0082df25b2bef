"""Boosted trees as arrays give what scikit-learn gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import HistGradientBoostingClassifier

from dbce.boilerplate.classify import trees as module
from dbce.boilerplate.classify.trees import (
    Trees,
    _compiled,
    _interpreted,
    _rounded_down,
    arrays,
    check,
    from_sklearn,
    raw_scores,
)

FEATURES = 5


def rows(seed: int, count: int = 300) -> np.ndarray:
    """Random rows, some values missing, some equal."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(count, FEATURES)).astype(np.float32)
    values[:, 0] = np.round(values[:, 0])
    values[rng.random(values.shape) < 0.1] = np.nan
    return values


def grown(seed: int) -> tuple[HistGradientBoostingClassifier, Trees]:
    matrix = rows(seed)
    known = np.nan_to_num(matrix)
    truth = known[:, 0] + known[:, 1] * known[:, 2] + np.isnan(matrix[:, 3]) > 0.5
    classifier = HistGradientBoostingClassifier(
        max_iter=12, min_samples_leaf=3, max_leaf_nodes=9, early_stopping=False, random_state=seed
    ).fit(matrix, truth)
    return classifier, from_sklearn(classifier)


@pytest.fixture(scope="module")
def pair() -> tuple[HistGradientBoostingClassifier, Trees]:
    return grown(1)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6))
def test_both_walks_give_the_decision_function_of_scikit_learn(seed):
    classifier, trees = grown(seed)
    unseen = rows(seed + 1)
    walk = _compiled(trees)
    assert walk is not None
    np.testing.assert_allclose(walk(unseen), classifier.decision_function(unseen), atol=1e-5)
    assert np.array_equal(walk(unseen), _interpreted(trees)(unseen))


def test_without_the_compiled_walk_the_scores_are_the_same(pair, monkeypatch):
    _, trees = pair
    before = raw_scores(trees, rows(2))
    monkeypatch.setattr(module, "_compiled", lambda _: None)
    assert np.array_equal(raw_scores(trees, rows(2)), before)


def test_values_at_a_threshold_go_the_way_they_went_in_training(pair):
    classifier, trees = pair
    at = trees.threshold[trees.feature >= 0]
    for values in (at, np.nextafter(at, np.float32(9)), np.nextafter(at, np.float32(-9))):
        matrix = np.repeat(values[np.isfinite(values)][:, None], FEATURES, axis=1)
        expected = classifier.decision_function(matrix)
        np.testing.assert_allclose(raw_scores(trees, matrix), expected, atol=1e-5)


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(width=32, allow_nan=False))
def test_a_rounded_threshold_parts_numbers_as_before(threshold, value):
    with np.errstate(over="ignore"):
        (rounded,) = _rounded_down(np.array([threshold]))
    assert (np.float32(value) <= rounded) == (np.float64(value) <= threshold)


def test_more_rows_than_are_walked_at_a_time_are_all_walked(pair, monkeypatch):
    before = raw_scores(pair[1], rows(3))
    monkeypatch.setattr(module, "ROWS", 7)
    assert np.array_equal(raw_scores(pair[1], rows(3)), before)


def test_without_a_tree_the_score_is_the_baseline(pair):
    none = Trees(
        **{n: v[:0] for n, v in arrays(pair[1]).items()}
        | {"starts": np.zeros(1, np.int32), "baseline": np.array([0.5])}
    )
    check(none, FEATURES)
    assert raw_scores(none, rows(4, count=3)).tolist() == [0.5] * 3


def test_no_rows_have_no_scores(pair):
    assert raw_scores(pair[1], np.zeros((0, FEATURES), np.float32)).shape == (0,)


def test_trees_that_were_grown_are_sound(pair):
    check(pair[1], FEATURES)


def first_inner(trees: Trees, column: str, value: int) -> Trees:
    """The trees with one thing changed at the first node that has children."""
    changed = getattr(trees, column).copy()
    changed[np.flatnonzero(trees.feature >= 0)[0]] = value
    return replace(trees, **{column: changed})


@pytest.mark.parametrize(
    "damage",
    [
        lambda t: first_inner(t, "feature", FEATURES),
        lambda t: first_inner(t, "left", 0),  # leads back: the walk would never end
        lambda t: first_inner(t, "right", 10_000),
        lambda t: first_inner(t, "left", -3),
        lambda t: replace(t, value=t.value[:-1]),
        lambda t: replace(t, threshold=t.threshold.astype(np.float64)),
        lambda t: replace(t, starts=t.starts[:-1]),
        lambda t: replace(t, starts=t.starts[::-1].copy()),
        lambda t: replace(t, starts=t.starts[:0]),
        lambda t: replace(t, baseline=np.zeros(0)),
        lambda t: replace(t, feature=np.int16(3)),
        lambda t: replace(t, **{n: v[:0] for n, v in arrays(t).items()}),
    ],
)
def test_trees_that_would_lead_astray_are_refused(pair, damage):
    with pytest.raises(ValueError, match="trees"):
        check(damage(pair[1]), FEATURES)
