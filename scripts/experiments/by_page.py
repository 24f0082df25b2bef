"""Texts page by page: the worst of them by name, and what has changed since other texts.

    python -m scripts.experiments.by_page --held-out AFTER --before BEFORE [--worst N] [--set NAME]...
    python -m scripts.experiments.by_page --worst N [--held-out FILE] [--set NAME]...

The files have texts as `dbce train --held-out` and `dbce text` write them. With two of them archives are not read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.evaluate.gold import by_kind, read_gold
from dbce.evaluate.results import table
from dbce.model import Config
from scripts.experiments.sets import (
    SETS,
    add_title,
    call,
    choose_sets,
    compare_pages,
    is_trained_on,
    present,
    read_about,
    read_texts,
    say,
    set_parser,
    texts_with_gold,
)
from scripts.experiments.systems import difference, page_scores, texts_of_method

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from dbce.evaluate.gold import GoldText
    from scripts.experiments.sets import GoldFacts, Texts

    Rows = list[list[object]]

CHANGED = 0.01
"""A page is better or worse where its F1 differs by more."""

WORST_HEADER = (
    *("set", "record id", "URL", "F1 before", "F1"),
    *("words of gold", "found", "both", "lost", "added"),
)
CHANGE_HEADER = (
    *("set", "pages", "F1 before", "F1", "difference", "± SE"),
    *("better", "worse", "in one file only"),
)


def main(arguments: Sequence[str] = ()) -> None:
    """Prints the worst pages of the sets, and what changed since other texts."""
    options = _options(arguments)
    held_out, before = read_texts(options.held_out), read_texts(options.before)
    worst: Rows = []
    fallen: Rows = []
    changes: Rows = []
    for name, archive, gold_path in present(choose_sets(SETS, options.set)):
        gold, _ = by_kind(read_gold(str(gold_path)))
        about = read_about(str(gold_path))
        texts, old = texts_with_gold(gold, held_out), texts_with_gold(gold, before)
        if not texts and (before or is_trained_on(name)):
            say(f"  {name} left out: no texts of it in --held-out")
            continue
        if not texts:
            compared = compare_pages(name, archive, gold_path)
            texts = texts_of_method(compared, Config().method, Config())
        scores = pages(gold, texts, old)
        worst += [[name, *row] for row in worst_rows(scores, about, options.worst)]
        fallen += [[name, *row] for row in fallen_rows(scores, about, options.worst)]
        if old:
            changes.append([name, *change_row(gold, texts, old)])
    for title, header, rows in (
        ("The worst pages:", WORST_HEADER, worst),
        ("The pages that lost most:", WORST_HEADER, fallen),
        ("What changed, page by page:", CHANGE_HEADER, changes),
    ):
        if rows:
            print(add_title(title, table(header, rows)))


def _options(arguments: Sequence[str]) -> Namespace:
    parser = set_parser("by_page", "Scores page by page.", SETS)
    about = "texts that dbce train wrote, for sets it learned from"
    parser.add_argument("--held-out", metavar="FILE", help=about)
    about = "what --held-out gained and lost on the texts of FILE, page by page"
    parser.add_argument("--before", metavar="FILE", help=about)
    about = "the N pages of each set on which our texts are worst, by name"
    parser.add_argument("--worst", metavar="N", type=int, default=0, help=about)
    options = parser.parse_args(arguments)
    if options.worst < 0:
        parser.error(f"--worst is {options.worst}; it must be a number of pages from 1 on")
    if options.before and not options.held_out:
        parser.error("--before needs --held-out, the texts to compare its own with")
    if not options.before and not options.worst:
        parser.error("say --worst N, or --before FILE, or both")
    return options


def pages(gold: Sequence[GoldText], texts: Texts, before: Texts) -> pd.DataFrame:
    """`page_scores` of the texts, with `before`: the F1 of each page before, NaN where not known."""
    scores = page_scores(gold, texts)
    known = page_scores([page for page in gold if page.page in before], before)
    return scores.assign(before=known["bag_f1"].reindex(scores.index))


def worst_rows(scores: pd.DataFrame, about: Mapping[str, GoldFacts], count: int) -> Rows:
    """The pages of lowest F1, the worst first."""
    return _page_rows(scores.sort_values("bag_f1", kind="stable").head(count), about)


def fallen_rows(scores: pd.DataFrame, about: Mapping[str, GoldFacts], count: int) -> Rows:
    """The pages that lost most since before, of those that are worse now."""
    change = scores["bag_f1"] - scores["before"]
    order = change[change < -CHANGED].sort_values(kind="stable").index
    return _page_rows(scores.loc[order[:count]], about)


def _page_rows(scores: pd.DataFrame, about: Mapping[str, GoldFacts]) -> Rows:
    """A row for each page. Lost: of the words of the gold; added: of those found."""
    nothing = np.where(scores["predicted"] > 0, 0, np.nan)
    detailed = scores.assign(lost=1 - scores["bag_r"], added=1 - scores["bag_p"] + nothing)
    columns = detailed[["before", "bag_f1", "gold", "predicted", "bag", "lost", "added"]]
    return [
        [page, about[str(page)].url if page in about else "", *row.values()]
        for page, row in columns.to_dict("index").items()
    ]


def change_row(gold: Sequence[GoldText], texts: Texts, before: Texts) -> list[object]:
    """Compare the pages that both have: number, means, paired difference, better, worse.

    At the end stands how many pages of the gold one of them has and the other has not.
    """
    both = [one for one in gold if one.page in texts and one.page in before]
    alone = sum((one.page in texts) != (one.page in before) for one in gold)
    now, then = page_scores(both, texts), page_scores(both, before)
    change = now["bag_f1"] - then["bag_f1"]
    return [
        *(len(now), float(then["bag_f1"].mean()), float(now["bag_f1"].mean())),
        *difference(now, then),
        *(int((change > CHANGED).sum()), int((change < -CHANGED).sum()), alone),
    ]


if __name__ == "__main__":
    call(main)
