"""Texts page by page: the worst of them by name, and what has changed since other texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.evaluate.systems import difference, page_scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from dbce.evaluate.archives import About
    from dbce.evaluate.gold import GoldText
    from dbce.evaluate.systems import Texts

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


def pages(gold: Sequence[GoldText], texts: Texts, before: Texts) -> pd.DataFrame:
    """`page_scores` of the texts, with `before`: the F1 of each page before, NaN where not known."""
    table = page_scores(gold, texts)
    known = page_scores([one for one in gold if one.page in before], before)
    return table.assign(before=known["bag_f1"].reindex(table.index))


def worst_rows(table: pd.DataFrame, about: Mapping[str, About], count: int) -> list[list[object]]:
    """The pages of lowest F1, the worst first."""
    return _named(table.sort_values("bag_f1", kind="stable").head(count), about)


def fallen_rows(table: pd.DataFrame, about: Mapping[str, About], count: int) -> list[list[object]]:
    """The pages that lost most since before, of those that are worse now."""
    change = table["bag_f1"] - table["before"]
    order = change[change < -CHANGED].sort_values(kind="stable").index
    return _named(table.loc[order[:count]], about)


def _named(table: pd.DataFrame, about: Mapping[str, About]) -> list[list[object]]:
    """A row for each page. Lost: of the words of the gold; added: of those found."""
    nothing = np.where(table["predicted"] > 0, 0, np.nan)
    told = table.assign(lost=1 - table["bag_r"], added=1 - table["bag_p"] + nothing)
    scores = told[["before", "bag_f1", "gold", "predicted", "bag", "lost", "added"]]
    return [
        [page, about[str(page)].url if page in about else "", *row.values()]
        for page, row in scores.to_dict("index").items()
    ]


def change_row(gold: Sequence[GoldText], texts: Texts, before: Texts) -> list[object]:
    """What changed on the pages that both have: pages, means, paired difference, better, worse.

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
