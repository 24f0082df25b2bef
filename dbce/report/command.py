"""Command `dbce report`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import UsageError
from dbce.output import open_whole
from dbce.report import build
from dbce.report.one_file import report
from dbce.storage import Folder

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        out: where to write the report, and nothing into `folder`. Without it, the report and the
            pages of the captures are written there.
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
    name = target.rpartition("/")[2]
    _write(target.removesuffix(name) or ".", {name: made.html.encode()})
    said = [f"{target}: the report, one file to send"]
    if csv:
        _write(csv, {f"{table.name}.csv": table.csv() for table in made.tables})
        said.append(f"{csv}: its figures as {len(made.tables)} CSV files")
    if out is None:
        said.append(
            f"{build.write(folder, selection=selection)}: every page, content and boilerplate coloured"
        )
    return "\n".join(said)


def _write(uri: str, files: Mapping[str, bytes]) -> None:
    folder = Folder(uri)
    for name, data in files.items():
        place = f"{uri.rstrip('/')}/{name}" if uri != "." else name
        try:
            if not name or folder.fs.isdir(folder.at(name)):
                raise UsageError(f"{place} is a folder; name a file")
            folder.write(name, data)
        except OSError as e:
            raise UsageError(f"cannot write {place}: {e.strerror or e}") from e
