"""Gold that people make: its journal, its kinds, and the file that follows from the journal.

Every event goes to FILE.journal first, synced to disk before it is reported as saved; then FILE is written anew from
the journal. A line of the journal is a JSON object; one that was cut short when the machine died is dropped: it was
never reported as saved. The journal alone counts: a file that lags behind it, since the machine died or the disk was
full, is written anew when it is opened. A file that never followed from the journal was changed by something else,
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

COMMAND = "dbce label"  # the command that writes journals, for messages

Event = dict[str, Any]


class Journal:
    """A journal locked by this process for appending, with its `events`; UsageError if it cannot be opened or locked."""

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
        """Append events, synced to disk; at a StoreError nothing is changed."""
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
            hint = f", or remove {e.filename} if none runs" if e.filename else ""
            raise UsageError(
                f"another {COMMAND} has {self.path} open; stop it{hint}, or name another file"
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
    """Return the events of a journal, and the bytes of its complete lines; UsageError if one is no event."""
    complete, newline, _ = data.rpartition(b"\n")
    events = []
    for number, line in enumerate(complete.split(b"\n") if newline else [], 1):
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            raise UsageError(f"{path}, line {number}: not what {COMMAND} wrote")
        events.append(event)
    return events, len(complete) + len(newline)


@contextmanager
def _file_lock(file: IO[Any], path: Path) -> Iterator[None]:
    """Hold the lock on an open journal; it is released with the process, however that ends."""
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


GoldValues = dict["Key", frozenset[Hashable]]

Key = tuple[str, ...]
"""Key of lines of gold that are written together: a page (record id), or a person's page (name, record id)."""

Line = dict[str, Any]  # a line of gold, as an object

NO_EVENT = (ValueError, LookupError, TypeError, AttributeError)
"""Errors that a history raises of an invalid event, and a kind of gold of an invalid line."""


class History(Protocol):
    """Values of one kind of gold, after some events."""

    def add(self, event: Event) -> Key:
        """Apply an event; return the key of the gold that it may change; one of NO_EVENT if it is invalid."""

    def people(self) -> dict[str, list[str]]: ...

    def lines(self, key: Key) -> Sequence[Line]: ...


Value = TypeVar("Value")


class Retractable(Generic[Value]):
    """Values by key, each with the number of its event, counted from 0, by which it can be taken back."""

    def __init__(self) -> None:
        self._count = 0
        self._keys: dict[int, Key] = {}
        self._values: dict[Key, dict[int, Value]] = {}

    def __iter__(self) -> Iterator[Key]:
        """Yield all keys that ever had a value, in order of their first."""
        return iter(self._values)

    def add(self, key: Key, value: Value) -> None:
        self._keys[self._count] = key
        self._values.setdefault(key, {})[self._count] = value
        self._count += 1

    def take_back(self, number: int) -> Key:
        """Drop a value, as the next event; return its key; KeyError if there is none."""
        key = self._keys.pop(number)
        del self._values[key][number]
        self._count += 1
        return key

    def values_of(self, key: Key) -> Mapping[int, Value]:
        """Return the values of a key by number, in order."""
        return self._values.get(key, {})


H = TypeVar("H", bound=History)


@dataclass(frozen=True, slots=True)
class GoldKind(Generic[H]):
    """A kind of gold.

    `history` makes an empty history. `parse_line` parses a line of gold into its key and its value, equal for
    lines that say the same; of an invalid line it raises one of NO_EVENT. `import_events` reads a gold file
    without a journal as events. `complete` adds to a line of the history the fields that need its page; its
    second argument is the line that the file had, None for none.
    """

    history: Callable[[], H]
    parse_line: Callable[[Line], tuple[Key, Hashable]]
    import_events: Callable[[Path], Sequence[Event]]
    complete: Callable[[Line, Line | None], Line] = lambda line, _: line


def stored_lines(path: Path) -> list[tuple[int, Line]]:
    """Return the numbered lines of a gold file; none if it does not exist."""
    has_lines = path.exists() and path.stat().st_size > 0
    return list(json_objects(str(path))) if has_lines else []


def values_in_file(kind: GoldKind[H], lines: Iterable[tuple[int, Line]], path: Path) -> GoldValues:
    """Return the values of numbered lines of a file, by key; UsageError if one is no such gold."""
    values: dict[Key, set[Hashable]] = {}
    for number, line in lines:
        try:
            key, value = kind.parse_line(line)
        except NO_EVENT as e:
            raise UsageError(f"{path}, line {number}: {e}") from e
        values.setdefault(key, set()).add(value)
    return {key: frozenset(key_values) for key, key_values in values.items()}


def replay(history: History, events: Iterable[Event], journal: Path) -> dict[Key, None]:
    """Apply the events of a journal; return the keys of its gold, in the order of the file."""
    keys: dict[Key, None] = {}
    for number, event in enumerate(events, 1):
        try:
            keys[history.add(event)] = None
        except NO_EVENT as e:
            raise UsageError(f"{journal}, line {number}: not what {COMMAND} wrote ({e})") from e
    return keys


def has_matched(kind: GoldKind[H], events: Iterable[Event], stored: GoldValues) -> bool:
    """Return whether the gold after some first events, however many, equals that of a file.

    While one key differs, the gold does, so only events on that key are checked. It is the last that differs:
    people go from page to page, so that the last page of a file is the last to match.
    """
    history = kind.history()
    keys = dict.fromkeys(stored)
    differs = next(reversed(keys), None)
    for event in events:
        key = history.add(event)
        keys[key] = None
        if key == differs:
            differing = (
                k
                for k in reversed(keys)
                if _key_values(kind, history, k) != stored.get(k, frozenset())
            )
            differs = next(differing, None)
            if differs is None:
                return True
    return False


def is_lossless(kind: GoldKind[H], events: Iterable[Event], gold: Path) -> bool:
    """Return whether events that were made of a gold file lead to the same gold."""
    history = kind.history()
    keys = dict.fromkeys(map(history.add, events))
    values = {key: key_values for key in keys if (key_values := _key_values(kind, history, key))}
    return values == values_in_file(kind, stored_lines(gold), gold)


def _key_values(kind: GoldKind[H], history: H, key: Key) -> frozenset[Hashable]:
    return frozenset(kind.parse_line(line)[1] for line in history.lines(key))


class AnnotationStore(Generic[H]):
    """A gold file open for additions by any number of threads; without a journal it is imported first.

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
        """Save valid events and apply them; at a StoreError they are nowhere, or in the journal."""
        if not events:
            return
        with self._turn:
            self._journal.append(*events)
            for key in {self._history.add(event): None for event in events}:
                self._lines[key] = self._encoded_lines(key, None)
            self._write()

    def _resume(self) -> None:
        """Read journal and file, and write the file anew, completed by its kind."""
        stored = stored_lines(self.path)
        filed = values_in_file(self._kind, stored, self.path)
        is_new = not self._journal.events
        if stored and is_new:
            self._journal.append(*self._kind.import_events(self.path))
        keys = replay(self._history, self._journal.events, self._journal.path)
        if filed and not is_new and not has_matched(self._kind, self._journal.events, filed):
            raise UsageError(
                f"{self.path} is not what {self._journal.path.name} says: something else changed it. "
                "Move the journal away to keep the file, or the file to keep the journal"
            )
        old_lines = {self._kind.parse_line(line)[0]: line for _, line in stored}
        self._lines = {key: self._encoded_lines(key, old_lines.get(key)) for key in keys}
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
    """Return the path of a gold file, links resolved; UsageError if it cannot be written there."""
    if path.suffix == ".gz":
        raise UsageError(f"{path} would be compressed; name a file without .gz")
    real = Path(os.path.realpath(path))
    if real.is_dir() or not real.parent.is_dir():
        raise UsageError(f"cannot write {path}; name a file in an existing folder")
    return real


def journal_path(gold: Path) -> Path:
    return gold.with_name(f"{gold.name}.journal")


def journal_beside(gold: Path, history: H) -> H | None:
    """Return a history after the events of the journal beside a gold file, perhaps a copy; None without a journal."""
    journal = journal_path(gold)
    if not journal.exists():
        return None
    events, _ = events_of(journal.read_bytes(), journal)
    replay(history, events, journal)
    return history
