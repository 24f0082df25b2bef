"""The outline of a capture: the headings of its content, and where each begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce import html
from dbce.model import DbceError, Label
from dbce.view.frame import fits
from dbce.visual.headings import outline_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.view.run import Run
    from dbce.view.tables import Row


class Entry(NamedTuple):
    """A heading: its level from 1 on, its words, and the place of its first text run in the capture."""

    level: int
    text: str
    at: int


def outline(run: Run, page: Row, rows: Sequence[Row]) -> list[Entry]:
    """The headings of a judged capture in document order; `rows` are its text runs.

    None are told of a page that does not read as it did when it was judged.
    """
    try:
        stripped = html.strip(run.annotated(page))
        document = html.load(stripped, "text/html; charset=utf-8", run.config.limits)
    except DbceError:
        return []
    if not fits(document.page, rows):
        return []
    first = {row["node"]: place for place, row in reversed(list(enumerate(rows)))}
    content = sorted({row["node"] for row in rows if row["label"] == Label.CONTENT})
    nodes = document.page.nodes
    return [
        Entry(level, " ".join(" ".join(nodes[n].text for n in of_one).split()), first[of_one[0]])
        for level, of_one in outline_of(document, content)
    ]
