"""Command `dbce evaluate-headings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.storage import write_file
from dbce.visual.evaluate.headings.evaluation import evaluate
from dbce.visual.evaluate.headings.tables import of_methods, tables

if TYPE_CHECKING:
    from dbce.evaluate.results import Wanted
    from dbce.visual.evaluate.headings.evaluation import AskedScores


def main_report(asked: AskedScores, wanted: Wanted) -> str:
    """Scores tables of headings, writes the files that are asked for; the text to print.

    Raises:
        UsageError: as `evaluate`; a file cannot be written.
    """
    found = evaluate(asked)
    if wanted.csv:
        write_file(wanted.csv, found.table.to_csv(index=False))
    if wanted.summary:
        write_file(wanted.summary, of_methods(found.table).rows.to_csv(index=False))
    if wanted.html:
        from dbce.visual.evaluate.headings.report import render

        write_file(wanted.html, render(found, asked.gold))
    notes = (f"Note: {note}" for note in found.notes)
    return "\n\n".join([*(table.text() for table in tables(found.table)), *notes])
