"""Gain of comparing pages over judging each page alone, by set, site and language.

    python -m scripts.experiments.comparing halves FOLDER [--set NAME]...
    python -m scripts.experiments.comparing score [--halves FOLDER] [--set NAME]...
    python -m scripts.experiments.comparing texts --halves FOLDER [--set NAME]... > held-out.jsonl

`halves` trains two light models (those of the ablation), each on half of the registered domains of some sets, TAUGHT unless given, and writes them to
the folder. `score` judges every page by the one of them that has not seen its domain, as it was compared and as if
it were alone; without them by the model of the package, which has learned from most sets both ways. `texts` prints the
texts of pages as they were compared, as `make train` leaves them in `build/held-out.jsonl`, in minutes and not hours.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dbce.archive import site
from dbce.boilerplate.classify import score_lines, votes, write
from dbce.evaluate.results import table
from dbce.model import Config
from dbce.train.examples import domain_of, read_examples
from dbce.train.fit import fit, part
from dbce.train.run import fit_scales
from scripts.experiments.ablation import LIGHT
from scripts.experiments.segments import SETS as SEGMENTED
from scripts.experiments.sets import (
    SETS,
    add_sets,
    call,
    choose_sets,
    compared_sets,
    judged_captures,
    present,
    say,
    select_pages,
)
from scripts.experiments.systems import difference, page_scores, texts_of_method

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from dbce.boilerplate.classify import Model
    from dbce.evaluate.gold import GoldText
    from dbce.train.examples import Example
    from scripts.experiments.sets import Archive, Texts

HALVES = 2

TAUGHT = ("timelines", "dragnet-sites", "sites", "dragnet", "wcxb")
"""Sets that light models learn from: those with several pages a site, and pages of many domains."""

HEADER = ("set", "of", "pages", "compared, bag F1", "alone", "better by", "± SE of that")

GROUP_PAGES = 10
"""Sites and languages with fewer scored pages have no row of their own."""


def gain_rows(
    gold: Sequence[GoldText], compared: Texts, alone: Texts, language_of: Mapping[str, str]
) -> list[list[object]]:
    """A row for all pages, and for each site and language with enough: compared with others, and alone."""
    ours, by_itself = page_scores(gold, compared), page_scores(gold, alone)
    groups = {"all": ours.index}
    languages = ours.index.map(lambda page: language_of.get(str(page), ""))
    for names in (ours["group"].to_numpy(), languages.to_numpy()):
        of_group = {str(name): ours.index[names == name] for name in sorted(set(names)) if name}
        groups |= {name: pages for name, pages in of_group.items() if len(pages) >= GROUP_PAGES}
    return [
        [
            *(name, len(pages)),
            *(float(of.loc[pages, "bag_f1"].mean()) for of in (ours, by_itself)),
            *difference(ours.loc[pages], by_itself.loc[pages]),
        ]
        for name, pages in groups.items()
    ]


def light_models(examples: Sequence[Example]) -> list[Model]:
    """Two models: that of each half learned from the domains of the other, by its first stage alone.

    Each is calibrated by what the other says of the pages that it learned from.
    """
    halves = [[e for e in examples if part(e.site, HALVES) == half] for half in range(HALVES)]
    models, found = [], []
    for half, tested in enumerate(halves):
        say(f"learning from {len(halves[1 - half])} pages")
        models.append(fit(halves[1 - half], Config().seed, LIGHT))
        found.append(_votes(models[-1], tested))
    return [
        fit_scales(model, halves[1 - half], found[1 - half]) for half, model in enumerate(models)
    ]


def _votes(model: Model, examples: Sequence[Example]) -> list[NDArray[np.float64]]:
    return [votes(model, score_lines(e.features, model.weights)) for e in examples]


def write_halves(folder: Path, names: Sequence[str]) -> None:
    """Write the two light models that learned from some sets."""
    examples: list[Example] = []
    for name, archive, gold in present(names):
        say(f"reading {name}")
        examples += read_examples(str(archive), str(gold), Config(), 1.0, say)
    for half, model in enumerate(light_models(examples)):
        write(model, _path(folder, half))


def _path(folder: Path, half: int) -> Path:
    return folder / f"half-{half}.npz"


def texts_of(archive: Archive, halves: Path | None) -> Texts:
    """The texts of the pages with gold, by the model of the package or those of the halves."""
    texts: Texts = {}
    for pages, config in by_models(archive, halves):
        texts |= texts_of_method(pages, config.method, config)
    return texts


def by_models(archive: Archive, halves: Path | None) -> Iterator[tuple[Archive, Config]]:
    """The pages with gold, and with what they are judged: the model of the package, or that of the halves which has not seen their domains."""
    if halves is None:
        yield select_pages(archive, {page.page for page in archive.gold}), Config()
        return
    half_of = _halves_of(archive)
    for half in range(HALVES):
        pages = {page for page, its in half_of.items() if its == half}
        yield select_pages(archive, pages), Config(model=str(_path(halves, half)))


def _halves_of(archive: Archive) -> dict[str, int]:
    """The half of the registered domain of each page with gold, as training names it."""
    group_of = {page.page: page.group for page in archive.gold}
    return {
        one.record_id: part(
            domain_of(group_of[one.record_id] or site(one.url, Config().site_by)), HALVES
        )
        for one in judged_captures(archive)
        if one.record_id in group_of
    }


def score(names: Sequence[str], halves: Path | None) -> list[list[object]]:
    """The rows of some sets."""
    rows: list[list[object]] = []
    for name, archive in compared_sets(names, None):
        by_themselves = replace(archive, annotations={})
        compared, alone = texts_of(archive, halves), texts_of(by_themselves, halves)
        language_of = {page: about.language for page, about in archive.about.items()}
        rows += [[name, *row] for row in gain_rows(archive.gold, compared, alone, language_of)]
    return rows


def print_texts(names: Sequence[str], halves: Path) -> None:
    """Print the texts of some sets as JSON lines, each by the model that has not seen its domain."""
    for _, archive in compared_sets(names, None):
        for page, text in texts_of(archive, halves).items():
            print(json.dumps({"record_id": page, "text": text}, ensure_ascii=False))


def main(arguments: Sequence[str]) -> None:
    """Write the light models, or print the table, or texts."""
    parser = ArgumentParser(prog="python -m scripts.experiments.comparing", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    halves = commands.add_parser("halves")
    halves.add_argument("folder", type=Path)
    add_sets(halves, (*SETS, *SEGMENTED))
    scoring = commands.add_parser("score")
    scoring.add_argument("--halves", type=Path, metavar="FOLDER", help="what `halves` wrote")
    add_sets(scoring, SETS)
    texts = commands.add_parser("texts")
    texts.add_argument("--halves", type=Path, metavar="FOLDER", required=True)
    add_sets(texts, TAUGHT)
    options = parser.parse_args(arguments)
    if options.command == "halves":
        write_halves(options.folder, choose_sets((*SETS, *SEGMENTED), options.set or TAUGHT))
        return
    if options.command == "texts":
        print_texts(choose_sets(TAUGHT, options.set), options.halves)
        return
    names = choose_sets(TAUGHT if options.halves else SETS, options.set)
    print(table(HEADER, score(names, options.halves)))


if __name__ == "__main__":
    call(main)
