"""Error of a request for what a run does not have; apart from the run, whose libraries not all need who ask for less."""

from __future__ import annotations


class NotInRun(LookupError):  # noqa: N818 - says what it is
    """Error of a request for what is not in the run; the message names it."""
