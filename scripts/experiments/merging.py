"""Gain from asking more than one bucket (the thesis leaves that untested).

    python -m scripts.experiments.merging [--set NAME]...

The same captures, compared once, are judged by one cross and by all of them.
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify import element_bits, pattern_labels
from dbce.evaluate.results import table
from dbce.evaluate.scores import summarise
from dbce.model import BOILERPLATE, CONTENT, Config
from dbce.pipeline import compare_all, sketch_all
from scripts.experiments.sets import (
    SITES,
    add_sets,
    call,
    choose_sets,
    compare_pages,
    is_trained_on,
    present,
)
from scripts.experiments.systems import difference, page_scores, texts_of_method

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd

    from dbce.boilerplate.cross import Crosses, Members
    from dbce.model import Annotation
    from scripts.experiments.sets import Archive

    Rows = list[list[object]]

STRONGEST, JOINT_STRONGEST = "strongest cross (T002)", "joint, strongest cross only"
FIRST, MAJORITY, JOINT_ALL = "first bucket", "majority", "joint, all crosses"

BESIDE = {
    FIRST: STRONGEST,
    STRONGEST: None,
    MAJORITY: STRONGEST,
    JOINT_STRONGEST: None,
    JOINT_ALL: JOINT_STRONGEST,
}
"""The ways to merge, in the order of the table, and the one that each is held against."""

MERGING = ("set", "merged by", "pages", "bag F1", "± SE", "bag F1 micro", "gain", "± SE of that")
AGREEMENT = ("set", "crosses a page", "words they call differently", "words open to some")

LEGEND = """
From `python -m scripts.experiments.merging`. Gain: mean over pages of the F1 of the row
less that of the strongest cross alone, by the same classifier. Words: shares of all."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of the crosses of a page, over all pages with *up*; NaN without any.

    `crosses` is their mean number; `apart` the share of words that one cross calls content and
    another boilerplate, `half_open` of those on which some have an opinion and some, *invalid*, none.
    """

    crosses: float
    apart: float
    half_open: float


def main(arguments: Sequence[str] = ()) -> None:
    """Prints what the ways to merge the crosses of several buckets are worth."""
    parser = ArgumentParser(
        prog="python -m scripts.experiments.merging", description="One bucket or several."
    )
    add_sets(parser, SITES)
    options = parser.parse_args(arguments)
    scores: Rows = []
    agreements: Rows = []
    for name, *files in present(choose_sets(SITES, options.set)):
        archive = compare_pages(name, *files)
        agreed = agreement(archive.annotations.values())
        agreements.append([name, agreed.crosses, agreed.apart, agreed.half_open])
        of_ways = merged_scores(archive, Config())
        scores += [[name, *row] for row in merging_rows(of_ways, held_out=not is_trained_on(name))]
    if scores:
        print(table(MERGING, scores))
        print(f"\n{table(AGREEMENT, agreements)}")
        print(LEGEND)


def merged_scores(archive: Archive, config: Config) -> dict[str, pd.DataFrame]:
    """The page scores of every way to merge, by its name in BESIDE."""
    strongest = {key: replace(a, crosses=a.crosses[:1]) for key, a in archive.annotations.items()}
    ways = {
        FIRST: (first_bucket(archive, config), "T002"),
        STRONGEST: (archive.annotations, "T002"),
        MAJORITY: (archive.annotations, "majority"),
        JOINT_STRONGEST: (strongest, "joint"),
        JOINT_ALL: (archive.annotations, "joint"),
    }
    scores = {}
    for name, (found, method) in ways.items():
        texts = texts_of_method(replace(archive, annotations=found), method, config)
        scores[name] = page_scores(archive.gold, texts)
    return scores


def first_bucket(archive: Archive, config: Config) -> dict[str, Annotation]:
    """Annotations by the cross of the lowest band that gives a capture any, in place of the best."""
    captures = archive.captures
    return compare_all(captures, sketch_all(captures, config), config, _first).annotations


def _first(_members: Members, found: Crosses, _limit: int) -> Crosses:
    """The first cross of each capture; they come by band."""
    return found.take(np.unique(found.roles[:, 0], return_index=True)[1])


def agreement(annotations: Iterable[Annotation]) -> Agreement:
    """Return the agreement of the pages' crosses."""
    asked = [found for found in annotations if found.knows_other_pages]
    of_pages = np.array([_agreement(found) for found in asked]).reshape(-1, 5)
    pages, crosses_, words, apart, half_open = of_pages.sum(axis=0).tolist()
    if not pages:
        return Agreement(np.nan, np.nan, np.nan)
    return Agreement(crosses_ / pages, apart / words, half_open / words)


def _agreement(found: Annotation) -> tuple[int, int, int, int, int]:
    """One page, its crosses, its words, those that crosses label differently, those half open."""
    words = len(next(iter(found.shared.values())))
    votes = np.stack([pattern_labels(c.bits, element_bits(found, c, words)) for c in found.crosses])
    content, boilerplate = (votes == CONTENT).sum(axis=0), (votes == BOILERPLATE).sum(axis=0)
    opinions = content + boilerplate
    apart = (content > 0) & (boilerplate > 0)
    half_open = (opinions > 0) & (opinions < len(votes))
    return 1, len(votes), words, int(apart.sum()), int(half_open.sum())


def merging_rows(scores: Mapping[str, pd.DataFrame], *, held_out: bool) -> Rows:
    """A row for each way to merge: its name, pages, bag F1, and what it gains on its rival.

    `held_out` says that the model of the joint method never saw these pages.
    """
    rows: Rows = []
    for name, rival in BESIDE.items():
        row = summarise(scores[name])
        gain = difference(scores[name], scores[rival]) if rival else (np.nan, np.nan)
        learned = name in (JOINT_STRONGEST, JOINT_ALL) and not held_out
        rows.append(
            [
                f"{name} (not held out)" if learned else name,
                *(int(row["pages"]), row["bag_f1_mean"], row["bag_f1_se"], row["bag_f1_micro"]),
                *gain,
            ]
        )
    return rows


if __name__ == "__main__":
    call(main)
