"""Fitting a model: weights of names, then trees, then what calibrates them.

Pages that were compared with others are learned from twice, the second time without the evidence,
so that the same trees judge a page that stands alone. Scores of names that the trees learn from
come from weights fitted on other sites, as they will be in use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

import dbce
from dbce.classify.features import without_evidence
from dbce.classify.model import Model
from dbce.classify.names import SCORES, SIZE, name_scores
from dbce.classify.trees import from_sklearn
from dbce.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.classify.lines import Floats
    from dbce.classify.trees import Trees
    from dbce.train.examples import Example

SITES = 6
"""A name must occur on so many sites to get a weight."""

INNER = 4
"""Parts of the training sites; the names of each are scored by weights from the others."""

TREES = {
    "max_iter": 180,
    "learning_rate": 0.08,
    "max_leaf_nodes": 24,
    "min_samples_leaf": 50,
    "l2_regularization": 5.0,
    "max_features": 0.3,
    "early_stopping": False,
}


def part(site: str, parts: int) -> int:
    """Which of so many parts a site falls into: always the same one."""
    return crc32(f"part {site}".encode()) % parts


def fit(examples: Sequence[Example], seed: int) -> Model:
    """A model of all examples, not calibrated yet.

    Raises:
        UsageError: the examples do not have both classes.
    """
    truth = np.concatenate([e.share for e in examples]) > 0.5
    if truth.all() or not truth.any():
        raise UsageError("the gold has content only or none at all; both are needed to learn")
    matrix = np.vstack([e.features.matrix for e in examples])
    weight = np.concatenate([e.weight for e in examples])
    tokens = _token_matrix(examples)
    sites = np.repeat([e.site for e in examples], [len(e.share) for e in examples])
    inner = np.repeat([part(e.site, INNER) for e in examples], [len(e.share) for e in examples])
    by_part = {}
    for number in range(INNER):
        known = inner != number
        by_part[number] = _name_weights(tokens[known], truth[known], weight[known], sites[known])
    score = np.vstack(
        [
            name_scores(e.features.tokens, by_part[part(e.site, INNER)], e.features.prose)
            for e in examples
        ]
    )
    names = examples[0].features.names
    compared = ~np.repeat([e.alone for e in examples], [len(e.share) for e in examples])
    blank = without_evidence(matrix[compared], names)
    twice = (
        np.concatenate([truth, truth[compared]]),
        np.concatenate([weight, weight[compared] / 2]),
    )
    named = np.vstack([np.column_stack([matrix, score]), np.column_stack([blank, score[compared]])])
    # scikit-learn cannot bin a column without any value.
    named[:, np.isnan(named).all(axis=0, where=(twice[1] > 0)[:, None])] = 0
    return Model(
        names=(*names, *SCORES),
        weights=_name_weights(tokens, truth, weight, sites),
        named=_grow(named, *twice, seed),
        plain=_grow(named[:, : -len(SCORES)], *twice, seed),
        slope=1.0,
        intercept=0.0,
        cut=0.5,
        card={"version": dbce.__version__},
    )


def _grow(rows: Floats, truth: NDArray[np.bool_], weight: NDArray[np.float64], seed: int) -> Trees:
    classifier = HistGradientBoostingClassifier(**TREES, random_state=seed % 2**32)
    return from_sklearn(classifier.fit(rows, truth, sample_weight=weight))


def _token_matrix(examples: Sequence[Example]) -> csr_matrix:
    lines = [line for e in examples for line in e.features.tokens]
    columns = np.array([token for line in lines for token in line], dtype=np.int32)
    ends = np.cumsum([0, *map(len, lines)])
    ones = np.ones(len(columns), dtype=np.float32)
    return csr_matrix((ones, columns, ends), shape=(len(lines), SIZE))


def _name_weights(
    tokens: csr_matrix,
    truth: NDArray[np.bool_],
    weight: NDArray[np.float64],
    sites: NDArray[np.str_],
) -> Floats:
    """The weight of each hash: a logistic regression in which sites count alike."""
    known_sites, site = np.unique(sites, return_inverse=True)
    of_site = (np.ones(len(site)), (site, np.arange(len(site))))
    per_site = csr_matrix(of_site, shape=(len(known_sites), len(site))) @ tokens
    known = np.flatnonzero(np.asarray((per_site > 0).sum(axis=0)).ravel() >= SITES)
    found = np.zeros(SIZE, dtype=np.float32)
    if not len(known) or truth.all() or not truth.any():
        return found
    balanced = weight / np.sqrt(np.bincount(site, weights=weight)[site])
    regression = LogisticRegression(C=0.05, max_iter=500, tol=1e-3)
    regression.fit(tokens[:, known], truth, sample_weight=balanced / balanced.mean())
    found[known] = regression.coef_[0]
    return found
