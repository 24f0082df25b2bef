"""The lock of a folder in which a process works."""

from __future__ import annotations

import json
import os
import socket
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from dbce.model import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.storage.folder import Folder

LOCK = "run.lock"
"""There while a process works in the folder; it names the process."""

TAKING = "run.lock.taking"
"""There for the moment in which one process takes over the lock of another that died."""


@contextmanager
def locked(folder: Folder) -> Iterator[None]:
    """Keep other processes out of a folder while the block lasts.

    A lock that a process of this machine has left when it died is taken over. A folder that was not
    there before, and is empty in the end, is removed again, and so are those above it.

    Raises:
        UsageError: another process works there, or seems to; or nothing can be written there.
    """
    made = folder.missing()
    try:
        _lock(folder)
    except OSError as e:
        raise UsageError(
            f"{folder.uri} cannot be written to: {e.strerror or e}; fix that or name another"
        ) from e
    try:
        yield
    finally:
        folder.remove(LOCK)
        with suppress(OSError):  # somebody has put something there
            for path in made:
                folder.fs.rmdir(path)


def _lock(folder: Folder) -> None:
    own = json.dumps({"host": socket.gethostname(), "pid": os.getpid()}).encode()
    if not (folder.create_once(LOCK, own) or _taken_over(folder, own)):
        holder = _holder(folder)
        who = f"process {holder['pid']} on {holder['host']}" if holder else "another process"
        raise UsageError(
            f"{who} works in {folder.uri}; wait for it or, if you know that it is dead, remove "
            f"{folder.at(LOCK)}"
        )


def _taken_over(folder: Folder, own: bytes) -> bool:
    """Take over the lock of a dead process; return whether it is ours now: one caller gets it."""
    if not (_is_dead(_holder(folder)) and folder.create_once(TAKING, own)):
        return False
    try:
        dead = _is_dead(_holder(folder))  # still: another one may have been faster
        if dead:
            folder.write(LOCK, own)
        return dead
    finally:
        folder.remove(TAKING)


def _holder(folder: Folder) -> dict[str, object]:
    try:
        return dict(json.loads(folder.read(LOCK)))
    except (OSError, ValueError):
        return {}


def _is_dead(holder: dict[str, object]) -> bool:
    """Return whether a process of this machine is known not to run any more."""
    pid = holder.get("pid")
    if holder.get("host") != socket.gethostname() or not isinstance(pid, int):
        return False
    if sys.platform == "win32":  # where the question below is a Ctrl-C
        return pid == os.getpid()
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return pid == os.getpid()
