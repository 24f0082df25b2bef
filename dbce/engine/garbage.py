"""Threshold of Python's garbage collector, in a file of its own: whoever calls `dbce.extract` starts no processes."""

import gc

GARBAGE_THRESHOLD = 200_000
"""Objects made, more than were given up, after which Python looks for garbage."""


def collect_rarely() -> None:
    """Make Python look for garbage less often; for processes that do nothing but a job's work.

    Trees, nodes and runs of many pages live at a time, and hardly any are in a cycle. Looking through
    all of them again and again took a quarter of the time of a run.
    """
    gc.set_threshold(GARBAGE_THRESHOLD)
