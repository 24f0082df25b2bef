"""Errors of this project, in one tree.

    DbceError
     +-- UsageError       wrong option, missing file, bad configuration: stops at once, exit code 2
     |    +-- MissingExtra     libraries that only some uses need are not installed
     +-- TooManyRejects   a night that is not worth going on with: stops, exit code 3
     +-- StoreError       a store that fails: stops, what is done stays done, exit code 4
     |    +-- OutputLost       standard output cannot be written
     +-- ReaderLeft       nobody reads standard output any more: stops, exit code 0
     +-- InputError       bad input: one capture is dropped with its reason, the rest goes on
     +-- NotInRun         a request for what a run does not have: the page says so (404)

Anything else that is raised is a bug. While one record is at work it costs that record alone
(dbce.model.faults); elsewhere it propagates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbce.model.values import Reason


class DbceError(Exception):
    """Root of all errors that this project raises on purpose."""


class UsageError(DbceError):
    """Error of a request that cannot be done; the message says what to type instead.

    In it `dbce COMMAND` stands for the command that was called.
    """


class MissingExtra(UsageError):  # noqa: N818 - says what is missing
    """Error of a missing library; the message says which command installs it."""

    def __init__(self, what: str, extra: str, otherwise: str = "") -> None:
        package = f"'dbce[{extra}]'" if extra else "dbce"
        super().__init__(f"{what} needs more: pip install {package}{otherwise}")


class NotInRun(DbceError, LookupError):  # noqa: N818 - says what it is
    """Error of a request for what is not in the run; the message names it."""


# Extra of dbce by the library it brings.
EXTRAS = {
    "pyspark": "spark",
    "s3fs": "s3",
    "aiohttp": "http",
    "bagit": "bag",
    "jinja2": "report",
    "markupsafe": "report",
    **dict.fromkeys(("resiliparse", "PIL", "skimage"), "render"),
    **dict.fromkeys(("duckdb", "flask", "waitress"), "view"),
}
# Libraries that dbce brings, unless it is installed without what it depends on.
NOT_IN_LIGHT = frozenset({"pandas", "pyarrow", "scipy", "sklearn", "datasketch"})


def missing_extra(what: str, error: BaseException | None) -> MissingExtra | None:
    """Return the error for a failed import, whatever a library made of it, of what an extra brings; None for others."""
    if not isinstance(error, ImportError):
        return None
    library = (error.name or "").partition(".")[0]
    extra = "" if library in NOT_IN_LIGHT else EXTRAS.get(library)
    return missing_extra(what, error.__cause__) if extra is None else MissingExtra(what, extra)


class TooManyRejects(DbceError):  # noqa: N818 - says what there is too much of
    """More captures were rejected than is allowed; the message says how many, and why."""


class StoreError(DbceError):
    """Outputs cannot be written or read back; the message says what to do before the command is called again."""


class OutputLost(StoreError):  # noqa: N818 - says what happened
    """Standard output cannot be written; the message says why."""


class ReaderLeft(DbceError):  # noqa: N818 - says what happened
    """The reader of standard output has had enough, as `head` after ten lines."""


class InputError(DbceError):
    """A capture cannot be used; carries the reason from the documented list and a detail."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
