"""Cost of a command with all the processes that it starts.

    python -m scripts.experiments.cost COMMAND...

Prints one JSON object: exit code, seconds of CPU, megabytes of the largest process. What the
command itself prints goes to stderr.

A process of its own on purpose, and small: Linux counts the memory of the process that starts a
command as memory of the command.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PR_SET_CHILD_SUBREAPER = 36
"""prctl(2): processes that lose their parent become ours, so that we learn their cost."""

PER_MB = 1024**2 if sys.platform == "darwin" else 1024
"""Units of ru_maxrss in a megabyte."""

LOOK = 0.5
"""Seconds between two looks at the processes that nobody is charged for."""


def cost(command: Sequence[str]) -> dict[str, float]:
    """The cost of a command, when the last process that it started has ended."""
    if sys.platform == "linux":  # elsewhere the Java that a Spark session leaves behind is missed
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    process = subprocess.Popen(command, stdout=sys.stderr)
    seconds = peak = 0.0
    uncharged: dict[int, float] = {}
    charged: set[int] = set()
    over = Event()
    watcher = Thread(target=_watch, args=(uncharged, over))
    watcher.start()
    while True:
        try:
            pid, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            break
        if pid == process.pid:
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds += usage.ru_utime + usage.ru_stime
        peak = max(peak, usage.ru_maxrss / PER_MB)
        charged.add(pid)  # it may be a worker that outlived the daemon
    over.set()
    watcher.join()
    seconds += sum(spent for pid, spent in uncharged.items() if pid not in charged)
    return {"exit_code": process.returncode, "cpu_seconds": seconds, "peak_mb": peak}


def measured_cost(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> tuple[dict[str, float], str]:
    """Return the cost of a command and its output, measured by a process of its own."""
    measured = subprocess.run(
        [sys.executable, __file__, *command],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return json.loads(measured.stdout), measured.stderr


def _watch(uncharged: dict[int, float], over: Event) -> None:
    """Notes the CPU of processes that Linux charges to nobody when they end.

    Those are the children of one that ignores the end of its children, as Spark's Python daemon does,
    whose workers end when they were idle for a minute.
    """
    ticks = os.sysconf("SC_CLK_TCK")
    while not over.wait(LOOK):
        for pid, (parent, spent) in _descendants(os.getpid()).items():
            if _ignores_children(parent):
                uncharged[pid] = spent / ticks


def _descendants(ancestor: int) -> dict[int, tuple[int, int]]:
    """Of every process below another its parent and the ticks of CPU that it has spent."""
    found = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            # Behind the name, which may hold anything: state, parent, ..., user and system time.
            fields = place.read_text().rpartition(")")[2].split()
            found[int(place.parent.name)] = int(fields[1]), int(fields[11]) + int(fields[12])
    below = {ancestor}
    while more := {pid for pid in found.keys() - below if found[pid][0] in below}:
        below |= more
    return {pid: found[pid] for pid in below - {ancestor}}


def _ignores_children(pid: int) -> bool:
    with suppress(OSError):
        ignored = re.search(r"SigIgn:\s*(\w+)", Path(f"/proc/{pid}/status").read_text())
        return bool(ignored and int(ignored[1], 16) >> (signal.SIGCHLD - 1) & 1)
    return False


if __name__ == "__main__":
    print(json.dumps(cost(sys.argv[1:])))
