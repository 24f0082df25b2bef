"""The desk on which texts are labelled: captures as they lie before people, and what is left of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING

from dbce.annotate.content.agreement import review
from dbce.annotate.content.sheet import marks, read_sheet
from dbce.annotate.core.queue import KEPT, TaskQueue, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.annotate.content.agreement import LabelReview
    from dbce.annotate.content.history import LabelHistory
    from dbce.annotate.content.sheet import LabelSheet
    from dbce.annotate.content.spans import Mark, Piece, Span
    from dbce.annotate.core.store import AnnotationStore
    from dbce.view.run import Run
    from dbce.view.tables import Row


@dataclass(frozen=True, slots=True)
class LabelTask:
    """A capture, the number of its text runs, and of those that somebody has not labelled."""

    page: Row
    runs: int
    left: int

    @property
    def record_id(self) -> str:
        """Record id of the capture."""
        return str(self.page["record_id"])

    @property
    def is_done(self) -> bool:
        """Tell whether all runs are labelled."""
        return not self.left


class LabelDesk:
    """A run, the gold that is made of it, and the captures that are asked for, in order."""

    def __init__(
        self, run: Run, store: AnnotationStore[LabelHistory], asked: Sequence[Row]
    ) -> None:
        self.run = run
        self.store = store
        self.queue = TaskQueue(store.people, asked, partial(rows_of, run), self._task)
        self.sheet = lru_cache(KEPT)(self._read)
        self._left: dict[tuple[str, str], int] = {}

    def marks(self, by: str, record_id: str) -> list[Span | None]:
        """Return for each text run of a capture what somebody says of it.

        Before anything is said, hidden runs have what the rule will say of them.
        """
        sheet = self.sheet(record_id)
        said = marks(sheet.runs, self._spans(by, record_id) or sheet.hidden_spans())
        self._left[by, record_id] = said.count(None)
        return said

    def label(self, by: str, sheet: LabelSheet, places: Sequence[int], mark: Mark) -> None:
        """Note what somebody says of runs of a capture; it is saved when this returns.

        Raises:
            StoreError: it cannot be saved.
        """
        new, hidden = sheet.spans(places, mark), sheet.hidden_spans()
        with self.store.turn() as history:
            self.store.note(
                *history.labelling(by, sheet.about, new, hidden=hidden, texts=sheet.texts)
            )

    def undo(self, by: str, record_id: str) -> Sequence[Span]:
        """Take back what somebody said last of a capture; return its spans, none if nothing is left."""
        with self.store.turn() as history:
            events, spans = history.taking_back(by, record_id)
            self.store.note(*events)
            return spans

    def settle(self, by: str, record_id: str, span: Span) -> None:
        """Note a reviewer's decision on a text, as `label`."""
        with self.store.turn() as history:
            self.store.note(history.settling(by, record_id, span))

    def review(self) -> LabelReview:
        """Return how far people agree."""
        with self.store.turn() as history:
            people = history.people()
            spoke = Counter(chain.from_iterable(people.values()))
            pieces = {each: history.pieces(each) for each, count in spoke.items() if count > 1}
        return review(people, pieces, self.run)

    def pieces(self, record_id: str) -> list[Piece]:
        """Return the text of a capture with what each person, and a reviewer, says of it."""
        with self.store.turn() as history:
            return history.pieces(record_id)

    def _read(self, record_id: str) -> LabelSheet:
        """Return a capture to be labelled.

        Raises:
            NotInRun: there is no such capture, or it cannot be labelled.
        """
        return read_sheet(self.run, self.run.page(record_id))

    def _spans(self, by: str, record_id: str) -> Sequence[Span]:
        with self.store.turn() as history:
            return history.spans(by, record_id)

    def _task(self, by: str, row: Row) -> LabelTask:
        runs = sum(row[f"runs_{label}"] for label in ("content", "boilerplate", "invalid"))
        spans = self._spans(by, row["record_id"])
        return LabelTask(row, runs, self._left_of(by, row["record_id"], spans) if spans else runs)

    def _left_of(self, by: str, record_id: str, spans: Sequence[Span]) -> int:
        """Return the number of runs of a capture that somebody has not labelled who has begun with it."""
        if (by, record_id) not in self._left:
            runs = self.run.runs(self.run.page(record_id))
            self._left[by, record_id] = marks(runs, spans).count(None)
        return self._left[by, record_id]
