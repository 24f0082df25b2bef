"""Values that wait for their turn outside memory: sketches for their block's, what is found of them for their file's."""

from __future__ import annotations

import os
import pickle
from tempfile import SpooledTemporaryFile, gettempdir
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from dbce.model import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

Value = TypeVar("Value")

IN_MEMORY = 64_000_000
"""Bytes that are kept in memory; with more, all of them go to a temporary file, which has no name."""


class Shelf(Generic[Value]):
    """Values put aside and taken again by what `put` gives: 8 bytes of memory each, once they are many.

    Where a value lies says nothing to others: a shelf is of one process, and closed at its end.
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed as the shelf is
        self._end = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def put(self, value: Value) -> int:
        """Put a value aside; the place that it is taken from.

        Raises:
            StoreError: the disk for temporary files is full.
        """
        at = self._end
        try:
            self._file.seek(at)
            self._file.write(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
            self._end = self._file.tell()
        except OSError as e:
            raise StoreError(
                f"{gettempdir()} cannot be written: {os.strerror(e.errno or 0)}; TMPDIR names another "
                "folder for temporary files; finished work is kept: continue with --resume"
            ) from e
        return at

    def take(self, at: int) -> Value:
        """Return the value that was put there; it stays."""
        self._file.seek(at)
        value: Value = pickle.load(self._file)  # noqa: S301 - written by this process alone
        return value


class Shelved(Generic[Value]):
    """Values on a shelf, in an order of their own; they travel to other processes as a list."""

    def __init__(self, shelf: Shelf[Value], places: list[int]) -> None:
        self._shelf = shelf
        self._places = places

    def __iter__(self) -> Iterator[Value]:
        return map(self._shelf.take, self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __reduce__(self) -> tuple[type[list[Value]], tuple[list[Value]]]:
        return list, (list(self),)
