"""The file of heading gold that people work on, and its journal beside it.

They belong together as those of content do (`dbce.annotate.content.book`): whatever is said goes to
FILE.journal first, then FILE is written anew from it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from dbce.annotate.core.file import GoldFile
from dbce.annotate.headings.gold import WRONG, line_of, read_heading_gold
from dbce.annotate.headings.sayings import Sayings
from dbce.model import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from dbce.annotate.core.journal import Event
    from dbce.annotate.headings.outline import Outline


class HeadingBook(GoldFile):
    """A file of heading gold that is open to be added to, by as many threads as like.

    Gold that is there without a journal is taken over first.

    Raises:
        UsageError: the file is no heading gold, was changed by something else, cannot be written, or is
            open elsewhere.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, "dbce label")

    def _open(self) -> None:
        self._said = self._replayed()
        if self._journal.events:
            self._write()

    def outline(self, by: str, record_id: str) -> Outline | None:
        """What somebody says of a page, if anything."""
        with self._turn:
            last = self._said.last(by, record_id)
            return last[1] if last else None

    def outlines(self) -> list[Outline]:
        """The gold: what each person says of each page whose body is said."""
        with self._turn:
            return self._said.gold()

    def people(self) -> dict[str, list[str]]:
        """The record ids of what each person has spoken of, by name."""
        with self._turn:
            return self._said.people()

    def say(self, outline: Outline) -> None:
        """Notes what somebody says of a page now; it is saved when this returns.

        Raises:
            StoreError: it cannot be saved, and is not there.
        """
        with self._turn:
            self._note(line_of(outline))

    def undo(self, by: str, record_id: str) -> bool:
        """Takes back what somebody said last of a page; whether there was anything to take back."""
        with self._turn:
            last = self._said.last(by, record_id)
            if last:
                self._note({"undo": last[0]})
            return last is not None

    def _note(self, event: Event) -> None:
        self._journal.append(event)
        self._said.add(event)
        self._write()

    def _write(self) -> None:
        lines = (json.dumps(line_of(one), ensure_ascii=False) for one in self._said.gold())
        self._put(f"{line}\n".encode() for line in lines)

    def _replayed(self) -> Sayings:
        """What the journal says, after taking over gold that has none."""
        there = read_heading_gold(self.path) if self.path.exists() else []
        if not self._journal.events:
            self._journal.append(*map(line_of, there))
        events = self._journal.events
        try:
            said = Sayings(events)
        except WRONG as e:
            raise UsageError(f"{self._journal.path} is not what dbce label wrote: {e!r}") from e
        if there and not _is_gold_of(events, there):
            raise self._changed_elsewhere()
        return said


def _is_gold_of(events: Sequence[Event], there: Sequence[Outline]) -> bool:
    """Whether a file holds the gold of the events, or of all but the last.

    That one may have come to the journal only, before the machine died.
    """
    return any(Sayings(some).gold() == there for some in (events, events[:-1]))
