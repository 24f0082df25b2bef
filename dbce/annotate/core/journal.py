"""Everything that was ever said, line by line: on the disk before anybody is told that it is saved.

A line is a JSON object. One that was cut short when the machine died is dropped: nobody was told
that it was saved.
"""

from __future__ import annotations

import json
import os
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from dbce.model import StoreError, UsageError

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = "dbce label"
"""The command that writes journals, as sentences name it."""

Event = dict[str, Any]


class Journal:
    """A journal that this process alone appends to; `events` are those that it holds.

    Raises:
        UsageError: another process has it open, it cannot be written, or is no journal.
    """

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
        """Add events; when this returns, they outlive the machine.

        Raises:
            StoreError: they cannot be stored; then it is as if that had not been tried.
        """
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
        """Let others have it."""
        self._held.close()

    def _lock(self, stack: ExitStack) -> None:
        try:
            stack.enter_context(file_lock(self._file))
        except LockedError as e:
            over = f", or remove {e.remains} if none runs" if e.remains else ""
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
    """Return the events of a journal, and the number of bytes that hold them whole.

    Raises:
        UsageError: it is no journal.
    """
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


class LockedError(Exception):
    """A lock that another process has; `remains` is a file that it leaves behind if it is killed, if any."""

    def __init__(self, remains: Path | None = None) -> None:
        super().__init__(remains)
        self.remains = remains


@contextmanager
def file_lock(file: IO[Any]) -> Iterator[None]:
    """Hold the lock on an open file while the block lasts; it goes with the process, however that ends.

    Raises:
        LockedError: another process has it.
        OSError: there is no locking here.
    """
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as e:
            raise LockedError from e
        yield  # closing the file gives it back
        return
    path = Path(f"{file.name}.lock")
    # Windows removes such a file with the process that has it open.
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_TEMPORARY", 0)
    try:
        handle = os.open(path, flags)
    except FileExistsError as e:
        raise LockedError(path) from e
    try:
        yield
    finally:
        os.close(handle)
        path.unlink(missing_ok=True)
