"""What the domains and the languages of a set teach: on domains of it that were not learned from, and on other sets.

    python -m scripts.experiments.languages --set ARCHIVE GOLD [WEIGHT] --data ARCHIVE GOLD [WEIGHT]... [--share N]

Learns from all of `--data`, and from parts of the set `--set` besides: none, half of the domains, all, all but one
language, one language alone. Light models (those of the ablation), first stage alone: each judges the fold of the
registered domains that it learned nothing of, as in training.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify import score_lines, votes
from dbce.evaluate.results import table
from dbce.model import Config
from dbce.train.examples import read_examples
from dbce.train.fit import fit, part
from dbce.train.run import LabelledArchive, calibrate_across_folds, folds_of, main_text, text_f1
from scripts.experiments.ablation import LIGHT
from scripts.experiments.sets import call, read_about, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from dbce.train.examples import Example

FOLDS = 3

LEAST_PAGES = 10
"""Languages with fewer pages in the set have no row and no column."""


def languages_of(examples: Sequence[Example], language_of: Mapping[str, str]) -> list[str]:
    """The languages of a set, by their pages."""
    counts = Counter(language_of.get(e.record_id, "") for e in examples)
    return [name for name, pages in counts.most_common() if name and pages >= LEAST_PAGES]


def parts_of(
    examples: Sequence[Example], language_of: Mapping[str, str]
) -> dict[str, list[Example]]:
    """The pages of the set that a model learns from, by the name of the part."""
    found = {
        "nothing": [],
        "all": list(examples),
        "half of the domains": [e for e in examples if part(f"half {e.site}", 2) == 0],
    }
    by_language = {
        name: [e for e in examples if language_of.get(e.record_id) == name]
        for name in languages_of(examples, language_of)
    }
    for name, of_language in by_language.items():
        found[f"all but {name}"] = [e for e in examples if e not in of_language]
    return found | {f"{name} alone": of_language for name, of_language in by_language.items()}


def held_out_f1(
    lessons: Sequence[Example], examples: Sequence[Example], added: Sequence[Example], folds: int
) -> NDArray[np.float64]:
    """Bag F1 of all lessons and pages of the set, NaN of gold without text, by models of the lessons and of `own`, some pages of the set."""
    tested = [*lessons, *examples]
    found: list[NDArray[np.float64]] = [np.zeros((0, 2))] * len(tested)
    for fold, (pages, _) in folds_of(tested, folds).items():
        learned = [e for e in (*lessons, *added) if part(e.site, folds) != fold]
        model = fit(learned, Config().seed, LIGHT)
        for n in pages:
            found[n] = votes(model, score_lines(tested[n].features, model.weights))
    held = calibrate_across_folds(model, tested, found, folds)  # whose scales are fitted anew
    return np.array(
        [
            np.nan if e.segments else text_f1(e.gold, main_text(e, its))
            for e, its in zip(tested, held, strict=True)
        ]
    )


def rows_of(
    f1: Mapping[str, NDArray[np.float64]], groups: Mapping[str, NDArray[np.bool_]]
) -> list[list[object]]:
    """Mean bag F1 of each group with nothing of the set, and what each part of it gains, ± its standard error."""
    base = f1["nothing"]
    rows: list[list[object]] = [
        ["nothing", *(f"{base[pages].mean():.4f}" for pages in groups.values())]
    ]
    for name, ours in f1.items():
        if name != "nothing":
            gains = [(ours - base)[pages] for pages in groups.values()]
            errors = [gain.std(ddof=1) / len(gain) ** 0.5 for gain in gains]
            rows.append(
                [
                    name,
                    *(f"{g.mean():+.4f} ± {e:.4f}" for g, e in zip(gains, errors, strict=True)),
                ]
            )
    return rows


def groups_of(
    lessons: Sequence[Example], examples: Sequence[Example], language_of: Mapping[str, str]
) -> dict[str, NDArray[np.bool_]]:
    """Which pages are scored together: of the set, of each of its languages, of each other set."""
    sources = np.array([e.source for e in (*lessons, *examples)])
    with_text = np.array([not e.segments for e in (*lessons, *examples)])
    ours = np.arange(len(sources)) >= len(lessons)
    languages = np.array(
        [""] * len(lessons) + [language_of.get(e.record_id, "") for e in examples], np.object_
    )
    groups = {examples[0].source: ours}
    groups |= {name: languages == name for name in languages_of(examples, language_of)}
    for name in dict.fromkeys(e.source for e in lessons):
        if (pages := (sources == name) & with_text & ~ours).any():
            groups[name] = pages
    return groups


def main(arguments: Sequence[str]) -> None:
    """Prints the table."""
    parser = ArgumentParser(prog="python -m scripts.experiments.languages", description=__doc__)
    names = ("ARCHIVE", "GOLD")
    parser.add_argument("--data", action="append", required=True, nargs="+", metavar=names)
    parser.add_argument("--set", required=True, nargs="+", metavar=names)
    about = "learn from every Nth domain of the other sets alone"
    parser.add_argument("--share", type=int, default=1, metavar="N", help=about)
    options = parser.parse_args(arguments)
    data = LabelledArchive.from_arguments(options.set)
    examples = _read(data)
    others = (e for one in options.data for e in _read(LabelledArchive.from_arguments(one)))
    lessons = [e for e in others if part(f"share {e.site}", options.share) == 0]
    print_table(lessons, examples, data.gold)


def _read(one: LabelledArchive) -> list[Example]:
    say(f"reading {one.archive}")
    return read_examples(one.archive, one.gold, Config(), one.weight, say)


def print_table(lessons: Sequence[Example], examples: Sequence[Example], gold: str) -> None:
    language_of = {page: about.language for page, about in read_about(gold).items()}
    f1 = {}
    for name, of_language in parts_of(examples, language_of).items():
        say(f"{name}: {len(of_language)} pages of {len({e.site for e in of_language})} domains")
        f1[name] = held_out_f1(lessons, examples, of_language, FOLDS)
    groups = groups_of(lessons, examples, language_of)
    header = ("learned from", *(f"{name} ({pages.sum()})" for name, pages in groups.items()))
    print(table(header, rows_of(f1, groups)))


if __name__ == "__main__":
    call(main)
