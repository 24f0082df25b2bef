"""Scores of headings as people read them: tables, and one HTML page with the worst pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from dbce.evaluate.results import OutputFiles, Table
from dbce.visual.evaluate.headings.evaluation import (
    KINDS,
    RELATIONS,
    Counts,
    Evaluation,
    HeadingComparison,
    HeadingEvaluationSettings,
    Means,
    evaluate,
    means,
)
from dbce.visual.evaluate.results import cell, results_text, write_results

LETTERS = {"heading": "H", "block": "B"}


def tables(scores: pd.DataFrame) -> Iterator[Table]:
    """Methods (H table 5), methods by group if there are some, and relations (H table 7)."""
    yield method_table(scores)
    if len(set(scores["group"])) > 1:
        for group, of_group in scores.groupby("group"):
            table = method_table(of_group)
            yield table._replace(title=f"{table.title}: {group}")
    yield relation_table(scores)


def method_table(scores: pd.DataFrame) -> Table:
    """P, R and F of headings and of blocks, for each method."""
    rows = []
    for algorithm, of_one in scores.groupby("algorithm", sort=False):
        row: dict[str, object] = {"method": algorithm}
        for kind in KINDS:
            row |= _score_columns(kind, means(_counts(of_one, kind)))
        rows.append(row | {"pages": len(of_one)})
    return Table("Headings and blocks found exactly, means over pages", pd.DataFrame(rows))


def relation_table(scores: pd.DataFrame) -> Table:
    """P, R and F of what is related to correctly found headings and blocks, over all pairs."""
    rows = []
    for algorithm, of_one in scores.groupby("algorithm", sort=False):
        for relation in RELATIONS:
            row: dict[str, object] = {"method": algorithm, "relation": relation}
            for kind in KINDS:
                pairs = _counts(of_one, f"{kind}_{relation}")
                total = Counts(*map(sum, zip(*pairs, strict=True)))
                row |= _score_columns(kind, means([total]))
            rows.append(row)
    return Table("Related headings and blocks, over pairs", pd.DataFrame(rows))


def _counts(scores: pd.DataFrame, name: str) -> list[Counts]:
    columns = [f"{name}_{field}" for field in Counts._fields]
    return [Counts(*map(int, row)) for row in scores[columns].itertuples(index=False)]


def _score_columns(kind: str, found: Means) -> dict[str, float]:
    return {f"{letter}_{LETTERS[kind]}": value for letter, value in zip("PRF", found, strict=True)}


WORST = 10
"""Pages that are shown of each method."""

OWN_STYLE = """
.sides{display:grid;grid-template-columns:1fr 1fr;gap:1rem}
.sides li{list-style:none}
.missed{text-decoration:underline wavy}
"""


class WorstPage(NamedTuple):
    """A page to look at, with how many of its headings were found, missed and invented."""

    page: HeadingComparison
    correct: int
    missed: int
    wrong: int


def render(evaluation: Evaluation, gold: str) -> str:
    """Return the report."""
    from dbce.model.style import environment  # of an extra

    templates = environment("dbce.visual.evaluate.headings", OWN_STYLE)
    templates.filters["cell"] = cell
    names = list(dict.fromkeys(evaluation.table["algorithm"]))
    return templates.get_template("headings.html").render(
        gold=gold,
        names=names,
        tables=list(tables(evaluation.table)),
        notes=evaluation.notes,
        worst={name: list(worst(evaluation, name)) for name in names},
    )


def worst(evaluation: Evaluation, algorithm: str) -> Iterator[WorstPage]:
    """Yield the pages that a method is worst on: those with most headings missed or invented, of equals by URL."""
    found = []
    for page in evaluation.pages:
        if page.algorithm == algorithm:
            missed = sum(not there for *_, there in page.gold)
            wrong = sum(not there for *_, there in page.found)
            found.append(WorstPage(page, len(page.gold) - missed, missed, wrong))
    found.sort(key=lambda one: (-one.missed - one.wrong, one.page.url))
    yield from found[:WORST]


def main_report(asked: HeadingEvaluationSettings, wanted: OutputFiles) -> str:
    """Score tables of headings, writes the files that are asked for; the text to print.

    Raises:
        UsageError: as `evaluate`; a file cannot be written.
    """
    found = evaluate(asked)
    write_results(
        wanted, found.table, lambda: method_table(found.table), lambda: render(found, asked.gold)
    )
    return results_text(tables(found.table), found.notes)
