"""Ctrl-C: it ends what is being done, once; what cleans up behind it is not disturbed again."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


AGAIN = 5.0
"""Seconds after a Ctrl-C from which another one counts: who cleans up has had that time."""


class _LastInterrupt:
    """Time of the last Ctrl-C that counts, by `monotonic`; None if none came."""

    at: float | None = None


@contextmanager
def only_once(to_the_end: bool) -> Iterator[None]:
    """Lets a Ctrl-C in the block be a KeyboardInterrupt, and passes over those that follow at once.

    After one that came they are passed over `to_the_end` of the process, or of the block.
    """
    if current_thread() is not main_thread():  # which alone is told of signals
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:  # as a shell starts what runs in the background
        yield
        return
    _LastInterrupt.at = None
    signal.signal(signal.SIGINT, _stop)
    try:
        yield
    finally:
        if to_the_end and _LastInterrupt.at is not None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        else:
            signal.signal(signal.SIGINT, before)
        _LastInterrupt.at = None


def _stop(_signal: int, _frame: FrameType | None) -> None:
    now = monotonic()
    if _LastInterrupt.at is None or now - _LastInterrupt.at > AGAIN:
        _LastInterrupt.at = now
        raise KeyboardInterrupt


def go_on() -> None:
    """Does nothing as long as no Ctrl-C came.

    Raises:
        KeyboardInterrupt: one came, and was lost: Python drops what is raised where it frees objects.
    """
    if _LastInterrupt.at is not None:
        raise KeyboardInterrupt


@contextmanager
def held_back() -> Iterator[None]:
    """Holds Ctrl-C back while the block lasts; processes that are started in it never get one."""
    if current_thread() is not main_thread():
        yield
        return
    came = False

    def note(_signal: int, _frame: FrameType | None) -> None:
        nonlocal came
        came = True

    # The mask is what processes inherit. It holds for this thread alone, and those of libraries take
    # signals too, for which Python calls the handler here.
    before = signal.signal(signal.SIGINT, note)
    has_masks = hasattr(signal, "pthread_sigmask")  # Windows has none, and a console in their place
    if has_masks:
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if has_masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)
