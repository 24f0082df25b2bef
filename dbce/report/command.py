"""Command `dbce report`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import UsageError
from dbce.output import open_whole
from dbce.report.one_file import report
from dbce.storage import write_file

if TYPE_CHECKING:
    from dbce.output import RowSelection

NAME = "report.html"
"""The report in the folder of its run."""


def write_report(
    folder: str,
    *,
    gold: str | None = None,
    group: str = "site",
    out: str | None = None,
    csv: str | None = None,
    selection: RowSelection | None = None,
) -> str:
    """Writes the report of a run; the text to print.

    Args:
        folder: of a finished run.
        gold: JSON lines (`dbce.evaluate.read_gold`), for scores and calibration.
        group: field of the gold by which scores are also given.
        out: where to write the report; without it, it goes into `folder`.
        csv: folder for the figures, a file for each table.
        selection: the captures that count.

    Raises:
        UsageError: the folder holds no finished run, the gold cannot be used, or a file cannot be
            written.
    """
    if gold and selection and not selection.takes_all:
        raise UsageError("--gold scores the whole run; leave the selection out")
    made = report(folder, gold, group, selection)
    target = out or f"{open_whole(folder)[0].uri.rstrip('/')}/{NAME}"
    write_file(target, made.html)
    said = [f"{target}: the report, a self-contained HTML file"]
    if csv:
        for table in made.tables:
            write_file(f"{csv.rstrip('/')}/{table.name}.csv", table.csv())
        said.append(f"{csv}: its figures as {len(made.tables)} CSV files")
    return "\n".join(said)
