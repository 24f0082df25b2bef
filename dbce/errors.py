"""The errors of this project, in one tree.

    DbceError
     +-- UsageError       wrong option, missing file, bad configuration: stops at once, exit code 2
     +-- TooManyRejects   a night that is not worth going on with: stops, exit code 3
     +-- StoreError       a store that fails: stops, what is done stays done, exit code 4
     +-- InputError       bad input: one capture is dropped with its reason, the rest goes on

Anything else that is raised is a bug. While one record is at work it costs that record alone
(dbce.faults); elsewhere it propagates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbce.model import Reason


class DbceError(Exception):
    """Root of all errors that this project raises on purpose."""


class UsageError(DbceError):
    """What was asked for cannot be done; the message says what to type instead."""


class TooManyRejects(DbceError):  # noqa: N818 - says what there is too much of
    """More captures were rejected than is allowed; the message says how many, and why."""


class StoreError(DbceError):
    """Outputs cannot be written or read back; the message says what to do before `--resume`."""


class InputError(DbceError):
    """A capture cannot be used; carries the reason from the documented list and a detail."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
