"""Parts that all evaluations share: halves of a set of pages, and the files and tables of scores.

One half is to develop on, the other is one that nobody looks at until the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING

from dbce.archive import site
from dbce.evaluate.results import OutputFiles, Table
from dbce.storage import write_file

if TYPE_CHECKING:
    import pandas as pd


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


def cell(value: object) -> str:
    """Return a value of a table as people read it."""
    if isinstance(value, float):
        return "n/a" if math.isnan(value) else f"{value:.3f}"
    return str(value)


def write_results(
    files: OutputFiles,
    scores: pd.DataFrame,
    summary: Callable[[], Table],
    html: Callable[[], str],
) -> None:
    """Write the files that are asked for: scores and their summary as CSV, and the report.

    Raises:
        UsageError: a file cannot be written.
    """
    if files.csv:
        write_file(files.csv, scores.to_csv(index=False))
    if files.summary:
        write_file(files.summary, summary().rows.to_csv(index=False))
    if files.html:
        write_file(files.html, html())


def results_text(tables: Iterable[Table], notes: Sequence[str]) -> str:
    """Return the text to print: all tables, then the notes."""
    return "\n\n".join([*(table.text() for table in tables), *(f"Note: {note}" for note in notes)])
