"""Fitting the second stage, which learns from answers of first stages that never saw the page's site.

That is stacking (Wolpert, Stacked generalization, 1992): from answers on its own lessons, which are surer than
any will be in use, the second stage would learn to trust the first too much.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dbce.boilerplate.classify import Second, blended, context_rows, second_votes
from dbce.train.fit import drawn, grow, part
from dbce.train.folds import of_most_trust, regression
from dbce.train.weights import training_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify import Chances, Floats, Model, Trees
    from dbce.train.examples import Example

TREES: dict[str, Any] = {
    "max_iter": 120,
    "learning_rate": 0.08,
    "max_leaf_nodes": 16,
    "l2_regularization": 20.0,
    "max_features": 0.3,
    "early_stopping": False,
}
"""Settings of scikit-learn's histogram gradient boosting: smaller trees than those of the first stage,
for larger ones gained nothing more."""


def add_second(
    model: Model,
    examples: Sequence[Example],
    held: Sequence[Chances],
    *,
    folds: int,
    seed: int,
    progress: Callable[[str], None],
) -> tuple[Model, list[Chances]]:
    """Return the model with a second stage, and the chances of held-out lines by both stages.

    `held` are the chances by first stages that never saw the page's site; a page's second stage learned from the other
    parts of the sites, and is calibrated by them.
    """
    rows = [context_rows(e.features, *of_lines) for e, of_lines in zip(examples, held, strict=True)]
    fold_of = [part(e.site, folds) for e in examples]
    of_fold = {k: [n for n, fold in enumerate(fold_of) if fold == k] for k in sorted(set(fold_of))}
    without = {k: [n for n, fold in enumerate(fold_of) if fold != k] for k in of_fold}
    votes: list[NDArray[np.float64]] = [np.zeros((0, 2))] * len(examples)
    for fold, its_pages in of_fold.items():
        progress(f"second stage, fold {fold + 1} of {folds}")
        trees = _fit(examples, rows, without[fold], seed)
        for n in its_pages:
            votes[n] = second_votes(trees, held[n], rows[n])
    again = list(held)
    for fold, its_pages in of_fold.items():
        blend = _blend(examples, votes, without[fold])
        for n in its_pages:
            again[n] = blended(votes[n], blend, held[n])
    every = range(len(examples))
    second = Second(_fit(examples, rows, every, seed), _blend(examples, votes, every))
    return replace(model, second=second), again


def _fit(
    examples: Sequence[Example], rows: Sequence[Floats], of: Sequence[int], seed: int
) -> Trees:
    """The trees of a second stage that learned from some examples by their rows."""
    its = [examples[n] for n in of]
    chosen, weight = drawn([len(e.share) for e in its], np.concatenate(training_weights(its)), seed)
    share = np.concatenate([e.share for e in its])[chosen]
    truth = np.where(np.isnan(share), np.nan, share > 0.5)
    return grow(np.concatenate([rows[n] for n in of])[chosen], truth, weight, TREES, seed)


def _blend(
    examples: Sequence[Example], votes: Sequence[NDArray[np.float64]], of: Sequence[int]
) -> tuple[float, float, float]:
    """The weights of both stages' votes and the intercept that fit held-out lines of some examples."""
    of = [of[n] for n in of_most_trust([examples[n] for n in of])]
    its = [examples[n] for n in of]
    share = np.concatenate([e.share for e in its])
    weight = np.concatenate(training_weights(its))
    known = ~np.isnan(share)
    of_lines = np.concatenate([votes[n] for n in of])[known]
    first, second, intercept = regression(of_lines, share[known] > 0.5, weight[known])
    return first, second, intercept
