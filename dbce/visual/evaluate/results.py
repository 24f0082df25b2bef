"""Parts that all evaluations share: halves of a set of pages, and the files and tables of scores.

One half is for development, the other is held out until the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from dbce.archive import site
from dbce.evaluate.results import cell, table
from dbce.storage import write_file

if TYPE_CHECKING:
    import pandas as pd

Page = TypeVar("Page")


class Half(StrEnum):
    """Half of a set of gold pages."""

    DEVELOPMENT = "development"
    HELD_OUT = "held-out"


def half(url: str) -> Half:
    """Return the half of a page by the SHA-256 of its registered domain: development if it is even, else held out.

    So all pages of a site are in one half, without anybody's choice.
    """
    digest = sha256(site(url, "domain").encode()).digest()
    return Half.HELD_OUT if digest[-1] % 2 else Half.DEVELOPMENT


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation(Generic[Page]):
    """Scores, with the pages that were compared.

    `table` has a row for each page and method; its columns are described in docs/segmentation-measures.md and
    docs/headings.md. `pages` are those compared; `notes` are on gold and methods that could not be used.
    """

    table: pd.DataFrame
    pages: tuple[Page, ...]
    notes: tuple[str, ...]


class Table(NamedTuple):
    """A table and its title; the first column of `rows` names each row."""

    title: str
    rows: pd.DataFrame

    def text(self) -> str:
        return f"{self.title}\n\n{table([str(name) for name in self.rows], self.rows.to_numpy().tolist())}"


@dataclass(frozen=True, slots=True)
class OutputFiles:
    """Paths of files to write besides the printed text; None for none."""

    csv: str | None = None
    summary: str | None = None
    html: str | None = None


def report_results(
    files: OutputFiles,
    evaluation: Evaluation[Any],
    tables: Callable[[pd.DataFrame], Iterable[Table]],
    summary: Callable[[pd.DataFrame], Table],
    html: Callable[[], str],
) -> str:
    """Write the requested files: scores and their summary as CSV, and the report; return the text to print.

    Raises UsageError: a file cannot be written.
    """
    if files.csv:
        write_file(files.csv, evaluation.table.to_csv(index=False))
    if files.summary:
        write_file(files.summary, summary(evaluation.table).rows.to_csv(index=False))
    if files.html:
        write_file(files.html, html())
    texts = (part.text() for part in tables(evaluation.table))
    return "\n\n".join([*texts, *(f"Note: {note}" for note in evaluation.notes)])


def results_html(
    kind: str,
    scores: Evaluation[Any],
    gold: str,
    tables: Callable[[pd.DataFrame], Iterable[Table]],
    worst: Mapping[str, object],
    **more: Any,
) -> str:
    """Return the report by the template and the style sheet of a kind of evaluation; `worst` are pages by method."""
    from dbce.model.style import environment, template_file  # an extra

    package = f"dbce.visual.evaluate.{kind}"
    templates = environment(package, f"\n{template_file(package, f'{kind}.css')}")
    templates.filters["cell"] = cell
    context = {"tables": list(tables(scores.table)), "notes": scores.notes, "names": list(worst)}
    return templates.get_template(f"{kind}.html").render(gold=gold, worst=worst, **context, **more)
