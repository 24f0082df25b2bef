"""Everything that was ever said, line by line: on the disk before anybody is told that it is saved.

A line is a JSON object. One that was cut short when the machine died is dropped: nobody was told
that it was saved.
"""

from __future__ import annotations

import fcntl
import json
import os
from typing import TYPE_CHECKING, Any

from dbce.errors import StoreError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

Event = dict[str, Any]


class Journal:
    """A journal that this process alone appends to; `events` are those that it holds.

    Raises:
        UsageError: another process has it open, it cannot be written, or is no journal.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as e:
            raise UsageError(
                f"cannot write {path}: {e.strerror}; name a file in a folder that is there"
            ) from e
        try:
            self._lock()
            self.events, self._end = self._read()
        except BaseException:
            os.close(self._file)
            raise

    def append(self, *events: Event) -> None:
        """Adds events; when this returns, they outlive the machine.

        Raises:
            StoreError: they cannot be stored; then it is as if that had not been tried.
        """
        lines = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events).encode()
        try:
            self._write(lines)
        except OSError as e:
            os.ftruncate(self._file, self._end)
            raise StoreError(
                f"cannot save to {self.path}: {e.strerror}; nothing was changed"
            ) from e
        self._end += len(lines)
        self.events.extend(events)

    def close(self) -> None:
        """Lets others have it."""
        os.close(self._file)

    def _lock(self) -> None:
        # The system gives the lock back when the process ends, however it ends.
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as e:
            raise UsageError(
                f"another dbce label has {self.path} open; stop it, or name another --gold"
            ) from e

    def _read(self) -> tuple[list[Event], int]:
        data = os.pread(self._file, os.fstat(self._file).st_size, 0)
        whole, newline, _ = data.rpartition(b"\n")
        events = []
        for number, line in enumerate(whole.split(b"\n") if newline else [], 1):
            try:
                event = json.loads(line)
            except ValueError:
                event = None
            if not isinstance(event, dict):
                raise UsageError(f"{self.path}, line {number}: not what dbce label wrote")
            events.append(event)
        return events, len(whole) + len(newline)

    def _write(self, lines: bytes) -> None:
        os.ftruncate(self._file, self._end)
        written = 0
        while written < len(lines):
            written += os.pwrite(self._file, lines[written:], self._end + written)
        os.fsync(self._file)
