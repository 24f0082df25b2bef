"""What `dbce evaluate-blocks` does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import fsspec

from dbce.errors import MissingExtra, UsageError
from dbce.visual.measure.correspondence import CONVENTIONS, Convention
from dbce.visual.measure.evaluation import evaluate
from dbce.visual.measure.tables import correspondence, tables
from dbce.visual.render import read_rendered, read_screenshot

if TYPE_CHECKING:
    from dbce.visual.measure.evaluation import Asked, Evaluation


def convention(
    name: str,
    relative: float | None = None,
    geometric: float | None = None,
    importance: float | None = None,
) -> Convention:
    """The convention of a name, with other tolerances where they are given."""
    found = CONVENTIONS[name]
    given = {"relative": relative, "geometric": geometric, "importance": importance}
    changed = {key: value for key, value in given.items() if value is not None}
    return found._replace(tolerances=found.tolerances._replace(**changed))


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which files are to be written, besides what is printed; None for not."""

    csv: str | None = None
    summary: str | None = None
    html: str | None = None


def main_report(asked: Asked, rendered: str | None, wanted: Wanted) -> str:
    """Scores segmentations, writes the files that are asked for; the text to print.

    `rendered` is the folder that `dbce render` left, if pages are to be looked at as they were laid out.

    Raises:
        UsageError: as `evaluate`; a file cannot be written; jinja2 is missing for a report.
    """
    found = evaluate(asked, read_rendered(rendered) if rendered else None)
    if wanted.csv:
        _write(wanted.csv, found.table.to_csv(index=False))
    if wanted.summary:
        _write(wanted.summary, correspondence(found.table).rows.to_csv(index=False))
    if wanted.html:
        _write(wanted.html, _report(found, asked.gold, rendered))
    return "\n\n".join(
        [*(t.text() for t in tables(found.table)), *(f"Note: {n}" for n in found.notes)]
    )


def _report(found: Evaluation, gold: str, rendered: str | None) -> str:
    try:
        from dbce.visual.measure.report import render
    except ImportError as e:
        raise MissingExtra("a page with pictures", "report") from e
    if rendered is None:
        return render(found, gold)
    return render(found, gold, lambda record_id: read_screenshot(rendered, record_id))


def _write(uri: str, text: str) -> None:
    try:
        with fsspec.open(uri, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except OSError as e:
        raise UsageError(f"cannot write {uri}: {e.strerror or e}") from e
