"""Could a random forest be the first stage of the default method?

    python -m scripts.experiments.forests --data ARCHIVE GOLD [WEIGHT]... [--folds N] [--share N] [--kind NAME]...

Models are trained as `dbce train` does, on the same features, once with boosted trees and once with each kind of forest
in the first stage. A row has the mean over all sets of the mean bag F1 of their held-out pages (of sets whose gold is segments
the share of lines that are right), by the first stage and by both; what a set gains or loses most; the calibration error;
and the size of the model, the time of its trees for a page, and that of training. With `--share N` pages of every Nth
registered domain are read, of sets with more than FEW pages.
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass
from io import BytesIO
from statistics import mean
from time import process_time
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from dbce.boilerplate.classify import Trees, score_lines, votes
from dbce.boilerplate.classify.model import save
from dbce.evaluate.results import table
from dbce.model import Config
from dbce.train import fit as fitting
from dbce.train.examples import read_examples
from dbce.train.run import (
    LabelledArchive,
    add_second,
    calibrate_across_folds,
    calibration_error,
    fit_scales,
    held_out_votes,
    scores_by_source,
    segments_right,
)
from scripts.experiments.sets import call, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from dbce.boilerplate.classify import Chances
    from dbce.train.examples import Example

FEW = 150
"""Pages of a set of which all are read, whatever the share."""

TIMED = 400
"""Pages on which the trees are timed."""

FORESTS: dict[str, tuple[type, dict[str, Any]]] = {
    "random forest, 512 leaves": (
        RandomForestClassifier,
        {"max_leaf_nodes": 512, "max_features": 0.2, "min_samples_leaf": 20, "max_samples": 0.5},
    ),
    "extra trees, 512 leaves": (
        ExtraTreesClassifier,
        {"max_leaf_nodes": 512, "max_features": 0.3, "min_samples_leaf": 20},
    ),
    "random forest, deep": (
        RandomForestClassifier,
        {"max_features": 0.2, "min_samples_leaf": 10, "max_samples": 0.5},
    ),
}
"""Forests of scikit-learn by name, with what is not its default."""

BOOSTING = {
    name: getattr(fitting, name) for name in ("HistGradientBoostingClassifier", "from_sklearn")
}
"""What grows the second stage, whatever grows the first."""

SIZE = 40
"""Trees of a forest."""

BOOSTED = "boosted trees"

HEADER = (
    *(
        "first stage",
        "F1, first stage",
        "F1, both",
        "most lost",
        "most gained",
        "calibration error",
    ),
    *("bytes", "ms a page", "training, s"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a first stage gives: scores by set, of it alone and with the second; the error of calibration; what it costs."""

    first: Mapping[str, float]
    both: Mapping[str, float]
    error: float
    size: int
    milliseconds: float
    seconds: float


def growing(name: str) -> AbstractContextManager[object]:
    """Return a context in which first stages are grown as forests of this name."""
    kind, settings = FORESTS[name]

    def forest(random_state: int, **_: object) -> RandomForestClassifier | ExtraTreesClassifier:
        return kind(n_estimators=SIZE, random_state=random_state, **settings)

    return patch.multiple(fitting, HistGradientBoostingClassifier=forest, from_sklearn=from_forest)


def from_forest(forest: RandomForestClassifier | ExtraTreesClassifier) -> Trees:
    """Return the trees of a fitted forest of two classes.

    A forest averages the shares of the classes in its leaves; here it averages their log-odds, to be calibrated as those of boosted
    trees are. A leaf counts one row of each class more than it has, for none is certain (Laplace).
    """
    nodes = [tree.tree_ for tree in forest.estimators_]
    rows = np.concatenate([tree.weighted_n_node_samples for tree in nodes])
    content = np.concatenate([tree.value[:, 0, 1] for tree in nodes]) * rows
    of_nodes = {
        name: np.concatenate([getattr(tree, name) for tree in nodes])
        for name in "feature threshold missing_go_to_left children_left children_right".split()
    }
    threshold = of_nodes["threshold"].astype(np.float32)
    # Rounded down, so that a float32 value at most the threshold stays so.
    above = threshold > of_nodes["threshold"]
    return Trees(
        starts=np.cumsum([0, *(tree.node_count for tree in nodes)]).astype(np.int32),
        feature=np.maximum(of_nodes["feature"], -1).astype(np.int16),
        threshold=np.where(above, np.nextafter(threshold, np.float32(-np.inf)), threshold),
        missing_left=of_nodes["missing_go_to_left"].astype(np.bool_),
        left=np.maximum(of_nodes["children_left"], 0).astype(np.int32),
        right=np.maximum(of_nodes["children_right"], 0).astype(np.int32),
        value=(np.log((content + 1) / (rows - content + 1)) / len(nodes)).astype(np.float32),
        baseline=np.zeros(1),
    )


def outcome(examples: Sequence[Example], folds: int) -> Outcome:
    """Return what models with a first stage of these trees give, whole sites held out by folds."""
    seed = Config().seed
    begin = process_time()
    found = held_out_votes(examples, folds, seed, say)
    model = fitting.fit(examples, seed)
    seconds = process_time() - begin
    first = fit_scales(model, examples, found)
    held = calibrate_across_folds(first, examples, found, folds)
    with patch.multiple(fitting, **BOOSTING):
        both, again = add_second(first, examples, held, folds=folds, seed=seed, progress=say)
    stream = BytesIO()
    save(both, stream)
    begin = process_time()
    for example in examples[:TIMED]:
        votes(model, score_lines(example.features, model.weights))
    milliseconds = (process_time() - begin) / len(examples[:TIMED]) * 1000
    return Outcome(
        *(scores(examples, held), scores(examples, again), calibration_error(examples, again)),
        *(len(stream.getvalue()), milliseconds, seconds),
    )


def scores(examples: Sequence[Example], held: Sequence[Chances]) -> dict[str, float]:
    """Return the mean score of held-out pages, by set."""
    without, _ = scores_by_source(examples, held)
    return {name: mean(pages) for name, pages in (without | segments_right(examples, held)).items()}


def row(outcome: Outcome, boosted: Outcome) -> list[object]:
    """Return the row of a first stage behind its name."""
    gains = {name: value - boosted.both[name] for name, value in outcome.both.items()}
    ends = (min(gains, key=gains.__getitem__), max(gains, key=gains.__getitem__))
    shares = ["", ""] if outcome is boosted else [f"{name} {gains[name]:+.3f}" for name in ends]
    return [
        *(mean(outcome.first.values()), mean(outcome.both.values()), *shares, outcome.error),
        *(f"{outcome.size:,}", round(outcome.milliseconds, 1), round(outcome.seconds)),
    ]


def main(arguments: Sequence[str]) -> None:
    """Prints the table.

    Raises:
        UsageError: gold that cannot be read, or labels no page.
    """
    parser = ArgumentParser(prog="python -m scripts.experiments.forests", description=__doc__)
    add = parser.add_argument
    add("--data", required=True, action="append", nargs="+", metavar=("ARCHIVE", "GOLD"))
    add("--folds", type=int, default=2, choices=range(2, 21), metavar="N")
    add("--share", type=int, default=1, metavar="N")
    add("--kind", action="append", choices=FORESTS, help="this forest; all unless given")
    options = parser.parse_args(arguments)
    examples = [
        example
        for words in options.data
        for example in _read(LabelledArchive.from_arguments(words), options.share)
    ]
    say(f"{len(examples)} pages, {sum(len(e.share) for e in examples)} lines")
    boosted = outcome(examples, options.folds)
    rows = [[BOOSTED, *row(boosted, boosted)]]
    for name in options.kind or FORESTS:
        with growing(name):
            rows.append([name, *row(outcome(examples, options.folds), boosted)])
    print(table(HEADER, rows))


def _read(data: LabelledArchive, share: int) -> list[Example]:
    examples = read_examples(data.archive, data.gold, Config(), data.weight, say)
    if len(examples) <= FEW:
        return examples
    return [e for e in examples if fitting.part(e.site, share) == 0]


if __name__ == "__main__":
    call(main)
