"""Error for pages that a run, or a rendering, does not have."""

from __future__ import annotations


class NotInRun(LookupError):  # noqa: N818 - says what it is
    """Error of a request for what is not in the run; the message names it."""
