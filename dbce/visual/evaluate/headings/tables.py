"""The tables of HEPS's evaluation, from the rows of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from dbce.evaluate.results import Table
from dbce.visual.evaluate.headings.scores import KINDS, RELATIONS, Counts, Means, means

if TYPE_CHECKING:
    from collections.abc import Iterator

LETTERS = {"heading": "H", "block": "B"}


def tables(scores: pd.DataFrame) -> Iterator[Table]:
    """Methods (H table 5), methods by group if there are some, and relations (H table 7)."""
    yield of_methods(scores)
    if len(set(scores["group"])) > 1:
        for group, of_group in scores.groupby("group"):
            table = of_methods(of_group)
            yield table._replace(title=f"{table.title}: {group}")
    yield of_relations(scores)


def of_methods(scores: pd.DataFrame) -> Table:
    """P, R and F of headings and of blocks, for each method."""
    rows = []
    for algorithm, of_one in scores.groupby("algorithm", sort=False):
        row: dict[str, object] = {"method": algorithm}
        for kind in KINDS:
            row |= _named(kind, means(_counts(of_one, kind)))
        rows.append(row | {"pages": len(of_one)})
    return Table("Headings and blocks found exactly, means over pages", pd.DataFrame(rows))


def of_relations(scores: pd.DataFrame) -> Table:
    """P, R and F of what is related to correctly found headings and blocks, over all pairs."""
    rows = []
    for algorithm, of_one in scores.groupby("algorithm", sort=False):
        for relation in RELATIONS:
            row: dict[str, object] = {"method": algorithm, "relation": relation}
            for kind in KINDS:
                pairs = _counts(of_one, f"{kind}_{relation}")
                total = Counts(*map(sum, zip(*pairs, strict=True)))
                row |= _named(kind, means([total]))
            rows.append(row)
    return Table("Related headings and blocks, over pairs", pd.DataFrame(rows))


def _counts(scores: pd.DataFrame, name: str) -> list[Counts]:
    columns = [f"{name}_{field}" for field in Counts._fields]
    return [Counts(*map(int, row)) for row in scores[columns].itertuples(index=False)]


def _named(kind: str, found: Means) -> dict[str, float]:
    return {f"{letter}_{LETTERS[kind]}": value for letter, value in zip("PRF", found, strict=True)}
