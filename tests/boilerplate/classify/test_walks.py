"""Whoever walks the trees, the scores are those of scikit-learn."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.boilerplate.classify import walks
from dbce.boilerplate.classify.trees import Trees, arrays, check
from dbce.boilerplate.classify.walks import (
    SWITCH,
    _by_sklearn,
    _compiled,
    _interpreted,
    _walk,
    raw_scores,
)
from tests.boilerplate.classify.grown import FEATURES, grown, rows

if TYPE_CHECKING:
    from sklearn.ensemble import HistGradientBoostingClassifier

WALKS = {"compiled": _compiled, "scikit-learn": _by_sklearn, "numpy": _interpreted}


@pytest.fixture(scope="module")
def pair() -> tuple[HistGradientBoostingClassifier, Trees]:
    return grown(1)


@pytest.fixture(params=WALKS)
def scores(request, monkeypatch):
    """`raw_scores` by each of the walks in turn."""
    monkeypatch.delenv(SWITCH, raising=False)
    if WALKS[request.param](grown(1)[1]) is None:
        pytest.skip("the compiled walk is not built here: no compiler when dbce was installed")
    monkeypatch.setattr(walks, "_walk", WALKS[request.param])
    return raw_scores


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6))
def test_all_walks_give_the_decision_function_of_scikit_learn(seed):
    classifier, trees = grown(seed)
    unseen = rows(seed + 1)
    found = [walk(unseen) for make in WALKS.values() if (walk := make(trees)) is not None]
    assert len(found) >= 2
    np.testing.assert_allclose(found[0], classifier.decision_function(unseen), atol=1e-5)
    assert all(np.array_equal(found[0], other) for other in found)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(width=32), min_size=FEATURES, max_size=9 * FEATURES), st.integers(1, 99))
def test_all_walks_agree_on_any_rows_whatever_their_number(values, seed):
    trees = grown(seed % 3)[1]
    count = len(values) // FEATURES
    matrix = np.array(values[: count * FEATURES], np.float32).reshape(count, FEATURES)
    found = [walk(matrix) for make in WALKS.values() if (walk := make(trees)) is not None]
    assert all(np.array_equal(found[0], other) for other in found)


def test_values_at_a_threshold_go_the_way_they_went_in_training(pair, scores):
    classifier, trees = pair
    at = trees.threshold[trees.feature >= 0]
    for values in (at, np.nextafter(at, np.float32(9)), np.nextafter(at, np.float32(-9))):
        matrix = np.repeat(values[np.isfinite(values)][:, None], FEATURES, axis=1)
        expected = classifier.decision_function(matrix)
        np.testing.assert_allclose(scores(trees, matrix), expected, atol=1e-5)


def test_rows_that_are_a_part_of_a_wider_matrix_are_walked(pair, scores):
    wider = np.column_stack([rows(5), rows(6)])
    assert np.array_equal(scores(pair[1], wider[:, :FEATURES]), scores(pair[1], rows(5)))


def test_more_rows_than_are_walked_at_a_time_are_all_walked(pair, monkeypatch):
    before = _by_sklearn(pair[1])(rows(3))
    monkeypatch.setattr(walks, "ROWS", 7)
    assert np.array_equal(_by_sklearn(pair[1])(rows(3)), before)


def test_without_a_tree_the_score_is_the_baseline(pair, scores):
    none = Trees(
        **{n: v[:0] for n, v in arrays(pair[1]).items()}
        | {"starts": np.zeros(1, np.int32), "baseline": np.array([0.5])}
    )
    check(none, FEATURES)
    assert scores(none, rows(4, count=3)).tolist() == [0.5] * 3


def test_no_rows_have_no_scores(pair, scores):
    assert scores(pair[1], np.zeros((0, FEATURES), np.float32)).shape == (0,)


def test_nothing_compiled_is_used_where_the_environment_says_so(pair, monkeypatch):
    monkeypatch.setenv(SWITCH, "no")
    assert _compiled(pair[1]) is None
    _walk.cache_clear()
    assert np.array_equal(raw_scores(pair[1], rows(2)), _interpreted(pair[1])(rows(2)))


def test_scikit_learn_is_not_imported_to_predict_where_the_walk_is_compiled():
    pytest.importorskip("dbce.boilerplate.classify.walk", reason="the walk is not compiled here")
    code = (
        "import sys, dbce\n"
        "dbce.extract(b'<p>Some text of a page that stands alone.')\n"
        "assert 'dbce.boilerplate.classify.walk' in sys.modules\n"
        "assert 'sklearn' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
