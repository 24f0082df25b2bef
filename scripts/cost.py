"""What a command costs, with all the processes that it starts: `python scripts/cost.py COMMAND...`.

Prints one JSON object: exit code, seconds of CPU, megabytes of the largest process. What the
command itself prints goes to stderr.

A process of its own on purpose, and small: Linux counts the memory of the process that starts a
command as memory of the command.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PR_SET_CHILD_SUBREAPER = 36
"""prctl(2): processes that lose their parent become ours, so that we learn their cost."""

PER_MB = 1024**2 if sys.platform == "darwin" else 1024
"""Units of ru_maxrss in a megabyte."""


def cost(command: Sequence[str]) -> dict[str, float]:
    """The cost of a command, when the last process that it started has ended."""
    if sys.platform == "linux":  # elsewhere the Java that a Spark session leaves behind is missed
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    process = subprocess.Popen(command, stdout=sys.stderr)
    seconds = peak = 0.0
    while True:
        try:
            pid, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            break
        if pid == process.pid:
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds += usage.ru_utime + usage.ru_stime
        peak = max(peak, usage.ru_maxrss / PER_MB)
    return {"exit_code": process.returncode, "cpu_seconds": seconds, "peak_mb": peak}


if __name__ == "__main__":
    print(json.dumps(cost(sys.argv[1:])))
