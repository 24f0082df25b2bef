"""Parts that all evaluations share: halves of a set of pages, and the files and tables of scores.

One half is to develop on, the other is one that nobody looks at until the end.
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
    """Half of the gold that a page belongs to."""

    DEVELOPMENT = "development"
    HELD_OUT = "held-out"


def half(url: str) -> Half:
    """Return the half of a page by the SHA-256 of its registered domain: development if it is even, else held out.

    So all pages of a site are in one half, and nobody chose it.
    """
    digest = sha256(site(url, "domain").encode()).digest()
    return Half.HELD_OUT if digest[-1] % 2 else Half.DEVELOPMENT


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation(Generic[Page]):
    """Scores and what they are of.

    `table` has a row for each page and method; its columns are described in docs/segmentation-measures.md and
    docs/headings.md. `pages` are those compared; `notes` say what of gold and methods could not be used.
    """

    table: pd.DataFrame
    pages: tuple[Page, ...]
    notes: tuple[str, ...]


class Table(NamedTuple):
    """A table and what it shows; the first column of `rows` names each row."""

    title: str
    rows: pd.DataFrame

    def text(self) -> str:
        return f"{self.title}\n\n{table([str(name) for name in self.rows], self.rows.to_numpy().tolist())}"


@dataclass(frozen=True, slots=True)
class OutputFiles:
    """Files to be written, besides what is printed; None for not."""

    csv: str | None = None
    summary: str | None = None
    html: str | None = None


def report_results(
    files: OutputFiles,
    found: Evaluation[Any],
    tables: Callable[[pd.DataFrame], Iterable[Table]],
    summary: Callable[[pd.DataFrame], Table],
    html: Callable[[], str],
) -> str:
    """Write the files that are asked for: scores and their summary as CSV, and the report; the text to print.

    Raises UsageError: a file cannot be written.
    """
    if files.csv:
        write_file(files.csv, found.table.to_csv(index=False))
    if files.summary:
        write_file(files.summary, summary(found.table).rows.to_csv(index=False))
    if files.html:
        write_file(files.html, html())
    texts = (one.text() for one in tables(found.table))
    return "\n\n".join([*texts, *(f"Note: {note}" for note in found.notes)])


def results_html(
    kind: str,
    found: Evaluation[Any],
    gold: str,
    tables: Callable[[pd.DataFrame], Iterable[Table]],
    worst: Mapping[str, object],
    **more: Any,
) -> str:
    """Return the report by the template and the style sheet of a kind of evaluation; `worst` are pages by method."""
    from dbce.model.style import environment, template_file  # of an extra

    package = f"dbce.visual.evaluate.{kind}"
    templates = environment(package, f"\n{template_file(package, f'{kind}.css')}")
    templates.filters["cell"] = cell
    shown = {"tables": list(tables(found.table)), "notes": found.notes, "names": list(worst)}
    return templates.get_template(f"{kind}.html").render(gold=gold, worst=worst, **shown, **more)
