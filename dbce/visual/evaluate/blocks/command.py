"""Command `dbce evaluate-blocks`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import UsageError
from dbce.storage import write_file
from dbce.visual.evaluate.blocks.evaluation import evaluate
from dbce.visual.evaluate.blocks.tables import correspondence, tables
from dbce.visual.measure import CONVENTIONS, Convention
from dbce.visual.render import read_picture, read_rendered, read_screenshot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.evaluate.results import Wanted
    from dbce.visual import RenderedPage
    from dbce.visual.evaluate.blocks.compared import ComparedPage
    from dbce.visual.evaluate.blocks.evaluation import Asked

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


def main_report(
    asked: Asked, rendered: Sequence[str], wanted: Wanted, *, edges: bool = False
) -> str:
    """Scores segmentations, writes the files that are asked for; the text to print.

    `rendered` are folders that `dbce render` left, if pages are to be looked at as they were laid out.
    `edges`: their screenshots are to be looked at too.

    Raises:
        UsageError: as `evaluate`; a file cannot be written; there are no pages whose edges are asked for.
    """
    if edges and not rendered:
        raise UsageError(
            "--edges looks at screenshots: name the folder that has them by --rendered"
        )
    places: Places = {}

    def screenshot(page: ComparedPage) -> bytes | None:
        return read_screenshot(*place) if (place := _place(page, places)) else None

    def picture(page: ComparedPage) -> str:
        return read_picture(*place).uri if (place := _place(page, places)) else ""

    pages = _read(rendered, places) if rendered else None
    found = evaluate(asked, pages, screenshot if edges else None)
    if wanted.csv:
        write_file(wanted.csv, found.table.to_csv(index=False))
    if wanted.summary:
        write_file(wanted.summary, correspondence(found.table).rows.to_csv(index=False))
    if wanted.html:
        from dbce.visual.evaluate.blocks.report import render

        write_file(wanted.html, render(found, asked.gold, picture))
    notes = (f"Note: {note}" for note in found.notes)
    return "\n\n".join([*(t.text() for t in tables(found.table)), *notes])


def _read(folders: Sequence[str], places: Places) -> Iterator[RenderedPage]:
    """All pages of some folders; fills in which is where."""
    for folder in folders:
        for page in read_rendered(folder):
            places.setdefault((page.record_id.strip("<>"), page.size), (folder, page.record_id))
            yield page


def _place(page: ComparedPage, places: Places) -> tuple[str, str] | None:
    return places.get((page.record_id, page.gold.size))
