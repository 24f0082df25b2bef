"""The processes of a browser taken as one: the memory that they hold together, and their end."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from time import thread_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

INTERVAL = 0.1
"""Seconds between two looks at the memory, in which a script fills 100 to 200 MB."""

REST = 20
"""Times of the CPU that a look takes for which is waited until the next: it never costs more than a twentieth of a core.
By the clock a look takes as long as other processes let it, and a browser could fill memory meanwhile."""


@dataclass(frozen=True, slots=True)
class Processes:
    """The processes of a browser: the group that its first one leads, in which all stay that it starts."""

    group: int

    def end(self) -> None:
        """End all, also one that hangs and would close nothing by itself."""
        with suppress(ProcessLookupError):
            os.killpg(self.group, signal.SIGKILL)

    def memory(self) -> int:
        """Bytes of memory that they hold; 0 where the system does not tell.

        Each counts with what is its own, and once comes the largest part that one shares with others: all have
        the program in common, and pictures lie where two can reach them. That is within a twentieth of
        the sum of their proportional shares (PSS), which takes long to find out, and of
        which Linux tells nobody but root where processes are in Chromium's sandbox. The sum of what is
        resident (RSS) counts the program eight times, half a gigabyte with nothing loaded.
        """
        own = shared = 0
        for process in self._members():
            with suppress(OSError):  # it has just ended
                fields = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()
                resident, common = int(fields[1]), int(fields[2])
                own += resident - common
                shared = max(shared, common)
        return (own + shared) * os.sysconf("SC_PAGE_SIZE")

    def _members(self) -> list[int]:
        members = []
        with suppress(FileNotFoundError):  # not every system has it
            for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208 - names, and often
                with suppress(OSError):  # none any more
                    if os.getpgid(int(name)) == self.group:
                        members.append(int(name))
        return members


@contextmanager
def held_to(limit: int, processes: Processes) -> Iterator[Event]:
    """Hold processes to so many bytes of memory: above that all are ended, and the event is set.

    A limit on address space would do for other programs: Chromium reserves terabytes that it never uses.
    """
    exceeded, over = Event(), Event()

    def watch() -> None:
        pause = INTERVAL
        while not over.wait(pause):
            begin = thread_time()
            if processes.memory() > limit:
                exceeded.set()
                processes.end()
                return
            pause = max(INTERVAL, REST * (thread_time() - begin))

    # A thread, for the loop may be busy with the very page that is to be watched.
    thread = Thread(target=watch, daemon=True, name="memory of a browser")
    thread.start()
    try:
        yield exceeded
    finally:
        over.set()
        thread.join()
