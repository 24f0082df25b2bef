"""Gold that people make: its journal, its kinds, and the file that follows from the journal.

Whatever is said goes to FILE.journal first, on the disk before anybody is told that it is saved; then FILE is written
anew from it. A line of the journal is a JSON object; one that was cut short when the machine died is dropped: nobody
was told that it was saved. The journal alone counts: a file that lags behind it, since the machine died or the disk was
full, is written anew when it is opened. A file that says what the journal never said was changed by something else,
and is refused.
"""

import json
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import IO, Any, Generic, Protocol, TypeVar

from dbce.model import StoreError, UsageError
from dbce.storage import json_objects, write_file

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]

COMMAND = "dbce label"  # the command that writes journals, as sentences name it

Event = dict[str, Any]


class Journal:
    """A journal that this process alone appends to; `events` are those that it holds; UsageError if that cannot be."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with ExitStack() as stack:
            try:
                self._file = stack.enter_context(path.open("a+b", buffering=0))
            except OSError as e:
                raise UsageError(
                    f"cannot write {path}: {e.strerror}; name a file in an existing folder"
                ) from e
            self._lock(stack)
            self._file.seek(0)
            self.events, self._end = events_of(self._file.read(), path)
            self._held = stack.pop_all()

    def append(self, *events: Event) -> None:
        """Add events; when this returns, they outlive the machine; at a StoreError nothing is changed."""
        lines = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events).encode()
        try:
            self._write(lines)
        except OSError as e:
            self._file.truncate(self._end)
            raise StoreError(
                f"cannot save to {self.path}: {e.strerror}; nothing was changed"
            ) from e
        self._end += len(lines)
        self.events.extend(events)

    def close(self) -> None:
        self._held.close()

    def _lock(self, stack: ExitStack) -> None:
        try:
            stack.enter_context(_file_lock(self._file, self.path))
        except (BlockingIOError, FileExistsError) as e:
            over = f", or remove {e.filename} if none runs" if e.filename else ""
            raise UsageError(
                f"another {COMMAND} has {self.path} open; stop it{over}, or name another file"
            ) from e
        except OSError as e:
            raise UsageError(
                f"cannot lock {self.path}: {e.strerror}; name a file on another disk"
            ) from e

    def _write(self, lines: bytes) -> None:
        self._file.truncate(self._end)
        written = 0
        while written < len(lines):
            written += self._file.write(lines[written:])
        os.fsync(self._file.fileno())


def events_of(data: bytes, path: Path) -> tuple[list[Event], int]:
    """Return the events of a journal, and the number of bytes that hold them whole; UsageError if it is none."""
    whole, newline, _ = data.rpartition(b"\n")
    events = []
    for number, line in enumerate(whole.split(b"\n") if newline else [], 1):
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            raise UsageError(f"{path}, line {number}: not what {COMMAND} wrote")
        events.append(event)
    return events, len(whole) + len(newline)


@contextmanager
def _file_lock(file: IO[Any], path: Path) -> Iterator[None]:
    """Hold the lock on an open journal while the block lasts; it goes with the process, however that ends."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield  # closing the file gives it back
        return
    lock = Path(f"{path}.lock")
    # Windows removes such a file with the process that has it open.
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_TEMPORARY", 0)
    handle = os.open(lock, flags)
    try:
        yield
    finally:
        os.close(handle)
        lock.unlink(missing_ok=True)


Said = dict["Key", frozenset[Hashable]]

Key = tuple[str, ...]
"""A part of the gold that is written together: of a page (its record id), or of a person (name, record id)."""

Line = dict[str, Any]  # a line of gold, as an object

NO_EVENT = (ValueError, LookupError, TypeError, AttributeError)
"""Errors that a history raises of an event, and a kind of gold of a line, that is none."""


class History(Protocol):
    """Values of one kind of gold, after some events."""

    def add(self, event: Event) -> Key:
        """Take an event in; return the key of the gold that it may change; one of NO_EVENT if it is none."""

    def people(self) -> dict[str, list[str]]: ...

    def lines(self, key: Key) -> Sequence[Line]: ...


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
        self._keys[self._count] = key
        self._values.setdefault(key, {})[self._count] = value
        self._count += 1

    def take_back(self, number: int) -> Key:
        """Drop a value, as the next event; return the key that it had; KeyError if there is none."""
        key = self._keys.pop(number)
        del self._values[key][number]
        self._count += 1
        return key

    def values_of(self, key: Key) -> Mapping[int, Value]:
        """Return the values of a key by number, the last last."""
        return self._values.get(key, {})


H = TypeVar("H", bound=History)


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
    complete: Callable[[Line, Line | None], Line] = lambda line, _: line


def stored_lines(path: Path) -> list[tuple[int, Line]]:
    """Return the lines of a gold file with their numbers; none if it is not there."""
    there = path.exists() and path.stat().st_size > 0
    return list(json_objects(str(path))) if there else []


def values_in_file(kind: GoldKind[H], lines: Iterable[tuple[int, Line]], path: Path) -> Said:
    """Return what numbered lines of a file say, by key; UsageError if one is no such gold."""
    said: dict[Key, set[Hashable]] = {}
    for number, line in lines:
        try:
            key, of_line = kind.parse_line(line)
        except NO_EVENT as e:
            raise UsageError(f"{path}, line {number}: {e}") from e
        said.setdefault(key, set()).add(of_line)
    return {key: frozenset(of_key) for key, of_key in said.items()}


def replay(history: History, events: Iterable[Event], journal: Path) -> dict[Key, None]:
    """Take in the events of a journal; return the keys of its gold, in the order of the file."""
    keys: dict[Key, None] = {}
    for number, event in enumerate(events, 1):
        try:
            keys[history.add(event)] = None
        except NO_EVENT as e:
            raise UsageError(f"{journal}, line {number}: not what {COMMAND} wrote ({e})") from e
    return keys


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
    said = {key: of_key for key in keys if (of_key := _key_values(kind, history, key))}
    return said == values_in_file(kind, stored_lines(gold), gold)


def _key_values(kind: GoldKind[H], history: H, key: Key) -> frozenset[Hashable]:
    return frozenset(kind.parse_line(line)[1] for line in history.lines(key))


class AnnotationStore(Generic[H]):
    """A gold file that is open to be added to, by as many threads as like; without a journal it is taken over first.

    UsageError: the file is no gold of its kind, was changed by something else, cannot be written, or is open elsewhere.
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
        self._journal.close()

    @contextmanager
    def turn(self) -> Iterator[H]:
        with self._turn:
            yield self._history

    def people(self) -> dict[str, list[str]]:
        with self._turn:
            return self._history.people()

    def note(self, *events: Event) -> None:
        """Take in events that the history allows; saved when this returns; at a StoreError they are nowhere, or in the journal."""
        if not events:
            return
        with self._turn:
            self._journal.append(*events)
            for key in {self._history.add(event): None for event in events}:
                self._lines[key] = self._encoded_lines(key, None)
            self._write()

    def _resume(self) -> None:
        """Take in what journal and file say, and write the file anew, as its kind completes it."""
        stored = stored_lines(self.path)
        there = values_in_file(self._kind, stored, self.path)
        is_new = not self._journal.events
        if stored and is_new:
            self._journal.append(*self._kind.import_events(self.path))
        keys = replay(self._history, self._journal.events, self._journal.path)
        if there and not is_new and not has_matched(self._kind, self._journal.events, there):
            raise UsageError(
                f"{self.path} is not what {self._journal.path.name} says: something else changed it. "
                "Move the journal away to keep the file, or the file to keep the journal"
            )
        known = {self._kind.parse_line(line)[0]: line for _, line in stored}
        self._lines = {key: self._encoded_lines(key, known.get(key)) for key in keys}
        if keys:
            self._write()

    def _write(self) -> None:
        try:
            write_file(str(self.path.absolute()), b"".join(self._lines.values()))
        except (StoreError, UsageError) as e:
            raise StoreError(f"the label is in {self._journal.path}, but {e}") from e

    def _encoded_lines(self, key: Key, stored: Line | None) -> bytes:
        lines = (self._kind.complete(line, stored) for line in self._history.lines(key))
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def gold_path(path: Path) -> Path:
    """Return where a gold file is, links followed; UsageError if none can be written there."""
    if path.suffix == ".gz":
        raise UsageError(f"{path} would be compressed; name a file without .gz")
    real = Path(os.path.realpath(path))
    if real.is_dir() or not real.parent.is_dir():
        raise UsageError(f"cannot write {path}; name a file in an existing folder")
    return real


def journal_path(gold: Path) -> Path:
    return gold.with_name(f"{gold.name}.journal")


def journal_beside(gold: Path, history: H) -> H | None:
    """Return a history with what the journal beside a gold file, perhaps a copy, says; None if it has none."""
    journal = journal_path(gold)
    if not journal.exists():
        return None
    events, _ = events_of(journal.read_bytes(), journal)
    replay(history, events, journal)
    return history
