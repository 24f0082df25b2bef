"""Standard output and error of our processes: a log that cannot be written ends no work, lost output does."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any, TextIO

from dbce.model.errors import OutputLost, ReaderLeft

_MODES = (os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)
"""Modes in which the standard streams are opened on nothing; writing to the output fails, as on a closed one."""


def secure_streams() -> None:
    """Make this process hold out whatever its streams lead to: a full disk, a reader that left, or nothing at all.

    What is written on standard error and cannot be is dropped. Standard output raises an error of ours. Streams that
    somebody else put in their place stay.
    """
    for number, mode in enumerate(_MODES):
        try:
            os.fstat(number)
        except OSError:
            # The next file that is opened would get the number, and what libraries print be written into it.
            os.set_inheritable(os.open(os.devnull, mode), True)
    if sys.stdout is sys.__stdout__:
        sys.stdout = _stream(_Output, 1, sys.stdout)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _stream(_Log, 2, sys.stderr)


@contextmanager
def whole_output() -> Iterator[None]:
    """Write what the block prints by its end at the latest, where it can still be told that this failed (OutputLost)."""
    try:
        yield
    finally:
        with suppress(ReaderLeft):
            sys.stdout.flush()


class _Log(FileIO):
    """Standard error, on which nothing ever fails."""

    def write(self, data: Any, /) -> int:
        size = memoryview(data).nbytes
        try:
            return super().write(data) or size  # None of a pipe that takes no more at the moment
        except OSError:
            return size


class _Output(FileIO):
    def write(self, data: Any, /) -> int:
        """Write to what it leads to; an error of ours says that it takes nothing, or that nobody reads it any more."""
        try:
            return super().write(data)
        except OSError as e:
            # What is still in buffers would fail again as the process ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            if isinstance(e, BrokenPipeError):
                raise ReaderLeft from e
            raise OutputLost(
                f"standard output cannot be written: {e.strerror}; what is there is incomplete"
            ) from e


def _stream(kind: type[FileIO], number: int, stream: TextIO | None) -> TextIOWrapper:
    """Return a stream as Python has made one; it has None for what was closed when it began."""
    descriptor = os.open(os.devnull, os.O_RDONLY) if stream is None else number
    raw = BufferedWriter(kind(descriptor, "w", closefd=False))
    if not isinstance(stream, TextIOWrapper):
        return TextIOWrapper(raw, errors="backslashreplace")
    at_once = stream.line_buffering or stream.write_through
    return TextIOWrapper(raw, stream.encoding, stream.errors, line_buffering=at_once)
