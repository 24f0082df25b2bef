"""What the pages of a run, or of a rendering, do not have."""

from __future__ import annotations


class NotInRun(LookupError):  # noqa: N818 - says what it is
    """What was asked for is not in the run; the message says what."""
