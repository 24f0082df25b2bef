"""Boosted trees of scikit-learn as arrays."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from sklearn.ensemble import HistGradientBoostingClassifier

from dbce.boilerplate.classify import trees as module
from dbce.boilerplate.classify.trees import KINDS, Trees, arrays, check, raw_scores

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
    return classifier, module.from_sklearn(classifier)


@pytest.fixture(scope="module")
def trees() -> Trees:
    return grown(1)[1]


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(width=32, allow_nan=False))
def test_a_rounded_threshold_parts_numbers_as_before(threshold, value):
    with np.errstate(over="ignore"):
        (rounded,) = module._rounded_down(np.array([threshold]))
    assert (np.float32(value) <= rounded) == (np.float64(value) <= threshold)


def first_inner(trees: Trees, column: str, value: float) -> Trees:
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
        lambda t: first_inner(t, "threshold", np.nan),
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
def test_trees_that_would_lead_astray_are_refused(trees, damage):
    with pytest.raises(ValueError, match="trees"):
        check(damage(trees), FEATURES)


# The scores are those of scikit-learn, and to the last bit those of a walk node by node.


def _literal(trees: Trees, matrix: np.ndarray) -> np.ndarray:
    """Scores as they are told: row by row, tree by tree, node by node."""

    def leaf(tree: int, row: np.ndarray) -> int:
        first = int(trees.starts[tree])
        node = first
        while (feature := trees.feature[node]) >= 0:
            value = row[feature]
            left = trees.missing_left[node] if np.isnan(value) else value <= trees.threshold[node]
            node = first + int((trees.left if left else trees.right)[node])
        return node

    score = np.full(len(matrix), trees.baseline[0])
    for tree in range(len(trees.starts) - 1):
        score += [np.float64(trees.value[leaf(tree, row)]) for row in matrix]
    return score


def assert_alike(trees: Trees, matrix: np.ndarray) -> None:
    """The scores are bit by bit those of the literal walk."""
    assert raw_scores(matrix, trees)[0].tobytes() == _literal(trees, matrix).tobytes()


@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_the_scores_are_the_decision_function_of_scikit_learn(seed):
    classifier, trees = grown(seed)
    unseen = rows(seed + 1)
    assert_alike(trees, unseen)
    expected = classifier.decision_function(unseen)
    np.testing.assert_allclose(raw_scores(unseen, trees)[0], expected, atol=1e-5)


ANY_VALUE = st.floats(width=32)
THRESHOLDS = st.floats(width=32, allow_nan=False)
LEAVES = st.floats(-9, 9, width=32)


@st.composite
def sound_trees(draw) -> Trees:
    """Trees of any shape, a leaf alone too, with any thresholds and ways for what is missing."""
    columns: dict[str, list] = {name: [] for name in KINDS}
    columns["starts"], columns["baseline"] = [0], [draw(LEAVES)]
    for splits in draw(st.lists(st.integers(0, 12), max_size=4)):
        size = 2 * splits + 1
        own = {
            "feature": [-1] * size,
            "threshold": [np.nan] * size,
            "missing_left": draw(st.lists(st.booleans(), min_size=size, max_size=size)),
            "left": [0] * size,
            "right": [0] * size,
            "value": draw(st.lists(LEAVES, min_size=size, max_size=size)),
        }
        for first in range(1, size, 2):
            is_leaf = [node for node in range(first) if own["feature"][node] < 0]
            node = draw(st.sampled_from(is_leaf))
            own["feature"][node] = draw(st.integers(0, FEATURES - 1))
            own["threshold"][node] = draw(THRESHOLDS)
            own["left"][node], own["right"][node] = draw(st.permutations([first, first + 1]))
        for name, values in own.items():
            columns[name] += values
        columns["starts"].append(len(columns["feature"]))
    return Trees(**{name: np.array(values, KINDS[name]) for name, values in columns.items()})


@given(sound_trees(), st.data())
def test_any_rows_go_down_any_trees_as_they_are_told(trees, data):
    check(trees, FEATURES)
    at_thresholds = st.sampled_from([0.0, *trees.threshold.tolist()])
    row = st.lists(ANY_VALUE | at_thresholds, min_size=FEATURES, max_size=FEATURES)
    matrix = data.draw(st.lists(row, max_size=9))
    assert_alike(trees, np.array(matrix, np.float32).reshape(-1, FEATURES))


def test_rows_that_are_a_part_of_a_wider_matrix_are_walked(trees):
    wider = np.column_stack([rows(5), rows(6)])
    assert np.array_equal(raw_scores(wider[:, :FEATURES], trees)[0], raw_scores(rows(5), trees)[0])
    with pytest.raises(ValueError, match="as many columns"):
        raw_scores(rows(5)[:, : int(trees.feature.max())], trees)


def test_rows_that_fill_no_block_go_down_beside_whatever_memory_holds(trees):
    raw_scores(np.full((module.BLOCK, FEATURES), np.nan, np.float32), trees)
    assert_alike(trees, rows(5, count=3))


def test_without_a_tree_the_score_is_the_baseline():
    none = module.constant(0.5)
    check(none, FEATURES)
    assert raw_scores(rows(4, count=3), none)[0].tolist() == [0.5] * 3


def test_trees_that_are_too_large_to_be_packed_are_refused(trees, monkeypatch):
    for most in (FEATURES - 1, int(np.diff(trees.starts).max()) - 1):
        monkeypatch.setattr(module, "MOST", most)
        with pytest.raises(ValueError, match="trees"):
            check(trees, FEATURES)


# Probabilities are those that SciPy gives, to the last bit.


NUMBERS = st.floats(-40, 40) | st.floats() | st.floats(-760, -700)


@pytest.mark.parametrize("name", ["expit", "log_expit"])
@given(log_odds=st.lists(NUMBERS, max_size=50).map(np.array))
def test_log_odds_are_the_probabilities_that_scipy_gives(name, log_odds):
    np.testing.assert_array_equal(
        getattr(module, name)(log_odds), getattr(special, name)(log_odds), strict=True
    )
