"""Messages for stores that fail, each one sentence."""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager
from traceback import walk_tb
from typing import TYPE_CHECKING

from dbce.model import DbceError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

FULL = tuple(map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)))
"""What a file system says that takes no more."""

STORE_ERROR = re.compile(rf"^{StoreError.__module__}\.{StoreError.__name__}: (.+)", re.MULTILINE)
"""How Spark's account of a failed task tells of one."""

CLIENT_ERROR = re.compile(r"^(?:aiobotocore|aiohttp|botocore|s3fs)\.[\w.]+: (.+)", re.MULTILINE)
"""How an error begins of what speaks with a store, also in Spark's account."""

LOST = re.compile(
    r"Python worker exited unexpectedly|ExecutorLostFailure|OutOfMemoryError|Py4JNetworkError|java\.net\.SocketException"
    r"|java\.io\.(?:EOFException|IOException: (?:Stream closed|Broken pipe))"
)
"""Messages of Spark after one of its processes was killed or ran out of memory."""


@contextmanager
def clear_sentences(out: str) -> Iterator[None]:
    """Says in one sentence what to do where a store gave up, be it on another machine.

    Raises:
        StoreError: instead of what the file system, or Spark, made of it.
    """
    try:
        yield
    except DbceError:
        raise
    except Exception as e:
        if any(words in str(e) for words in FULL):
            raise StoreError(
                f"no space is left to write to {out}; finished work is kept: make room, then continue "
                "with --resume"
            ) from e
        if told := STORE_ERROR.search(str(e)):
            raise StoreError(told[1].strip()) from e
        if LOST.search(f"{type(e).__name__}: {e}") or (
            isinstance(e, OSError) and _came_from(e, "py4j")
        ):
            raise StoreError(
                "a Spark process was killed, often for lack of memory; finished work is kept: give Spark more "
                "memory or run fewer tasks at a time, then continue with --resume"
            ) from e
        if (told := CLIENT_ERROR.search(f"{type(e).__module__}.{type(e).__name__}: {e}")) or (
            isinstance(e, OSError)
        ):
            said = " ".join((told[1] if told else str(e) or type(e).__name__).split())
            raise StoreError(
                f"{out} cannot be reached: {said}; finished work is kept: fix that, then continue "
                "with --resume"
            ) from e
        raise


def _came_from(error: Exception, package: str) -> bool:
    """Return whether an error was raised in a package, or below it."""
    frames = (frame for frame, _ in walk_tb(error.__traceback__))
    return any(frame.f_globals.get("__name__", "").startswith(package) for frame in frames)
