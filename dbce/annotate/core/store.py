"""Gold that people make: a file that follows from the journal beside it, whatever kind of gold it is.

Whatever is said goes to FILE.journal first, then FILE is written anew from it. The journal alone counts:
a file that lags behind it, since the machine died or the disk was full, is written anew when it is opened.
A file that says what the journal never said was changed by something else, and is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Generic, TypeVar

from dbce.annotate.core.journal import Event, Journal, events_of
from dbce.annotate.core.kind import (
    History,
    has_matched,
    matches_file,
    replay,
    stored_lines,
    values_in_file,
)
from dbce.model import StoreError, UsageError

if TYPE_CHECKING:
    from dbce.annotate.core.kind import GoldKind, Key, Line, Said

H = TypeVar("H", bound=History)


class AnnotationStore(Generic[H]):
    """A gold file that is open to be added to, by as many threads as like.

    Gold that is there without a journal is taken over first.

    Raises:
        UsageError: the file is no gold of its kind, was changed by something else, cannot be written, or
            is open elsewhere; or its journal is none.
    """

    def __init__(self, path: Path, kind: GoldKind[H]) -> None:
        self.path = gold_path(path)
        self._kind = kind
        self._turn = RLock()
        self._journal = Journal(journal_path(self.path))
        self._history = kind.history()
        self._lines: dict[Key, bytes] = {}
        try:
            self._resume()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let others open the file."""
        self._journal.close()

    @contextmanager
    def turn(self) -> Iterator[H]:
        """Give the history, which no other thread changes while the block lasts."""
        with self._turn:
            yield self._history

    def people(self) -> dict[str, list[str]]:
        """Return the record ids of the pages that each person has spoken of, by name."""
        with self._turn:
            return self._history.people()

    def note(self, *events: Event) -> None:
        """Take in events that the history allows; they are saved when this returns.

        Raises:
            StoreError: they cannot be saved, and nothing has changed; or they are in the journal, and the
                gold file cannot be written.
        """
        if not events:
            return
        with self._turn:
            self._journal.append(*events)
            for key in {self._history.add(event): None for event in events}:
                self._lines[key] = self._encoded_lines(key, None)
            write_gold(self.path, self._lines.values(), self._journal.path)

    def _resume(self) -> None:
        """Take in what journal and file say, and write the file anew.

        What is taken over need not come back as it was: a kind of gold completes it, or refuses.
        """
        stored = stored_lines(self.path)
        there = values_in_file(self._kind, stored, self.path)
        is_new = not self._journal.events
        if stored and is_new:
            self._journal.append(*self._kind.import_events(self.path))
        keys = replay(self._history, self._journal.events, self._journal.path)
        if there and not is_new and not self._has_said(there, keys):
            raise UsageError(
                f"{self.path} is not what {self._journal.path.name} says: something else changed it. "
                "Move the journal away to keep the file, or the file to keep the journal"
            )
        known = {self._kind.parse_line(line)[0]: line for _, line in stored}
        self._lines = {key: self._encoded_lines(key, known.get(key)) for key in keys}
        if keys:
            write_gold(self.path, self._lines.values(), self._journal.path)

    def _has_said(self, there: Said, keys: Iterable[Key]) -> bool:
        """Tell whether the gold of the journal is what a file says, or was once."""
        return matches_file(self._kind, self._history, keys, there) or has_matched(
            self._kind, self._journal.events, there
        )

    def _encoded_lines(self, key: Key, stored: Line | None) -> bytes:
        """Return the lines of a key as the file has them."""
        lines = (self._kind.complete(line, stored) for line in self._history.lines(key))
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def gold_path(path: Path) -> Path:
    """Return where a gold file is, links followed.

    Raises:
        UsageError: none can be written there.
    """
    if path.suffix == ".gz":
        raise UsageError(f"{path} would be compressed; name a file without .gz")
    real = Path(os.path.realpath(path))
    if real.is_dir() or not real.parent.is_dir():
        raise UsageError(f"cannot write {path}; name a file in an existing folder")
    return real


def journal_path(gold: Path) -> Path:
    """Return where the journal of a gold file is."""
    return gold.with_name(f"{gold.name}.journal")


def journal_beside(gold: Path, history: H) -> H | None:
    """Return a history with what the journal beside a gold file says; None if it has none.

    Nothing is locked: it may be that of another, copied.

    Raises:
        UsageError: the journal is none.
    """
    journal = journal_path(gold)
    if not journal.exists():
        return None
    events, _ = events_of(journal.read_bytes(), journal)
    replay(history, events, journal)
    return history


def write_gold(path: Path, lines: Iterable[bytes], journal: Path) -> None:
    """Write a gold file, whole or not at all.

    Raises:
        StoreError: it cannot be written; the sentence says that what was said is in the journal.
    """
    draft = path.with_name(f".{path.name}.draft")
    try:
        with draft.open("wb") as stream:
            stream.writelines(lines)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except OSError as e:
        with suppress(OSError):
            draft.unlink()
        raise StoreError(
            f"the label is in {journal}, but {path} cannot be written: {e.strerror}"
        ) from e
