"""Random forests in the first stage give what scikit-learn says of them, and a table."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from dbce.boilerplate.classify.trees import check, raw_scores
from scripts.experiments import forests


@pytest.mark.parametrize("kind", [RandomForestClassifier, ExtraTreesClassifier])
def test_trees_lead_where_those_of_the_forest_lead(kind) -> None:
    rng = np.random.default_rng(1)
    rows = rng.random((400, 5), dtype=np.float32)
    rows[rng.random(rows.shape) < 0.1] = np.nan
    truth = np.nan_to_num(rows[:, 0]) + np.nan_to_num(rows[:, 1]) > 1
    forest = kind(7, min_samples_leaf=9, random_state=1).fit(rows, truth)
    trees = forests.from_forest(forest)
    check(trees, rows.shape[1])
    expected = np.zeros(len(rows))
    for tree in forest.estimators_:
        leaves, size = tree.apply(rows), tree.tree_.weighted_n_node_samples
        content = tree.tree_.value[leaves, 0, 1] * size[leaves]
        expected += np.log((content + 1) / (size[leaves] - content + 1)) / len(forest.estimators_)
    assert raw_scores(trees, rows) == pytest.approx(expected, abs=1e-5)
