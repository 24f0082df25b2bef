"""Who said what of the headings of which page, as a journal's events tell; and the gold that comes of it.

An event is a line of gold as it was when it was said. Or it takes an earlier event back: `undo` is the
number of that, from 0. The gold has what each person said last of each page whose body is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.annotate.headings.gold import outline_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dbce.annotate.core.journal import Event
    from dbce.annotate.headings.outline import Outline


class Sayings:
    """What the events say in which order they come.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: an event is none.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._count = 0
        self._keys: dict[int, tuple[str, str]] = {}
        self._said: dict[tuple[str, str], dict[int, Outline]] = {}
        for event in events:
            self.add(event)

    def add(self, event: Event) -> None:
        """Takes an event in."""
        if "undo" in event:
            key = self._keys.pop(event["undo"])
            del self._said[key][event["undo"]]
        else:
            outline = outline_of(event)
            key = self._keys[self._count] = (outline.by, outline.record_id)
            self._said.setdefault(key, {})[self._count] = outline
        self._count += 1

    def last(self, by: str, record_id: str) -> tuple[int, Outline] | None:
        """What somebody said last of a page, and has not taken back, with the number of the event."""
        said = self._said.get((by, record_id))
        return list(said.items())[-1] if said else None

    def people(self) -> dict[str, list[str]]:
        """The record ids of what each person has spoken of, by name."""
        found: dict[str, list[str]] = {}
        for by, record_id in self._said:
            if self.last(by, record_id):
                found.setdefault(by, []).append(record_id)
        return found

    def gold(self) -> list[Outline]:
        """What each person says of each page whose body is said."""
        last = (self.last(*key) for key in self._said)
        return [outline for _, outline in filter(None, last) if outline.body]
