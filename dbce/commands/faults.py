"""Faults of the environment and of stores, each told in one sentence: no memory, a full disk, a process that was killed."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb

from dbce.model import DbceError, StoreError

try:
    import resource
except ImportError:  # not every system has limits of its own for a shell
    resource = None  # type: ignore[assignment]

SHARED = "/dev/shm"  # noqa: S108 - nothing is put there by name
"""The directory of shared memory on Linux."""

LEAST_MEMORY = 800 << 20
"""Bytes of address space that a process needs; with less, libraries may wait for a thread that never starts."""

NO_MEMORY = (
    "failed to launch worker thread",
    "cannot allocate memory",
    "failed to map segment",
    "can't start new thread",
    "bad_alloc",
    "malloc of size",
    "memoryerror",
)
"""Messages of libraries that run out of memory, in lower case."""


def memory_limit_fault() -> str | None:
    """Prepare for the limit on address space that the shell sets, if any; one sentence if it is too low to work."""
    most = _limit()
    if most is None:
        return None
    # Arrow's own allocator reserves a gigabyte of address space at a time.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    least = f"each dbce process needs at least {LEAST_MEMORY >> 20} MB"
    return f"ulimit -v allows {most >> 20} MB, but {least}" if most < LEAST_MEMORY else None


def environment_fault(error: BaseException) -> str | None:
    """One sentence on a fault of the environment; None if that did not cause the error."""
    try:
        os.getcwd()  # noqa: PTH109 - nothing else of the path is asked
    except FileNotFoundError:
        return "the working directory no longer exists; change to another one and call again"
    if any(_is_of_shared_memory(cause) for cause in (error, error.__cause__)):
        return f"{SHARED} is not writable, and several processes need it; fix that, or use --jobs 1"
    if os.strerror(errno.EMFILE) in f"{error} {error.__cause__}":
        return "too many open files; allow a process more of them, as by ulimit -n 1024"
    message = f"{type(error).__name__}: {error}".casefold()
    is_memory = isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM
    if is_memory or any(words in message for words in NO_MEMORY):
        most = _limit()
        limited = "" if most is None else f" (ulimit -v allows {most >> 20} MB)"
        return f"out of memory{limited}; allow more, or use fewer processes (--jobs)"
    return None


def _is_of_shared_memory(error: BaseException | None) -> bool:
    """Return whether an error is one of a semaphore that could not be created; such errors name no file."""
    return (
        isinstance(error, OSError)
        and error.filename is None
        and error.errno in {errno.EROFS, errno.EACCES}
        and not os.access(SHARED, os.W_OK)
    )


def _limit() -> int | None:
    """Return the bytes of address space that the shell allows a process; None if it sets no limit."""
    if resource is None:
        return None
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if most == resource.RLIM_INFINITY else most


FULL = tuple(map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)))
"""Error numbers of a file system that takes no more."""

STORE_ERROR = re.compile(rf"^{StoreError.__module__}\.{StoreError.__name__}: (.+)", re.MULTILINE)
"""Mark of one in Spark's account of a failed task."""

CLIENT_ERROR = re.compile(r"^(?:aiobotocore|aiohttp|botocore|s3fs)\.[\w.]+: (.+)", re.MULTILINE)
"""Beginnings of the errors of libraries that speak with a store, also in Spark's account."""

LOST = re.compile(
    r"Python worker exited unexpectedly|ExecutorLostFailure|OutOfMemoryError|Py4JNetworkError|java\.net\.SocketException"
    r"|java\.io\.(?:EOFException|IOException: (?:Stream closed|Broken pipe))"
)
"""Messages of Spark after one of its processes was killed or ran out of memory."""


@contextmanager
def clear_sentences(out: str) -> Iterator[None]:
    """Makes of an error of the file system, or of Spark, a StoreError that says what to do."""
    try:
        yield
    except DbceError:
        raise
    except Exception as e:
        if any(words in str(e) for words in FULL):
            raise StoreError(f"no space is left to write to {out}; make room") from e
        if match := STORE_ERROR.search(str(e)):
            raise StoreError(match[1].strip()) from e
        names = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(e.__traceback__)]
        in_py4j = any(name.startswith("py4j") for name in names)
        if LOST.search(f"{type(e).__name__}: {e}") or (isinstance(e, OSError) and in_py4j):
            raise StoreError(
                "a Spark process was killed, often for lack of memory; give Spark more memory or run fewer tasks at a time"
            ) from e
        if (match := CLIENT_ERROR.search(f"{type(e).__module__}.{type(e).__name__}: {e}")) or (
            isinstance(e, OSError)
        ):
            detail = " ".join((match[1] if match else str(e) or type(e).__name__).split())
            raise StoreError(f"{out} cannot be reached: {detail}; fix that") from e
        raise
