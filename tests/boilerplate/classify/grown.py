"""Small boosted trees, rows for them, and what adds up to a probability."""

import math

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from dbce.boilerplate.classify import Pushes
from dbce.boilerplate.classify.trees import Trees, from_sklearn

FEATURES = 5


def probability(of: Pushes) -> float:
    """Probability by the sum of all pushes."""
    return 1 / (1 + math.exp(-(of.start + sum(push.weight for push in of.pushes))))


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
