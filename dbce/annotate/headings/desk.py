"""Whose headings are to be marked, by whom, and how far they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import combinations
from threading import Lock
from typing import TYPE_CHECKING

from dbce.annotate.content.sample import rows_of
from dbce.annotate.headings.agreement import heading_agreement
from dbce.annotate.headings.sheet import read_heading_sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dbce.annotate.headings.agreement import HeadingAgreement
    from dbce.annotate.headings.book import HeadingBook
    from dbce.annotate.headings.outline import Outline
    from dbce.annotate.headings.sheet import HeadingSheet
    from dbce.view.run import Run
    from dbce.view.tables import Row

KEPT = 64
"""Sheets that are kept in memory."""


@dataclass(frozen=True, slots=True)
class HeadingTask:
    """A capture, and what somebody says of it."""

    page: Row
    outline: Outline | None

    @property
    def is_done(self) -> bool:
        """Whether it is in the gold."""
        return self.outline is not None and bool(self.outline.body)


class HeadingDesk:
    """A run with its rendered pages, the heading gold that is made of it, and what is asked for."""

    def __init__(self, run: Run, book: HeadingBook, asked: Sequence[Row]) -> None:
        self.run = run
        self.book = book
        self._asked = asked
        self._turn = Lock()
        self.sheet = lru_cache(KEPT)(self._read)

    def outline(self, by: str, record_id: str) -> Outline:
        """What somebody says of a page, or that nothing is said."""
        return self.book.outline(by, record_id) or self.sheet(record_id).blank(by)

    def say(self, by: str, record_id: str, change: Callable[[Outline], Outline]) -> Outline:
        """Notes what somebody says of a page after a change; its headings in document order."""
        with self._turn:
            said = change(self.outline(by, record_id))
            now = datetime.now(UTC).isoformat(timespec="seconds")
            said = replace(said, at=now, headings=self.sheet(record_id).ordered(said.headings))
            self.book.say(said)
            return said

    def tasks(self, by: str) -> list[HeadingTask]:
        """The captures that are asked for, then others that somebody has begun."""
        begun = self.book.people().get(by, ())
        asked = {row["record_id"] for row in self._asked}
        more = rows_of(self.run, sorted(set(begun) - asked))
        return [
            HeadingTask(row, self.book.outline(by, row["record_id"]))
            for row in (*self._asked, *more)
        ]

    def next_after(self, by: str, record_id: str) -> str | None:
        """The next capture that somebody has not done; after the last the first."""
        tasks = self.tasks(by)
        ids = [task.page["record_id"] for task in tasks]
        first = ids.index(record_id) + 1 if record_id in ids else 0
        left = (t.page["record_id"] for t in (*tasks[first:], *tasks[:first]) if not t.is_done)
        return next(left, None)

    def agreements(self) -> list[HeadingAgreement]:
        """How far each two people agree on the pages of this run that both have done."""
        said = self.book.outlines()
        here = {row["record_id"] for row in rows_of(self.run, [one.record_id for one in said])}
        outlines: dict[str, dict[str, Outline]] = {}
        for outline in said:
            if outline.record_id in here:  # and not gold of another run's captures
                outlines.setdefault(outline.by, {})[outline.record_id] = outline
        found = []
        for (one, ours), (other, theirs) in combinations(outlines.items(), 2):
            pairs = [(ours[each], theirs[each]) for each in ours if each in theirs]
            if pairs:
                found.append(heading_agreement(one, other, pairs, self._parts))
        return found

    def _parts(self, outline: Outline) -> list[int | str]:
        sheet = self.sheet(outline.record_id)
        inside = sheet.inside(outline.body)
        return [item.part for item, within in zip(sheet.items, inside, strict=True) if within]

    def _read(self, record_id: str) -> HeadingSheet:
        return read_heading_sheet(self.run, self.run.page(record_id))
