"""What `dbce evaluate-blocks` does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import fsspec

from dbce.evaluate.blocks.evaluation import evaluate
from dbce.evaluate.blocks.tables import correspondence, tables
from dbce.model import UsageError
from dbce.visual.measure import CONVENTIONS, Convention
from dbce.visual.render import read_rendered, read_screenshot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.evaluate.blocks.compared import ComparedPage
    from dbce.evaluate.blocks.evaluation import Asked
    from dbce.visual import RenderedPage

    Places = dict[tuple[str, tuple[float, float]], tuple[str, str]]  # (id, size): (folder, id)


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


def main_report(asked: Asked, rendered: Sequence[str], wanted: Wanted) -> str:
    """Scores segmentations, writes the files that are asked for; the text to print.

    `rendered` are folders that `dbce render` left, if pages are to be looked at as they were laid out.

    Raises:
        UsageError: as `evaluate`; a file cannot be written.
    """
    places: Places = {}
    found = evaluate(asked, _read(rendered, places) if rendered else None)
    if wanted.csv:
        write_text(wanted.csv, found.table.to_csv(index=False))
    if wanted.summary:
        write_text(wanted.summary, correspondence(found.table).rows.to_csv(index=False))
    if wanted.html:
        from dbce.evaluate.blocks.report import render

        write_text(wanted.html, render(found, asked.gold, lambda page: _screenshot(page, places)))
    notes = (f"Note: {note}" for note in found.notes)
    return "\n\n".join([*(t.text() for t in tables(found.table)), *notes])


def _read(folders: Sequence[str], places: Places) -> Iterator[RenderedPage]:
    """All pages of some folders; fills in which is where."""
    for folder in folders:
        for page in read_rendered(folder):
            places.setdefault((page.record_id.strip("<>"), page.size), (folder, page.record_id))
            yield page


def _screenshot(page: ComparedPage, places: Places) -> bytes | None:
    place = places.get((page.record_id, page.gold.size))
    return read_screenshot(*place) if place else None


def write_text(uri: str, text: str) -> None:
    """Writes a file.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        with fsspec.open(uri, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except OSError as e:
        raise UsageError(f"cannot write {uri}: {e.strerror or e}") from e
