"""The values that the events of a journal lead to, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dbce.annotate.core.journal import Event

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

    def of(self, key: Key) -> Mapping[int, Value]:
        """Return the values of a key by number, the last last."""
        return self._values.get(key, {})
