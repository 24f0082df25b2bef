"""What nobody foresaw, met while one record is at work: that record is rejected, and the rest goes on."""

from __future__ import annotations

import traceback
from pathlib import PurePath
from typing import TYPE_CHECKING

from dbce.errors import DbceError
from dbce.progress import LOG

if TYPE_CHECKING:
    from dbce.model import Origin

NOT_OF_A_RECORD = (DbceError, MemoryError, OSError)
"""What is wrong with the machine, with a store, or with what was asked for: it stops a run."""

LONGEST = 300
"""Characters of a detail at most."""


def told(error: Exception, at: Origin | str) -> str:
    """What an unexpected error is and where it was raised, as the detail of a reject; logged, too.

    `at` is where the record stands or, where nobody knows that, its id.

    Raises:
        Exception: the same error, where it says nothing about the record.
    """
    if isinstance(error, NOT_OF_A_RECORD):
        raise error
    detail = f"{type(error).__name__}: {error}{_raised(error)}"
    detail = " ".join(detail.encode("utf-8", "replace").decode().split())[:LONGEST]
    where = at if isinstance(at, str) else f"at {at.offset} of {at.filename}"
    known = {"record": at} if isinstance(at, str) else {"file": at.filename, "record": at.offset}
    LOG.warning(
        "warning: a record is rejected that dbce fails on, %s: %s; please report it",
        *(where, detail),
        extra=known,
    )
    return detail


def _raised(error: Exception) -> str:
    """The last line of ours that the error came through."""
    ours = [
        f for f in traceback.extract_tb(error.__traceback__) if "dbce" in PurePath(f.filename).parts
    ]
    return f" ({PurePath(ours[-1].filename).name}:{ours[-1].lineno})" if ours else ""
