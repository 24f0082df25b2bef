"""A classifier that needs no labels from people: bit patterns are its teachers.

What it learns from them must hold where they say nothing, so it sees what a page says of its lines
and never what other pages say: the labels come from there, and it would learn the pattern table by
heart. A regularised logistic regression. Boosted trees and forests were no better on whole sites
and cost two to forty times as much; names around a line, and its place in the template, added
nothing to a regression per bucket. All of that was measured on the training sets alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from dbce.boilerplate.classify.features import without_evidence
from dbce.model import CONTENT, INVALID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify.features import Features

STRENGTH = 0.002
"""Inverse strength of the regularisation: strong, since a pattern's label is often wrong."""

MOST_WORDS = 80
"""A line's weight is the root of its number of words, of so many at most."""


class SelfTrained:
    """A classifier for the pages of one template; it has no state but what it learns."""

    def fit(self, pages: Sequence[Features], labels: Sequence[NDArray[np.uint8]]) -> Self:
        """Learns from the lines that are decided; both classes weigh the same.

        Raises:
            ValueError: no line is labelled content, or none boilerplate.
        """
        from sklearn.linear_model import LogisticRegression

        label = np.concatenate(labels)
        decided = label != INVALID
        content = label[decided] == CONTENT
        if content.all() or not content.any():
            raise ValueError("lines of both classes are needed to learn from")
        rows = np.vstack([_own(page) for page in pages])
        self._mean, spread = rows.mean(axis=0), rows.std(axis=0)
        self._spread = np.where(spread > 0, spread, 1.0)
        words = np.concatenate([page.lines.words for page in pages])[decided]
        # A tight tolerance, so that the last bits of sums do not show in four decimals.
        self._regression = LogisticRegression(C=STRENGTH, tol=1e-6, max_iter=1000)
        self._regression.fit(self._scaled(rows[decided]), content, _weights(words, content))
        return self

    def predict_proba(self, pages: Sequence[Features]) -> list[NDArray[np.float64]]:
        """For each page the probability of every line that it is content."""
        return [
            np.asarray(self._regression.predict_proba(self._scaled(_own(page)))[:, 1])
            for page in pages
        ]

    def _scaled(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((rows - self._mean) / self._spread)


def _own(page: Features) -> NDArray[np.float64]:
    """What the page itself says of its lines; counts and lengths by their orders of magnitude."""
    rows = np.nan_to_num(without_evidence(page.matrix, page.names).astype(np.float64))
    return np.asarray(np.sign(rows) * np.log1p(np.abs(rows)))


def _weights(words: NDArray[np.float32], content: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The weight of each line; the classes have equal sums, together the number of lines."""
    weight = np.sqrt(np.minimum(words, MOST_WORDS)).astype(np.float64)
    of_class = np.bincount(content, weights=weight)
    return weight * len(weight) / 2 / of_class[content.astype(np.int64)]
