"""Faults of the environment that a command runs in: no working directory, no memory, no shared memory."""

from __future__ import annotations

import errno
import os

try:
    import resource
except ImportError:  # not every system has limits of its own for a shell
    resource = None  # type: ignore[assignment]

SHARED = "/dev/shm"  # noqa: S108 - nothing is put there by name
"""The directory of shared memory on Linux."""

NO_MEMORY = (
    "cannot allocate memory",
    "failed to map segment",
    "can't start new thread",
    "bad_alloc",
    "malloc of size",
    "memoryerror",
)
"""Messages of libraries that run out of memory, in lower case."""


def environment_fault(error: BaseException) -> str | None:
    """One sentence on a fault of the environment; None if that did not cause the error.

    >>> environment_fault(ValueError("no number"))
    """
    try:
        os.getcwd()  # noqa: PTH109 - nothing else of the path is asked
    except FileNotFoundError:
        return "the working directory no longer exists; change to another one and call again"
    if any(_is_of_shared_memory(one) for one in (error, error.__cause__)):
        return f"{SHARED} is not writable, and several processes need it; fix that, or use --jobs 1"
    said = f"{type(error).__name__}: {error}".casefold()
    is_memory = isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM
    if is_memory or any(words in said for words in NO_MEMORY):
        return f"out of memory{_limit()}; allow more, or use fewer processes (--jobs)"
    return None


def _is_of_shared_memory(error: BaseException | None) -> bool:
    """Return whether an error is one of a semaphore that could not be created; such errors name no file."""
    return (
        isinstance(error, OSError)
        and error.filename is None
        and error.errno in {errno.EROFS, errno.EACCES}
        and not os.access(SHARED, os.W_OK)
    )


def _limit() -> str:
    """The limit of the shell in parentheses; "" if it has none."""
    if resource is None:
        return ""
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    return "" if most == resource.RLIM_INFINITY else f" (ulimit -v allows {most >> 20} MB)"
