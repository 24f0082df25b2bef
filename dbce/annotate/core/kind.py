"""A kind of gold: the values that the events of its journal lead to, and how its file is read and written."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from dbce.annotate.core.journal import COMMAND, Event
from dbce.model import UsageError
from dbce.storage import json_objects

if TYPE_CHECKING:
    Said = dict["Key", frozenset[Hashable]]

Key = tuple[str, ...]
"""A part of the gold that is written together: of a page (its record id), or of a person (name, record id)."""

Line = dict[str, Any]
"""A line of gold, as an object."""

NO_EVENT = (ValueError, LookupError, TypeError, AttributeError)
"""Errors that a history raises of an event, and a kind of gold of a line, that is none."""


class History(Protocol):
    """Values of one kind of gold, after some events."""

    def add(self, event: Event) -> Key:
        """Take an event in; return the key of the gold that it may change.

        Raises:
            ValueError, LookupError, TypeError, AttributeError: it is none.
        """

    def people(self) -> dict[str, list[str]]:
        """Return the record ids of the pages that each person has spoken of, by name."""

    def lines(self, key: Key) -> Sequence[Line]:
        """Return the lines of gold with a key; there may be none."""


Value = TypeVar("Value")


class Retractable(Generic[Value]):
    """Values by key, each with the number of its event, counted from 0; by that number it is taken back."""

    def __init__(self) -> None:
        self._count = 0
        self._keys: dict[int, Key] = {}
        self._values: dict[Key, dict[int, Value]] = {}

    def __iter__(self) -> Iterator[Key]:
        """Yield all keys that ever had a value, the first first."""
        return iter(self._values)

    def add(self, key: Key, value: Value) -> None:
        """Take a value in, as the next event."""
        self._keys[self._count] = key
        self._values.setdefault(key, {})[self._count] = value
        self._count += 1

    def take_back(self, number: int) -> Key:
        """Drop a value, as the next event; return the key that it had.

        Raises:
            KeyError: there is none of that number.
        """
        key = self._keys.pop(number)
        del self._values[key][number]
        self._count += 1
        return key

    def values_of(self, key: Key) -> Mapping[int, Value]:
        """Return the values of a key by number, the last last."""
        return self._values.get(key, {})


H = TypeVar("H", bound=History)


def _unchanged(line: Line, _: Line | None) -> Line:
    return line


@dataclass(frozen=True, slots=True)
class GoldKind(Generic[H]):
    """A kind of gold.

    `history` makes one of which nothing is said. `parse_line` takes a line of gold apart into its key and what
    it says, equal for lines that say the same; of what is no such line it raises one of NO_EVENT.
    `import_events` reads a gold file that has no journal as events. `complete` gives a line of the history what
    only a look at its page tells; its second argument is the line that the file had, None for none.
    """

    history: Callable[[], H]
    parse_line: Callable[[Line], tuple[Key, Hashable]]
    import_events: Callable[[Path], Sequence[Event]]
    complete: Callable[[Line, Line | None], Line] = _unchanged


def stored_lines(path: Path) -> list[tuple[int, Line]]:
    """Return the lines of a gold file with their numbers; none if it is not there.

    Raises:
        UsageError: it is no file of JSON lines.
    """
    there = path.exists() and path.stat().st_size > 0
    return list(json_objects(str(path))) if there else []


def values_in_file(kind: GoldKind[H], lines: Iterable[tuple[int, Line]], path: Path) -> Said:
    """Return what numbered lines of a file say, by key.

    Raises:
        UsageError: one of them is no such gold.
    """
    said: dict[Key, set[Hashable]] = {}
    for number, line in lines:
        try:
            key, of_line = kind.parse_line(line)
        except NO_EVENT as e:
            raise UsageError(f"{path}, line {number}: {e}") from e
        said.setdefault(key, set()).add(of_line)
    return {key: frozenset(of_key) for key, of_key in said.items()}


def replay(history: History, events: Iterable[Event], journal: Path) -> dict[Key, None]:
    """Take in the events of a journal; return the keys of its gold, in the order of the file.

    Raises:
        UsageError: one of them is none.
    """
    keys: dict[Key, None] = {}
    for number, event in enumerate(events, 1):
        try:
            keys[history.add(event)] = None
        except NO_EVENT as e:
            raise UsageError(f"{journal}, line {number}: not what {COMMAND} wrote ({e})") from e
    return keys


def matches_file(kind: GoldKind[H], history: H, keys: Iterable[Key], there: Said) -> bool:
    """Tell whether the gold of a history says what a file says."""
    said = {key: _key_values(kind, history, key) for key in keys}
    return {key: of_key for key, of_key in said.items() if of_key} == there


def has_matched(kind: GoldKind[H], events: Iterable[Event], there: Said) -> bool:
    """Tell whether the gold of the first of some events, however many, says what a file says.

    While one key differs all does, so only an event on that one is looked at. It is the last that differs:
    people go from page to page, so that the last page of a file is the last to be as the file has it.
    """
    history = kind.history()
    keys = dict.fromkeys(there)
    differs = next(reversed(keys), None)
    for event in events:
        key = history.add(event)
        keys[key] = None
        if key == differs:
            others = (
                k
                for k in reversed(keys)
                if _key_values(kind, history, k) != there.get(k, frozenset())
            )
            differs = next(others, None)
            if differs is None:
                return True
    return False


def is_lossless(kind: GoldKind[H], events: Iterable[Event], gold: Path) -> bool:
    """Tell whether events that were made of a gold file lead to the same gold."""
    history = kind.history()
    keys = dict.fromkeys(map(history.add, events))
    return matches_file(kind, history, keys, values_in_file(kind, stored_lines(gold), gold))


def _key_values(kind: GoldKind[H], history: H, key: Key) -> frozenset[Hashable]:
    return frozenset(kind.parse_line(line)[1] for line in history.lines(key))
