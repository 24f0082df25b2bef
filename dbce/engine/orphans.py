"""No process of ours outlives the one that it works for, not even one that was killed."""

from __future__ import annotations

import os
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Thread


def die_with_parent() -> None:
    """End this process as soon as the one that has started it is gone; for workers of a pool.

    A worker waits for work at a pipe of which it holds both ends, so it would wait for ever. The pipe that
    is watched here is held open by the parent alone, and closes however that ends, on every system.
    """
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent.sentinel,), daemon=True, name="orphans").start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    # Nobody takes what is being made; finalizers may wait for a lock that this thread's death would keep.
    os._exit(1)
