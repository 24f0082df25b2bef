"""A lock on a file: of several processes one has it, until it ends, however it ends."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator


class LockedError(Exception):
    """Another process has it; `remains` is a file that it leaves behind if it is killed, if any."""

    def __init__(self, remains: Path | None = None) -> None:
        super().__init__(remains)
        self.remains = remains


@contextmanager
def locked(file: IO[Any]) -> Iterator[None]:
    """Has the lock on an open file while the block lasts.

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
