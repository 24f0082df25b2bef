"""Everything that people said of headings, as a journal's events tell, and the gold that comes of it.

An event is a line of gold as it was when it was said. Or it takes an earlier event back: `undo` is the
number of that, from 0. The gold has what each person said last of each page whose body is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.annotate.core.history import Retractable
from dbce.annotate.core.kind import GoldKind, comes_back
from dbce.model import UsageError
from dbce.visual.annotate.headings.outline import Outline, line_of, outline_of, read_outlines

if TYPE_CHECKING:
    from pathlib import Path

    from dbce.annotate.core.history import Key, Line
    from dbce.annotate.core.journal import Event


class OutlineHistory:
    """All that was said of headings, after some events."""

    def __init__(self) -> None:
        self._said = Retractable[Outline]()

    def add(self, event: Event) -> Key:
        """Take an event in; return the person and the record id of the page that it is about.

        Raises:
            ValueError, LookupError, TypeError, AttributeError: it is none.
        """
        if "undo" in event:
            return self._said.take_back(event["undo"])
        outline = outline_of(event)
        key = (outline.by, outline.record_id)
        self._said.add(key, outline)
        return key

    def last(self, by: str, record_id: str) -> Outline | None:
        """Return what somebody said last of a page, and has not taken back."""
        said = self._said.of((by, record_id))
        return said[max(said)] if said else None

    def people(self) -> dict[str, list[str]]:
        """Return the record ids of what each person has spoken of, by name."""
        people: dict[str, list[str]] = {}
        for by, record_id in self._said:
            if self.last(by, record_id):
                people.setdefault(by, []).append(record_id)
        return people

    def gold(self) -> list[Outline]:
        """Return what each person says of each page whose body is said."""
        last = (self.last(*key) for key in self._said)
        return [outline for outline in last if outline and outline.body]

    def lines(self, key: Key) -> list[Line]:
        """Return the line of gold of a person and a page, if there is one."""
        said = self._said.of(key)
        outline = said[max(said)] if said else None
        return [line_of(outline)] if outline and outline.body else []

    def taking_back(self, by: str, record_id: str) -> list[Event]:
        """Return the event that takes back what somebody said last of a page, if anything."""
        said = self._said.of((by, record_id))
        return [{"undo": max(said)}] if said else []


def said_in(line: Line) -> tuple[Key, Outline]:
    """Return the person and the record id of a line, and all that it says.

    Raises:
        ValueError: it is no heading gold.
    """
    outline = outline_of(line)
    return (outline.by, outline.record_id), outline


def taken_over(path: Path) -> list[Event]:
    """Return heading gold as events, one for each line.

    Raises:
        UsageError: it is none, or its lines do not go together.
    """
    events = [line_of(outline) for outline in read_outlines(path)]
    if not comes_back(HEADING_GOLD, events, path):
        raise UsageError(
            f"{path} has two lines of one person and page, or one without a content body; name another "
            "file, or mend it"
        )
    return events


HEADING_GOLD = GoldKind(OutlineHistory, said_in, taken_over)
