"""Faults of where a command runs, whatever error they show as: a folder that is gone, memory that ends."""

from __future__ import annotations

import errno
import os

try:
    import resource
except ImportError:  # not every system has limits of its own for a shell
    resource = None  # type: ignore[assignment]

SHARED = "/dev/shm"  # noqa: S108 - nothing is put there by name
"""Where Linux has what processes share."""

NO_MEMORY = (
    "cannot allocate memory",
    "failed to map segment",
    "can't start new thread",
    "bad_alloc",
    "malloc of size",
    "memoryerror",
)
"""What errors of libraries say where memory ends, in small letters."""


def fault_of_surroundings(error: BaseException) -> str | None:
    """What is wrong around a command, as one sentence; None if that is not why an error was raised.

    >>> fault_of_surroundings(ValueError("no number"))
    """
    try:
        os.getcwd()  # noqa: PTH109 - nothing else of the path is asked
    except FileNotFoundError:
        return "the folder that this shell is in is gone; change to another, and call again"
    if any(_is_of_shared_memory(one) for one in (error, error.__cause__)):
        return f"{SHARED} cannot be written to, which several processes need; mend that, or use one: --jobs 1"
    said = f"{type(error).__name__}: {error}".casefold()
    is_memory = isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM
    if is_memory or any(words in said for words in NO_MEMORY):
        return f"memory has run out{_limit()}; allow more, or fewer processes (--jobs)"
    return None


def _is_of_shared_memory(error: BaseException | None) -> bool:
    """Return whether an error without a file's name, as those of semaphores are, is of the place that processes share."""
    return (
        isinstance(error, OSError)
        and error.filename is None
        and error.errno in {errno.EROFS, errno.EACCES}
        and not os.access(SHARED, os.W_OK)
    )


def _limit() -> str:
    """How much of it this shell allows, if it says so."""
    if resource is None:
        return ""
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    return "" if most == resource.RLIM_INFINITY else f", of which ulimit -v allows {most >> 20} MB"
