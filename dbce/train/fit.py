"""Fitting a model: weights of names, then trees.

Pages that were compared with others are learned from twice, the second time without the evidence,
so that the same trees judge a page that stands alone. Scores of names that the trees learn from
come from weights fitted on other sites, as they will be in use. What is a comment of a user is
learned from the lines of which the gold tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self
from zlib import crc32

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

import dbce
from dbce.classify.evidence import EVIDENCE
from dbce.classify.features import without_evidence
from dbce.classify.model import NAME_SCORES, Model, scores_of_names
from dbce.classify.names import SIZE
from dbce.classify.trees import Trees, from_sklearn
from dbce.errors import UsageError
from dbce.model import BOILERPLATE, CONTENT, INVALID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.classify.features import Features
    from dbce.classify.lines import Floats
    from dbce.train.examples import Example

SITES = 6
"""A name must occur on so many sites to get a weight."""

INNER = 4
"""Parts of the training sites; the names of each are scored by weights from the others."""

TREES = {
    "max_iter": 120,
    "learning_rate": 0.11,
    "max_leaf_nodes": 24,
    "l2_regularization": 20.0,
    "max_features": 0.3,
    "early_stopping": False,
}

LEAF = (50, 200)
"""Lines of a leaf at least: a thousandth of all, and no fewer or more than these.

Large leaves learn less of single sites, and so judge others better.
"""

FEWER = {"max_iter": 60}
"""Comments of users are told from the rest more easily."""

CERTAIN = 9.0
"""Log-odds of what all lines are, or none is."""


def part(site: str, parts: int) -> int:
    """Which of so many parts a site falls into: always the same one."""
    return crc32(f"part {site}".encode()) % parts


class Pretrained:
    """A `Classifier` that learns from labelled pages of many sites, for pages of any.

    What it learned is `model`, not calibrated yet; `trees` says how they are grown.
    """

    def __init__(self, seed: int, trees: dict[str, Any] = TREES) -> None:
        self._seed = seed
        self._trees = trees

    def fit(
        self,
        pages: Sequence[Features],
        labels: Sequence[NDArray[np.uint8]],
        *,
        sites: Sequence[str] | None = None,
        weights: Sequence[NDArray[np.float64]] | None = None,
        comments: Sequence[NDArray[np.float64]] | None = None,
    ) -> Self:
        """Learns from pages with a label for every line; those labelled INVALID have none.

        `sites` names the site of each page, else each is a site of its own. `weights` says what
        each line counts, else all count the same; `comments` what part of it is a comment of a
        user, NaN where that is unknown, as it is of all lines else.

        Raises:
            ValueError: no line is labelled content, or none boilerplate.
        """
        label = np.concatenate(labels)
        if not {CONTENT, BOILERPLATE} <= set(label.tolist()):
            raise ValueError("lines of both classes are needed to learn from")
        content = np.where(label == INVALID, np.nan, label == CONTENT)
        unknown = np.full(len(label), np.nan)
        lines = _Lines(
            pages,
            content,
            np.concatenate(comments) if comments else unknown,
            np.concatenate(weights) if weights else np.ones(len(label)),
            sites or [f"{number}" for number in range(len(pages))],
        )
        self.model = self._learned(lines, pages[0].names)
        return self

    def _learned(self, lines: _Lines, names: tuple[str, ...]) -> Model:
        named = np.column_stack([lines.matrix, lines.name_scores()])
        all_names = (*names, *NAME_SCORES)
        known = [column for column, name in enumerate(names) if name in EVIDENCE]
        compared = ~np.isnan(lines.matrix[:, known]).all(axis=1)
        rows = np.vstack([named, without_evidence(named[compared], all_names)])
        weight = np.concatenate([lines.weight, lines.weight[compared] / 2])
        content, comments = (
            np.concatenate([truth, truth[compared]]) for truth in (lines.content, lines.comments)
        )
        return Model(
            names=all_names,
            weights=lines.name_weights(),
            named=_grow(rows, content, weight, self._trees, self._seed),
            plain=_grow(rows[:, : len(names)], content, weight, self._trees, self._seed),
            comments=_grow(rows, comments, weight, self._trees | FEWER, self._seed),
            blend=(1.0, 0.0, 0.0),
            comment_scale=(1.0, 0.0),
            card={"version": dbce.__version__},
        )

    def predict_proba(self, pages: Sequence[Features]) -> list[NDArray[np.float64]]:
        """For each page the probability of every line that it is content."""
        return self.model.predict_proba(pages)


def fit(examples: Sequence[Example], seed: int, trees: dict[str, Any] = TREES) -> Model:
    """A model of all examples, not calibrated yet.

    Raises:
        UsageError: the examples do not have both classes.
    """
    labels = [
        np.select([e.share > 0.5, e.known], [CONTENT, BOILERPLATE], INVALID) for e in examples
    ]
    if not {CONTENT, BOILERPLATE} <= set(np.concatenate(labels).tolist()):
        raise UsageError("the gold has content only or none at all; both are needed to learn")
    learned = Pretrained(seed, trees).fit(
        [e.features for e in examples],
        [of_lines.astype(np.uint8) for of_lines in labels],
        sites=[e.site for e in examples],
        weights=[e.weight for e in examples],
        comments=[e.comments for e in examples],
    )
    return learned.model


class _Lines:
    """All lines of the pages, in a row.

    `content` says which are content, `comments` which part of each is a comment of a user; NaN
    where that is unknown.
    """

    def __init__(
        self,
        pages: Sequence[Features],
        content: NDArray[np.float64],
        comments: NDArray[np.float64],
        weight: NDArray[np.float64],
        sites: Sequence[str],
    ) -> None:
        sizes = [len(page.matrix) for page in pages]
        self._pages, self._part_of_page = pages, [part(site, INNER) for site in sites]
        self.matrix = np.vstack([page.matrix for page in pages])
        self.content, self.comments, self.weight = content, comments, weight
        self._tokens = _token_matrix(pages)
        self._sites = np.repeat(np.array(sites), sizes)
        self._part = np.repeat(self._part_of_page, sizes)

    def name_weights(self, without: int = -1) -> Floats:
        """Weights of names from all sites but those of a part: for content, and for comments."""
        rows = self._part != without
        return np.stack([self._weights_for(truth, rows) for truth in (self.content, self.comments)])

    def _weights_for(self, truth: NDArray[np.float64], rows: NDArray[np.bool_]) -> Floats:
        of = rows & ~np.isnan(truth)
        return _name_weights(self._tokens[of], truth[of] > 0.5, self.weight[of], self._sites[of])

    def name_scores(self) -> Floats:
        """The scores of the names around every line, by weights that other sites gave."""
        by_part = [self.name_weights(without=number) for number in range(INNER)]
        return np.vstack(
            [
                scores_of_names(page, by_part[its_part])
                for page, its_part in zip(self._pages, self._part_of_page, strict=True)
            ]
        )


def _grow(
    rows: Floats,
    truth: NDArray[np.float64],
    weight: NDArray[np.float64],
    trees: dict[str, Any],
    seed: int,
) -> Trees:
    """Trees that tell the classes apart, by the rows of which the truth is known (not NaN).

    Where that knows one class alone, or nothing, there are no trees, and all rows are the same.
    """
    known = ~np.isnan(truth)
    is_so = truth[known] > 0.5
    if is_so.all() or not is_so.any():
        return _no_trees(CERTAIN if is_so.any() else -CERTAIN)
    rows = rows[known]
    # scikit-learn cannot bin a column without any value.
    rows[:, np.isnan(rows).all(axis=0)] = 0
    leaf = int(np.clip(len(rows) // 1000, *LEAF))
    parameters = {"min_samples_leaf": leaf, **trees}
    classifier = HistGradientBoostingClassifier(**parameters, random_state=seed % 2**32)
    return from_sklearn(classifier.fit(rows, is_so, sample_weight=weight[known]))


def _no_trees(log_odds: float) -> Trees:
    return Trees(
        starts=np.zeros(1, np.int32),
        feature=np.zeros(0, np.int16),
        threshold=np.zeros(0, np.float32),
        missing_left=np.zeros(0, np.bool_),
        left=np.zeros(0, np.int32),
        right=np.zeros(0, np.int32),
        value=np.zeros(0, np.float32),
        baseline=np.array([log_odds]),
    )


def _token_matrix(pages: Sequence[Features]) -> csr_matrix:
    lines = [line for page in pages for line in page.tokens]
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
