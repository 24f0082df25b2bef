"""An evaluation as one HTML file that needs no other: tables, and the outlines of the worst pages."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from dbce.model.style import environment
from dbce.visual.evaluate.headings.tables import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.visual.evaluate.headings.evaluation import Compared, Evaluation

WORST = 10
"""Pages that are shown of each method."""

OWN_STYLE = """
.sides{display:grid;grid-template-columns:1fr 1fr;gap:1rem}
.sides li{list-style:none}
.missed{text-decoration:underline wavy}
"""


class WorstPage(NamedTuple):
    """A page to look at, with how many of its headings were found, missed and invented."""

    page: Compared
    correct: int
    missed: int
    wrong: int


def render(evaluation: Evaluation, gold: str) -> str:
    """The report."""
    templates = environment("dbce.visual.evaluate.headings", OWN_STYLE)
    templates.filters["cell"] = _cell
    names = list(dict.fromkeys(evaluation.table["algorithm"]))
    return templates.get_template("headings.html").render(
        gold=gold,
        names=names,
        tables=list(tables(evaluation.table)),
        notes=evaluation.notes,
        worst={name: list(worst(evaluation, name)) for name in names},
    )


def worst(evaluation: Evaluation, algorithm: str) -> Iterator[WorstPage]:
    """The pages that a method is worst on: those with most headings missed or invented, of equals by URL."""
    found = []
    for page in evaluation.pages:
        if page.algorithm == algorithm:
            missed = sum(not there for *_, there in page.gold)
            wrong = sum(not there for *_, there in page.found)
            found.append(WorstPage(page, len(page.gold) - missed, missed, wrong))
    found.sort(key=lambda one: (-one.missed - one.wrong, one.page.url))
    yield from found[:WORST]


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "n/a" if math.isnan(value) else f"{value:.3f}"
    return str(value)
