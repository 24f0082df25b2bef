"""Explanation of a line's probability, and the features in words: what each adds to the log-odds.

Along the way of a line through a tree every step leads to a node whose lines were more often
content, or less often; the difference belongs to the feature that the step asked (A. Saabas,
Interpreting random forests, 2014). Summed over all steps of all trees, what the features add and
what every line begins with give the log-odds exactly.
"""

import json
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dbce.boilerplate.classify.context import CONTEXT, context_rows
from dbce.boilerplate.classify.features import Features
from dbce.boilerplate.classify.joint import cuts
from dbce.boilerplate.classify.lines import Floats
from dbce.boilerplate.classify.model import (
    LEARNED,
    Chances,
    Model,
    ScoredLines,
    Second,
    calibrate,
    score_lines,
    second_stage_chances,
    votes,
)
from dbce.boilerplate.classify.trees import Trees, log_expit
from dbce.model import stored_text

COMMENT = "comment"  # feature that stands for the answer of the trees that know comments of users

OWN_ANSWER = ("odds", "margin")
"""Features of the second stage that are the first one's answer on the line itself."""

CLEAR = 1.0  # log-odds from which on an answer has a direction that can be shared out

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
    """Explanation of a line's probability: the log-odds are `start` and all pushes, the strongest first.

    From `cut` on the line is content, from `usual_cut` on most lines of the page are.
    """

    probability: float
    cut: float
    usual_cut: float
    start: float
    pushes: tuple[Push, ...]


def pushes(model: Model, page: Features, line: int) -> Pushes:
    """Explanation of the probability of a line; `page` is one page alone."""
    of_page = score_lines(page, model.weights)
    log_odds = votes(model, of_page)
    chance = calibrate(model, log_odds)
    start, terms = _first_stage_pushes(model, of_page, line, float(log_odds[line, 1]), chance)
    if model.second is not None:
        rows = context_rows(page, *chance)
        chance = second_stage_chances(model.second, chance, rows)
        start, terms = _second_stage_pushes(model, model.second, rows[line], start, terms)
    least = cuts(page, *chance)
    return Pushes(
        probability=float(chance.content[line]),
        cut=float(least[line]),
        usual_cut=float(least.min()),
        start=start,
        pushes=tuple(sorted(terms, key=lambda push: (-abs(push.weight), push.feature))),
    )


def _first_stage_pushes(
    model: Model, page: ScoredLines, line: int, comment_odds: float, chance: Chances
) -> tuple[float, list[Push]]:
    """Log-odds that every line begins with in the first stage, and the pushes on a line there."""
    of_vote, of_no_comment, start = model.blend
    added: dict[int, float] = defaultdict(float)
    row, share = page.rows[line], float(page.known[line]) / 2
    plain = row[: -len(LEARNED)]
    rate = _rate(model, "trees")
    for trees, values, part in ((model.named, row, share), (model.plain, plain, 1 - share)):
        start += of_vote * part * float(trees.baseline[0])
        for feature, weight in _path_weights(trees, values, rate).items():
            added[feature] += of_vote * part * weight
    slope, shift = model.comment_scale
    no_comment = float(of_no_comment * log_expit(np.array([-(slope * comment_odds + shift)]))[0])
    terms = [Push(model.names[f], float(row[f]), float(w)) for f, w in added.items()]
    return start, [*terms, Push(COMMENT, float(chance.comment[line]), no_comment)]


def _second_stage_pushes(
    model: Model, second: Second, row: Floats, start: float, first: Sequence[Push]
) -> tuple[float, list[Push]]:
    """Start and pushes by both stages: the first counts by its weight, the second adds the context.

    What the second makes of the line's own answer belongs to what gave that answer, if it goes the same way.
    """
    trees, (of_first, of_second, intercept) = second
    added = _path_weights(trees, row, _rate(model, "trees_of_second_stage"))
    around = {CONTEXT[f]: of_second * weight for f, weight in added.items()}
    answer = start + sum(push.weight for push in first)
    of_answer = sum(around.get(name, 0.0) for name in OWN_ANSWER)
    scale = of_first
    if abs(answer) >= CLEAR and of_answer / answer > 0:
        scale += of_answer / answer
        around = {name: weight for name, weight in around.items() if name not in OWN_ANSWER}
    values = dict(zip(CONTEXT, row.tolist(), strict=True))
    terms = [replace(push, weight=scale * push.weight) for push in first]
    terms += [Push(name, values[name], weight) for name, weight in around.items()]
    return scale * start + of_second * float(trees.baseline[0]) + intercept, terms


def _rate(model: Model, trees: str) -> float:
    return float(model.card.get(trees, {}).get("learning_rate", RATE))


def _path_weights(trees: Trees, row: Floats, rate: float) -> dict[int, float]:
    added: dict[int, float] = defaultdict(float)
    for start in trees.starts[:-1].tolist():
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


_WORDS = json.loads(stored_text("dbce.boilerplate.classify", "features.json"))
"""Words for features of a line, for those of the elements around it by what follows `up0_` and `alike0_`, and for lines
around; those whose values are shares, 0 to 1, and those that are true or not."""

NUMBERS = frozenset({"tag"})  # features whose numbers mean nothing to people


def in_words(feature: str) -> str:
    """A feature in words, e.g. "share of its text that is links"."""
    base, _, where = feature.partition("@")
    if base.startswith("in_"):
        return f"inside of <{base.removeprefix('in_')}>"
    for family, which in (("up", ""), ("alike", "things alike ")):
        if base.startswith(family) and "_" in base:
            level, _, of = base.removeprefix(family).partition("_")
            return f"{_WORDS['around'][of]}, {which}{_WORDS['elements'][level]}"
    position = f"{_WORDS['positions'][where]}: " if where else ""
    return f"{position}{_WORDS['own'][base]}"


def value_in_words(feature: str, value: float) -> str:
    """The value of a feature as people read it; "unknown" where there is none, "" where it says nothing."""
    base = feature.partition("@")[0]
    if base.startswith(("up", "alike")) and "_" in base:
        base = base.partition("_")[2]
    if base in NUMBERS:
        return ""
    if math.isnan(value):
        return "unknown"
    if base in _WORDS["yes_or_no"] or base.startswith("in_"):
        return "yes" if value else "no"
    if base in _WORDS["shares"]:
        return f"{value:.0%}"
    return f"{value:.0f}" if value == round(value) else f"{value:.2f}"
