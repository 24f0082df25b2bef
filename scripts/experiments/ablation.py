"""`make ablation`: what each kind of evidence is worth, as a table.

    python -m scripts.experiments.ablation --data ARCHIVE GOLD... [--test ARCHIVE GOLD]... [--folds N]

A model is trained again and again, each time with one kind of evidence blanked, and tested on sites
that it has not seen: those of the training sets by folds, and whole other sets. The trees are fewer
than those of a model that ships, since the differences are what counts.
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify import calibrate, distinct, score_lines, votes
from dbce.boilerplate.classify.features import CROSS, PEER_FEATURES, TIME, feature_names
from dbce.boilerplate.classify.model import NAME_SCORES, PHRASE_SCORES
from dbce.boilerplate.classify.signs import sign_features
from dbce.evaluate.results import table
from dbce.model import CIRCLE, Config
from dbce.train.examples import read_examples
from dbce.train.fit import TREES, fit
from dbce.train.run import LabelledArchive, fit_scales, held_out_votes, main_text, text_f1
from scripts.experiments.sets import call, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify import Model
    from dbce.model import Annotation
    from dbce.train.examples import Example

LIGHT = TREES | {"max_iter": 30, "learning_rate": 0.3}
"""Fewer trees than in a model that ships, each with more to say."""


def kinds() -> dict[str, tuple[str, ...]]:
    """The features that each kind of evidence adds, by the name of the kind."""
    names = feature_names()
    base = {name: name.partition("@")[0] for name in names}
    around = PEER_FEATURES - {*CROSS, *CIRCLE}
    signs = sign_features()
    return {
        "the cross": tuple(n for n in names if base[n] in CROSS),
        "the wide circle": tuple(n for n in names if base[n] in {"shared_by", "ever_shared_by"}),
        "statistics of the place": tuple(n for n in names if base[n] in CIRCLE[1:-1]),
        "repetition around a line": tuple(n for n in names if base[n] in around),
        "all of these": tuple(n for n in names if base[n] in PEER_FEATURES),
        "other snapshots": TIME,
        "names": NAME_SCORES,
        "phrases": PHRASE_SCORES,
        "neighbouring lines": tuple(n for n in names if "@" in n),
        "the kind of page": tuple(
            n for n in names if n.startswith("page_") and base[n] not in PEER_FEATURES
        ),
        "things alike": tuple(n for n in names if "_alike" in n),
        "signs": tuple(n for n in names if n in signs),
        "what the page tells of itself": tuple(n for n in names if n.startswith("told_")),
        "boxes to write in": tuple(n for n in names if "reply" in n),
        "the page": tuple(n for n in names if base[n] not in {*PEER_FEATURES, *TIME}),
    }


def without_time(found: Annotation) -> Annotation:
    """The annotation as if no snapshot but the capture's own were known."""
    crosses = tuple(replace(cross, prev=None, next=None) for cross in found.crosses)
    return replace(found, crosses=crosses, history=np.full_like(found.history, np.nan))


def without_features(examples: Sequence[Example], names: Sequence[str]) -> list[Example]:
    """The examples with some features not known; scores of names are so together, and of phrases."""
    columns = [n for n, name in enumerate(feature_names()) if name in names]
    found = []
    for example in examples:
        matrix = example.features.matrix.copy()
        matrix[:, columns] = np.nan
        features = replace(example.features, matrix=matrix)
        nothing = distinct([()] * len(matrix))
        if not set(NAME_SCORES).isdisjoint(names):
            features = replace(features, tokens=nothing)
        if not set(PHRASE_SCORES).isdisjoint(names):
            features = replace(features, phrases=nothing)
        found.append(replace(example, features=features))
    return found


def scores(learned: Sequence[Example], others: Sequence[Example], folds: int) -> dict[str, float]:
    """Mean word F1 by source: of the examples held out by folds, and of others never learned from."""
    seed = Config().seed
    found = held_out_votes(learned, folds, seed, say, LIGHT)
    model = fit_scales(fit(learned, seed, LIGHT), learned, found)
    found += [votes(model, score_lines(e.features, model.weights)) for e in others]
    by_source: dict[str, list[float]] = {}
    for example, of_lines in zip([*learned, *others], found, strict=True):
        by_source.setdefault(example.source, []).append(_f1(model, example, of_lines))
    return {source: float(np.mean(pages)) for source, pages in by_source.items()}


def _f1(model: Model, example: Example, of_lines: NDArray[np.float64]) -> float:
    return text_f1(example.gold, main_text(example, calibrate(model, of_lines)))


def main(arguments: Sequence[str]) -> None:
    """Prints the table."""
    parser = ArgumentParser(prog="python -m scripts.experiments.ablation", description=__doc__)
    add = partial(parser.add_argument, action="append", nargs="+", metavar=("ARCHIVE", "GOLD"))
    add("--data", required=True, help="learned from, and tested by folds of the sites")
    add("--test", default=[], help="tested only")
    parser.add_argument("--folds", type=int, default=2, choices=range(2, 21), metavar="N")
    options = parser.parse_args(arguments)
    learned, others = _read(options.data), _read(options.test)
    say("without nothing")
    found = {"nothing": scores(learned, others, options.folds)}
    for kind, names in kinds().items():
        say(f"without {kind}")
        found[kind] = scores(
            without_features(learned, names), without_features(others, names), options.folds
        )
    say("without time")
    learned, others = _read(options.data, without_time), _read(options.test, without_time)
    found["time"] = scores(learned, others, options.folds)
    sources = list(found["nothing"])
    print(table(["without", *sources], [[kind, *of.values()] for kind, of in found.items()]))


def _read(
    data: Sequence[Sequence[str]], known: Callable[[Annotation], Annotation] = lambda found: found
) -> list[Example]:
    """The examples of archives, from what is to be known of their annotations."""
    examples: list[Example] = []
    for one in map(LabelledArchive.from_arguments, data):
        say(f"reading {one.archive}")
        examples += read_examples(one.archive, one.gold, Config(), one.weight, say, known=known)
    return examples


if __name__ == "__main__":
    call(main)
