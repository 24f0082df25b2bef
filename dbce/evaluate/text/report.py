"""Results of an evaluation: tables for programs, a text for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.evaluate.results import table
from dbce.evaluate.text.nodes import CELLS, UNSCORED
from dbce.evaluate.text.scores import MEASURES, PRF
from dbce.progress import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

IN_GROUPS = {
    "bag P": "bag_p_mean",
    "bag R": "bag_r_mean",
    "bag F1": "bag_f1_mean",
    "bag F1 micro": "bag_f1_micro",
    "lcs F1": "lcs_f1_mean",
}
"""Heading: column of the scores shown for groups of pages."""

ABOUT_NODES = (
    "Text runs; positive is content. Row `decided` leaves invalid runs out, as the thesis does."
)
ABOUT_WORDS = (
    "Words of the main text against the gold text, as multisets (bag) and as sequences (lcs); "
    "means over pages with their standard error (SE), micro: words of all pages summed."
)


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """Scores of a run.

    For text gold: `table` has one row per page (`words.page_table`), `summary` the row `all`
    and `groups` a row per group (`words.summarise`). For node gold: `table` has one row per
    capture (`nodes.compare`), `summary` the rows `all` and `decided` (`nodes.summarise`) and
    `groups` a row per group (`nodes.by_group`). Either table has a column `group`; `groups` is
    empty where there is only one. `notes` say what of the gold could not be used as it is.
    """

    title: str
    table: pd.DataFrame
    summary: pd.DataFrame
    groups: pd.DataFrame
    notes: tuple[str, ...]

    @property
    def by_nodes(self) -> bool:
        """Return whether text runs were counted, not words."""
        return "tp" in self.summary

    def text(self) -> str:
        """The scores as Markdown."""
        parts = _of_nodes(self) if self.by_nodes else _of_words(self)
        return "\n\n".join([self.title, *parts, *(f"Note: {note}" for note in self.notes)])


def _of_words(report: Report) -> Iterator[str]:
    every = report.summary.to_dict("index")["all"]
    yield f"Words of {count_of(int(every['pages']), 'page')}, {every['empty']:.0f} of them without text in the run."
    yield table(
        ["words", "", "P", "R", "F1", "standard error"],
        [
            [
                measure,
                kind,
                *(every[f"{measure}_{name}_{kind}"] for name in PRF),
                every[f"{measure}_f1_se"] if kind == "mean" else "",
            ]
            for measure in MEASURES
            for kind in ("mean", "median", "micro")
        ],
    )
    if len(report.groups):
        yield table(
            ["group", "pages", *IN_GROUPS],
            [
                [name, int(scores["pages"]), *(scores[column] for column in IN_GROUPS.values())]
                for name, scores in report.groups.to_dict("index").items()
            ],
        )


def _of_nodes(report: Report) -> Iterator[str]:
    yield ABOUT_NODES
    yield node_table("text runs", report.summary)
    if len(report.groups):
        yield node_table("group", report.groups)


def node_table(heading: str, rows: pd.DataFrame) -> str:
    """Measures of text runs as Markdown, the index as first column."""
    columns = [str(name) for name in rows if name not in UNSCORED]
    return table(
        [heading, *columns],
        [
            [name, *(int(row[c]) if c in CELLS else row[c] for c in columns)]
            for name, row in rows.to_dict("index").items()
        ],
    )
