"""The errors of this project, in one tree.

    DbceError
     +-- UsageError       wrong option, missing file, bad configuration: stops at once, exit code 2
     +-- InputError       bad input: one capture is dropped with its reason, the rest goes on

Anything else that is raised is a bug and propagates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbce.model import Reason


class DbceError(Exception):
    """Root of all errors that this project raises on purpose."""


class UsageError(DbceError):
    """What was asked for cannot be done; the message says what to type instead."""


class InputError(DbceError):
    """A capture cannot be used; carries the reason from the documented list and a detail."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
