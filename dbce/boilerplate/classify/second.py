"""Chances of lines, and the second stage: each line is judged again, by what the first says of the lines around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.boilerplate.classify.context import log_odds as odds_of
from dbce.boilerplate.classify.logistic import expit
from dbce.boilerplate.classify.walks import raw_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats
    from dbce.boilerplate.classify.trees import Trees

NONE = 1e-15
"""Probability below which there is none that a float64 tells from 1 on the other side."""


class Chances(NamedTuple):
    """The probability of every line of a page to be content, and to be a comment of a user."""

    content: NDArray[np.float64]
    comment: NDArray[np.float64]


def with_comments(of: Chances) -> NDArray[np.float64]:
    """The probability of every line to be content or a comment."""
    return 1 - (1 - of.content) * (1 - of.comment)


class Second(NamedTuple):
    """Boosted trees over rows of context, and what calibrates them.

    `blend` are the weights of the first stage's log-odds and of the trees', and the intercept.
    """

    trees: Trees
    blend: tuple[float, float, float]


def second_votes(trees: Trees, first: Chances, rows: Floats) -> NDArray[np.float64]:
    """Log-odds of content by the first stage and by the trees of the second, shape (lines, 2).

    `rows` are those of `dbce.boilerplate.classify.context.context_rows`.
    """
    return np.column_stack([odds_of(first.content, NONE), raw_scores(trees, rows)])


def judged_again(second: Second, first: Chances, rows: Floats) -> Chances:
    """The chances of lines by both stages; `rows` as in `second_votes`."""
    return blended(second_votes(second.trees, first, rows), second.blend, first)


def blended(
    votes: NDArray[np.float64], blend: tuple[float, float, float], first: Chances
) -> Chances:
    """The chances of lines by the votes of both stages; those to be a comment are the first stage's."""
    of_first, of_second, intercept = blend
    # Not as a product of matrices, whose last bits depend on how many lines there are.
    log_odds = of_first * votes[:, 0] + of_second * votes[:, 1] + intercept
    return Chances(expit(log_odds), first.comment)
