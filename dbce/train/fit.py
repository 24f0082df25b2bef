"""Fitting a model: weights of names, then trees.

Pages that were compared with others are learned from twice, the second time without the evidence,
so that the same trees judge a page without others. Scores of names that the trees learn from
come from weights fitted on other sites, as they will be in use. Comments of users are learned
from the lines whose gold has them labelled.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

import dbce
from dbce.boilerplate import classify
from dbce.boilerplate.classify import Floats, Model, Tokens, Trees, Weights, from_sklearn
from dbce.model import UsageError, as_numbers
from dbce.train.examples import Example

SITES = 6  # minimum sites with a name for it to get a weight
PHRASE_SITES = 15  # the same for a phrase
LINES = 150  # lines of a page that trees learn from, drawn by chance; they weigh as much as all
INNER = 4  # parts of the training sites; the names of each are scored by weights from the others

TREES = {
    "max_iter": 110,
    "learning_rate": 0.1,
    "max_leaf_nodes": 64,
    "l2_regularization": 20.0,
    "max_features": 0.3,
    "early_stopping": False,
}
"""Settings of scikit-learn's histogram gradient boosting.

More and slower trees than before gained (docs/evaluation.md).
"""

LEAF = (50, 200)
"""Bounds of the minimum number of lines of a leaf, which is a thousandth of all.

Large leaves learn less of single sites, and so judge others better.
"""

FOR_COMMENTS = {"max_iter": 40, "learning_rate": 0.14, "max_leaf_nodes": 32}
"""Settings for comments of users, which are easier to classify."""

CERTAIN = 9.0  # log-odds of a class that all lines have; negative for one that none has


def part(site: str, parts: int) -> int:
    """Return the number of the part, of `parts`, that a site always falls into."""
    return crc32(f"part {site}".encode()) % parts


def fit(examples: Sequence[Example], seed: int, trees: dict[str, Any] = TREES) -> Model:
    """Return an uncalibrated model of all examples; UsageError if the examples do not have both classes."""
    lines = _Lines(examples)
    if len(np.unique(lines.content[~np.isnan(lines.content)] > 0.5)) < 2:
        raise UsageError("the gold has content only or none at all; both are needed to learn")
    base_names = examples[0].features.names
    all_names = (*base_names, *classify.LEARNED)
    chosen, weight = draw_lines(lines.sizes, lines.weight, seed)
    named = np.column_stack([lines.matrix[chosen], lines.learned_scores()[chosen]])
    rows, repeated, counts = _with_less_known(named, all_names)
    content, comments, weight = (
        np.concatenate([values, values[repeated]])
        for values in (lines.content[chosen], lines.comments[chosen], weight)
    )
    weight *= counts
    return Model(
        names=all_names,
        weights=lines.weights(),
        named=grow(rows, content, weight, trees, seed),
        plain=grow(rows[:, : len(base_names)], content, weight, trees, seed),
        comments=grow(rows, comments, weight, trees | FOR_COMMENTS, seed),
        blend=(1.0, 0.0, 0.0),
        comment_scale=(1.0, 0.0),
        card={"version": dbce.__version__},
    )


def _with_less_known(
    rows: Floats, names: tuple[str, ...]
) -> tuple[Floats, NDArray[np.int64], NDArray[np.float64]]:
    """Return the rows followed by some again with less known, the numbers of the latter, and the weight of every row.

    Lines of compared pages are repeated without any evidence of comparison, at half their weight;
    those of pages with other snapshots without these, and without other pages, at a quarter each. So
    the same trees judge pages without either, and the available evidence does not reveal the origin
    of a page.
    """
    column = {name: rows[:, names.index(name)] for name in ("shared_most", "page_kept")}
    compared = np.flatnonzero(~np.isnan(column["shared_most"]))
    through_time = np.flatnonzero(~np.isnan(column["page_kept"]))
    either = np.union1d(compared, through_time)
    both = np.intersect1d(compared, through_time)
    reductions = (
        (either, classify.without_evidence, 1 / 2),
        (both, classify.without_time, 1 / 4),
        (both, classify.without_others, 1 / 4),
    )
    stacked = np.vstack([rows, *(reduce(rows[n], names) for n, reduce, _ in reductions)])
    repeated = np.concatenate([n for n, *_ in reductions])
    counts = [np.ones(len(rows)), *(np.full(len(n), count) for n, _, count in reductions)]
    return stacked, repeated, np.concatenate(counts)


class _Lines:
    """All lines of the examples, concatenated, with the share of each that is content or a comment, NaN where unknown."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self._pages = [e.features for e in examples]
        self.content = np.concatenate([e.share for e in examples])
        self.comments = np.concatenate([e.comments for e in examples])
        self.weight = np.concatenate(training_weights(examples))
        self.matrix = np.vstack([page.matrix for page in self._pages])
        self.sizes = [len(page.matrix) for page in self._pages]
        self._names, self._phrases = (
            classify.distinct(chain.from_iterable(tokens.line_tokens() for tokens in page_tokens))
            for page_tokens in zip(*((p.tokens, p.phrases) for p in self._pages), strict=True)
        )
        (sites,) = as_numbers([e.site for e in examples])
        self._sites = np.repeat(sites, self.sizes)
        self._part_of_page = [part(e.site, INNER) for e in examples]

    def weights(self, without: int = -1) -> Weights:
        rows = np.repeat(self._part_of_page, self.sizes) != without
        name_weights = [
            self._weights_for(self._names, classify.NAME_SLOTS, truth, rows, SITES)
            for truth in (self.content, self.comments)
        ]
        slots = classify.PHRASE_SLOTS
        phrase_weights = self._weights_for(self._phrases, slots, self.content, rows, PHRASE_SITES)
        return Weights(np.stack(name_weights), phrase_weights)

    def _weights_for(
        self,
        tokens: Tokens,
        size: int,
        truth: NDArray[np.float64],
        rows: NDArray[np.bool_],
        min_sites: int,
    ) -> Floats:
        known = np.flatnonzero(rows & ~np.isnan(truth))
        balanced = _balance_sites(self.weight[known], self._sites[known])
        lines = tokens.row[known], self._sites[known]
        ones = np.ones(len(tokens.token), dtype=np.float32)
        token_matrix = csr_matrix((ones, (tokens.owner, tokens.token)), shape=(tokens.count, size))
        return _token_weights(token_matrix, lines, truth[known] > 0.5, balanced, min_sites)

    def learned_scores(self) -> Floats:
        by_part = [self.weights(without=number) for number in range(INNER)]
        pages = zip(self._pages, self._part_of_page, strict=True)
        scored = [classify.score_lines(page, by_part[n]).rows for page, n in pages]
        return np.vstack([rows[:, -len(classify.LEARNED) :] for rows in scored])


def draw_lines(
    sizes: Sequence[int], weight: NDArray[np.float64], seed: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return numbers and weights of the lines that trees learn from: at most LINES of a page, drawn at random.

    Those drawn weigh as much as all; lines without weight are left out.
    """
    chance = np.random.default_rng(seed).random(len(weight))
    chance[weight == 0] = 1  # after all others, and then left out
    page = np.repeat(np.arange(len(sizes)), sizes)
    size = np.bincount(page, weight > 0)[page]
    begins = np.repeat(np.cumsum(sizes) - sizes, sizes)
    rank = np.empty(len(chance), dtype=np.int64)
    rank[np.lexsort((chance, page))] = np.arange(len(chance))
    drawn = np.flatnonzero((rank - begins < LINES) & (weight > 0))
    return drawn, (weight * np.maximum(size / LINES, 1))[drawn]


def grow(
    rows: Floats,
    truth: NDArray[np.float64],
    weight: NDArray[np.float64],
    trees: dict[str, Any],
    seed: int,
) -> Trees:
    """Return trees that separate the classes, by rows of known truth (not NaN); a constant for a single class."""
    known = ~np.isnan(truth)
    is_positive = truth[known] > 0.5
    if is_positive.all() or not is_positive.any():
        return classify.constant(CERTAIN if is_positive.any() else -CERTAIN)
    rows = rows[known]
    # scikit-learn cannot bin a column without any value.
    rows[:, np.isnan(rows).all(axis=0)] = 0
    leaf = int(np.clip(len(rows) // 1000, *LEAF))
    parameters = {"min_samples_leaf": leaf, **trees}
    classifier = HistGradientBoostingClassifier(**parameters, random_state=seed % 2**32)
    return from_sklearn(classifier.fit(rows, is_positive, sample_weight=weight[known]))


def _balance_sites(weight: NDArray[np.float64], site: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return weights of lines that even out their sites, with mean 1."""
    site_weights = np.bincount(site, weights=weight)[site]
    balanced = weight / np.sqrt(np.maximum(site_weights, np.finfo(float).tiny))
    return np.asarray(balanced / balanced.mean()) if len(balanced) else balanced


def _token_weights(
    tokens: csr_matrix,
    lines: tuple[NDArray[np.int64], NDArray[np.int64]],
    truth: NDArray[np.bool_],
    weight: NDArray[np.float64],
    min_sites: int,
) -> Floats:
    """Return the weight of each hash on `min_sites` sites or more in a logistic regression, 0 for all others.

    `lines` are the row of each line in `tokens` and its site. Lines of a site with the same tokens are
    one row for each class, with the sum of their weights.
    """
    weights = np.zeros(tokens.shape[1], dtype=np.float32)
    if truth.all() or not truth.any():
        return weights
    row, site = lines
    sites = int(site.max()) + 1
    groups, group = np.unique(row * sites + site, return_inverse=True)
    rows = tokens[groups // sites]
    site_rows = csr_matrix((np.ones(len(groups)), (groups % sites, np.arange(len(groups)))))
    on_sites = np.asarray(((site_rows @ rows) > 0).sum(axis=0)).ravel()
    known = np.flatnonzero(on_sites >= min_sites)
    if not len(known):
        return weights
    sums = np.concatenate([np.bincount(group, weight * is_class) for is_class in (truth, ~truth)])
    content = np.repeat([True, False], len(groups))
    has_weight = sums > 0
    regression = LogisticRegression(C=0.05, max_iter=500, tol=1e-3)
    both = vstack([rows[:, known]] * 2).tocsr()
    regression.fit(both[has_weight], content[has_weight], sample_weight=sums[has_weight])
    weights[known] = regression.coef_[0]
    return weights


# Weight of each line in training, chosen so that no set, no site and no page rules.
#
# Sets differ in size by a factor of six, sites by a hundred, pages by thousands of lines, and
# snapshots of a URL are nearly equal.

OF_URL = 0.6
"""Power of the number of labelled snapshots of its URL that a page's weight is divided by."""

OF_SITE = 0.4  # power of the weight of all pages of its site that a page's weight is divided by
OF_SET = 0.5  # power of the weight of all pages of its set that a page's weight is divided by


def training_weights(examples: Sequence[Example]) -> list[NDArray[np.float64]]:
    """Return for each example the weights of its lines, in proportion to `Example.weight`; their mean over all lines is 1."""
    page_weights = np.array([e.trust for e in examples])
    page_weights /= _sums(page_weights > 0, [f"{e.source} {e.url}" for e in examples]) ** OF_URL
    site_weights = _sums(page_weights, [e.site for e in examples])
    page_weights /= np.maximum(site_weights, page_weights.max()) ** OF_SITE
    page_weights /= _sums(page_weights, [e.source for e in examples]) ** OF_SET
    weights = [
        weight * e.weight / max(e.weight.sum(), 1.0)
        for weight, e in zip(page_weights, examples, strict=True)
    ]
    mean = sum(float(lines.sum()) for lines in weights) / sum(map(len, weights))
    return [lines / mean for lines in weights]


def _sums(values: NDArray[np.generic], groups: Sequence[str]) -> NDArray[np.float64]:
    _, group = np.unique(groups, return_inverse=True)
    return np.asarray(np.bincount(group, values)[group])
