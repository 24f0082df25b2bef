"""Explanation of a line's probability: what each feature adds to the log-odds.

Along the way of a line through a tree every step leads to a node whose lines were more often
content, or less often; the difference belongs to the feature that the step asked (A. Saabas,
Interpreting random forests, 2014). Summed over all steps of all trees, what the features add and
what every line begins with give the log-odds exactly.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify.cut import cuts
from dbce.boilerplate.classify.model import LEARNED, calibrated, scored, votes

if TYPE_CHECKING:
    from dbce.boilerplate.classify.arrays import Floats
    from dbce.boilerplate.classify.features import Features
    from dbce.boilerplate.classify.model import Model
    from dbce.boilerplate.classify.trees import Trees

COMMENT = "comment"
"""Feature that stands for the answer of the trees that know comments of users."""

RATE = 0.1
"""Learning rate where a model's card does not name it: scikit-learn's default. What the pushes add up
to does not depend on it, how they share it does."""


@dataclass(frozen=True, slots=True)
class Push:
    """Share of a feature in the log-odds of content; `value` is its own, NaN where it is unknown."""

    feature: str
    value: float
    weight: float


@dataclass(frozen=True, slots=True)
class Pushes:
    """Explanation of a line's probability: the log-odds are `start` and all pushes.

    The pushes are sorted, the strongest first. From `cut` on the line is content, from `usual_cut`
    on most lines of the page are.
    """

    probability: float
    cut: float
    usual_cut: float
    comment: float
    start: float
    pushes: tuple[Push, ...]


def pushes(model: Model, page: Features, line: int) -> Pushes:
    """The explanation of the probability of a line; `page` is one page alone."""
    from scipy.special import log_expit

    of_page = scored(page, model.weights)
    rows = of_page.rows
    log_odds = votes(model, of_page)
    chance = calibrated(model, log_odds)
    least = cuts(page, chance.content)
    of_vote, of_no_comment, intercept = model.blend
    added: dict[int, float] = defaultdict(float)
    plain = rows[line, : -len(LEARNED)]
    rate = float(model.card.get("trees", {}).get("learning_rate", RATE))
    start = intercept
    share = float(of_page.known[line]) / 2
    for trees, row, part in ((model.named, rows[line], share), (model.plain, plain, 1 - share)):
        start += of_vote * part * float(trees.baseline[0])
        for feature, weight in _along(trees, row, rate).items():
            added[feature] += of_vote * part * weight
    slope, shift = model.comment_scale
    no_comment = float(of_no_comment * log_expit(-(slope * log_odds[line, 1] + shift)))
    own = [Push(model.names[f], float(rows[line, f]), float(w)) for f, w in added.items()]
    own.append(Push(COMMENT, float(chance.comment[line]), no_comment))
    return Pushes(
        probability=float(chance.content[line]),
        cut=float(least[line]),
        usual_cut=float(least.min()),
        comment=float(chance.comment[line]),
        start=start,
        pushes=tuple(sorted(own, key=lambda push: (-abs(push.weight), push.feature))),
    )


def probability(of: Pushes) -> float:
    """The probability that the pushes add up to."""
    from scipy.special import expit

    return float(expit(of.start + sum(push.weight for push in of.pushes)))


def _along(trees: Trees, row: Floats, rate: float) -> dict[int, float]:
    """Share of each feature, by number, in the raw score of a row."""
    added: dict[int, float] = defaultdict(float)
    for start, _ in pairwise(trees.starts.tolist()):
        node, worth = start, 0.0
        while (feature := int(trees.feature[node])) >= 0:
            value = row[feature]
            left = trees.missing_left[node] if np.isnan(value) else value <= trees.threshold[node]
            node = start + int((trees.left if left else trees.right)[node])
            # scikit-learn shrinks the leaves by the learning rate and leaves the nodes above alone.
            shrunk = 1.0 if trees.feature[node] < 0 else rate
            after = shrunk * float(trees.value[node])
            added[feature] += after - worth
            worth = after
    return added
