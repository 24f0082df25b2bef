"""What is to be labelled, by whom, and how far they are."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from dbce.annotate.content.capture import marks, read_sheet
from dbce.annotate.content.sample import rows_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dbce.annotate.content.book import Book
    from dbce.annotate.content.capture import Sheet
    from dbce.annotate.content.spans import Mark, Span
    from dbce.view.run import Run
    from dbce.view.tables import Row

KEPT = 64
"""Sheets that are kept in memory."""


@dataclass(frozen=True, slots=True)
class Task:
    """A capture, how many text runs it has, and how many of them somebody has not labelled."""

    page: Row
    runs: int
    left: int


class Desk:
    """A run, the gold that is made of it, and the captures that are asked for, in order."""

    def __init__(self, run: Run, book: Book, asked: Sequence[Row]) -> None:
        self.run = run
        self.book = book
        self._asked = asked
        self._sheets: OrderedDict[str, Sheet] = OrderedDict()
        self._left: dict[tuple[str, str], int] = {}
        self._turn = Lock()

    def sheet(self, record_id: str) -> Sheet:
        """A capture to be labelled.

        Raises:
            NotInRun: there is no such capture, or it cannot be labelled.
        """
        with self._turn:
            if record_id in self._sheets:
                self._sheets.move_to_end(record_id)
                return self._sheets[record_id]
        sheet = read_sheet(self.run, self.run.page(record_id))
        with self._turn:
            self._sheets[record_id] = sheet
            while len(self._sheets) > KEPT:
                self._sheets.popitem(last=False)
        return sheet

    def marks(self, by: str, record_id: str) -> list[Span | None]:
        """For each text run of a capture what somebody says of it.

        Before anything is said, hidden runs have what the rule will say of them.
        """
        sheet = self.sheet(record_id)
        spans = self.book.spans(by, record_id) or sheet.hidden_spans()
        said = marks(sheet.runs, spans)
        self._left[by, record_id] = said.count(None)
        return said

    def tasks(self, by: str) -> list[Task]:
        """The captures that are asked for, then others that somebody has begun, and what is left."""
        begun = set(self.book.people().get(by, ()))
        asked = {row["record_id"] for row in self._asked}
        more = rows_of(self.run, sorted(begun - asked))
        return [
            self._task(by, row, begun=row["record_id"] in begun) for row in (*self._asked, *more)
        ]

    def next_after(self, by: str, record_id: str) -> str | None:
        """The next capture with runs that somebody has not labelled; after the last the first."""
        tasks = self.tasks(by)
        ids = [task.page["record_id"] for task in tasks]
        first = ids.index(record_id) + 1 if record_id in ids else 0
        return next((t.page["record_id"] for t in (*tasks[first:], *tasks[:first]) if t.left), None)

    def _task(self, by: str, row: Row, *, begun: bool) -> Task:
        runs = sum(row[f"runs_{label}"] for label in ("content", "boilerplate", "invalid"))
        return Task(row, runs, self._left_of(by, row["record_id"]) if begun else runs)

    def _left_of(self, by: str, record_id: str) -> int:
        """How many runs of a capture somebody has not labelled who has begun with it."""
        if (by, record_id) not in self._left:
            runs = self.run.runs(self.run.page(record_id))
            spans = self.book.spans(by, record_id)
            self._left[by, record_id] = marks(runs, spans).count(None)
        return self._left[by, record_id]


def counts(marks: Sequence[Span | None]) -> Mapping[Mark, int]:
    """How many runs have each mark."""
    found: dict[Mark, int] = {}
    for span in marks:
        if span is not None:
            found[span.mark] = found.get(span.mark, 0) + 1
    return found
