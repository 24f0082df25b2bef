"""The desk on which headings are marked: pages as they lie before people, and how far each person is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from dbce.annotate.core.agreement import of_both
from dbce.annotate.core.queue import KEPT, TaskQueue, rows_of
from dbce.visual.annotate.headings.agreement import heading_agreement
from dbce.visual.annotate.headings.outline import line_of
from dbce.visual.annotate.headings.sheet import read_heading_sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dbce.annotate.core.store import AnnotationStore
    from dbce.view.run import Run
    from dbce.view.tables import Row
    from dbce.visual.annotate.headings.agreement import HeadingAgreement
    from dbce.visual.annotate.headings.history import OutlineHistory
    from dbce.visual.annotate.headings.outline import Outline
    from dbce.visual.annotate.headings.sheet import HeadingSheet


@dataclass(frozen=True, slots=True)
class HeadingTask:
    """A capture, and what somebody says of it."""

    page: Row
    outline: Outline | None

    @property
    def record_id(self) -> str:
        """Record id of the capture."""
        return str(self.page["record_id"])

    @property
    def is_done(self) -> bool:
        """Tell whether it is in the gold."""
        return self.outline is not None and bool(self.outline.body)


class HeadingDesk:
    """A run with its rendered pages, the heading gold that is made of it, and what is asked for."""

    def __init__(
        self, run: Run, store: AnnotationStore[OutlineHistory], asked: Sequence[Row]
    ) -> None:
        self.run = run
        self.store = store
        self.queue = TaskQueue(store.people, asked, partial(rows_of, run), self._task)
        self.sheet = lru_cache(KEPT)(self._read)

    def outline(self, by: str, record_id: str) -> Outline:
        """Return what somebody says of a page, or that nothing is said."""
        return self._last(by, record_id) or self.sheet(record_id).blank(by)

    def say(self, by: str, record_id: str, change: Callable[[Outline], Outline]) -> Outline:
        """Note what somebody says of a page after a change; return it, headings in document order.

        Raises:
            StoreError: it cannot be saved.
        """
        sheet = self.sheet(record_id)
        with self.store.turn():
            said = change(self.outline(by, record_id))
            now = datetime.now(UTC).isoformat(timespec="seconds")
            said = replace(said, at=now, headings=sheet.ordered(said.headings))
            self.store.note(line_of(said))
            return said

    def undo(self, by: str, record_id: str) -> bool:
        """Take back what somebody said last of a page; return whether there was anything to take back."""
        with self.store.turn() as history:
            events = history.taking_back(by, record_id)
            self.store.note(*events)
            return bool(events)

    def agreements(self) -> list[HeadingAgreement]:
        """Return how far each two people agree on the pages of this run that both have done."""
        with self.store.turn() as history:
            gold = history.gold()
        here = {row["record_id"] for row in rows_of(self.run, [each.record_id for each in gold])}
        outlines: dict[str, dict[str, Outline]] = {}
        for outline in gold:
            if outline.record_id in here:  # and not gold of another run's captures
                outlines.setdefault(outline.by, {})[outline.record_id] = outline
        return [
            heading_agreement(one, other, both.values(), self._parts)
            for one, other, both in of_both(outlines)
        ]

    def _last(self, by: str, record_id: str) -> Outline | None:
        with self.store.turn() as history:
            return history.last(by, record_id)

    def _task(self, by: str, row: Row) -> HeadingTask:
        return HeadingTask(row, self._last(by, row["record_id"]))

    def _parts(self, outline: Outline) -> list[int | str]:
        sheet = self.sheet(outline.record_id)
        inside = sheet.inside(outline.body)
        return [item.part for item, within in zip(sheet.items, inside, strict=True) if within]

    def _read(self, record_id: str) -> HeadingSheet:
        return read_heading_sheet(self.run, self.run.page(record_id))
