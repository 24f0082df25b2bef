"""Everything that was ever said, line by line: on the disk before anybody is told that it is saved.

A line is a JSON object. One that was cut short when the machine died is dropped: nobody was told
that it was saved.
"""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from dbce.annotate.core.lock import LockedError, locked
from dbce.model import StoreError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

Event = dict[str, Any]


class Journal:
    """A journal that this process alone appends to; `events` are those that it holds.

    `command` is what writes it, as sentences name it.

    Raises:
        UsageError: another process has it open, it cannot be written, or is no journal.
    """

    def __init__(self, path: Path, command: str) -> None:
        self.path = path
        self._command = command
        with ExitStack() as stack:
            try:
                self._file = stack.enter_context(path.open("a+b", buffering=0))
            except OSError as e:
                raise UsageError(
                    f"cannot write {path}: {e.strerror}; name a file in a folder that is there"
                ) from e
            self._lock(stack)
            self.events, self._end = self._read()
            self._held = stack.pop_all()

    def append(self, *events: Event) -> None:
        """Adds events; when this returns, they outlive the machine.

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
        """Lets others have it."""
        self._held.close()

    def _lock(self, stack: ExitStack) -> None:
        try:
            stack.enter_context(locked(self._file))
        except LockedError as e:
            over = f", or remove {e.remains} if none runs" if e.remains else ""
            raise UsageError(
                f"another {self._command} has {self.path} open; stop it{over}, or name another file"
            ) from e
        except OSError as e:
            raise UsageError(
                f"cannot lock {self.path}: {e.strerror}; name a file on another disk"
            ) from e

    def _read(self) -> tuple[list[Event], int]:
        self._file.seek(0)
        return events_of(self._file.read(), self.path, self._command)

    def _write(self, lines: bytes) -> None:
        self._file.truncate(self._end)
        written = 0
        while written < len(lines):
            written += self._file.write(lines[written:])
        os.fsync(self._file.fileno())


def events_of(data: bytes, path: Path, command: str) -> tuple[list[Event], int]:
    """The events of a journal, and how many bytes of it hold them whole.

    Raises:
        UsageError: it is no journal that the command wrote.
    """
    whole, newline, _ = data.rpartition(b"\n")
    events = []
    for number, line in enumerate(whole.split(b"\n") if newline else [], 1):
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            raise UsageError(f"{path}, line {number}: not what {command} wrote")
        events.append(event)
    return events, len(whole) + len(newline)
