"""What `dbce evaluate-headings` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.headings.measure.evaluation import evaluate
from dbce.visual.headings.measure.tables import of_methods, tables
from dbce.visual.measure import require_templates, write_text

if TYPE_CHECKING:
    from dbce.visual.headings.measure.evaluation import AskedScores
    from dbce.visual.measure import Wanted


def main_report(asked: AskedScores, wanted: Wanted) -> str:
    """Scores tables of headings, writes the files that are asked for; the text to print.

    Raises:
        UsageError: as `evaluate`; a file cannot be written; jinja2 is missing for a report.
    """
    if wanted.html:
        require_templates()
    found = evaluate(asked)
    if wanted.csv:
        write_text(wanted.csv, found.table.to_csv(index=False))
    if wanted.summary:
        write_text(wanted.summary, of_methods(found.table).rows.to_csv(index=False))
    if wanted.html:
        from dbce.visual.headings.measure.report import render  # which needs the extra "report"

        write_text(wanted.html, render(found, asked.gold))
    notes = (f"Note: {note}" for note in found.notes)
    return "\n\n".join([*(table.text() for table in tables(found.table)), *notes])
