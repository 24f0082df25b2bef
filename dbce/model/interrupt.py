"""Ctrl-C and SIGTERM: they end what is being done, once; what cleans up behind it is not disturbed again."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType

AGAIN = 5.0  # seconds after which another interrupt counts: who cleans up has had that time
ENDING = (signal.SIGINT, signal.SIGTERM)  # Ctrl-C, and what systemd and Kubernetes send


class Termination(KeyboardInterrupt):
    """SIGTERM: work ends as after Ctrl-C, and the message names the signal."""


class _LastInterrupt:
    """Time of the last interrupt that counts, by `monotonic`, and its signal; None if none came."""

    at: float | None = None
    by: int | None = None


@contextmanager
def interrupt_once(to_the_end: bool) -> Iterator[None]:
    """Raise at the first Ctrl-C or SIGTERM in the block; ignore later ones, `to_the_end` of the process or in it."""
    if current_thread() is not main_thread():  # which alone is told of signals
        yield
        return
    before = {number: signal.getsignal(number) for number in ENDING}
    # A shell starts what runs in the background so that it ignores Ctrl-C.
    ours = [number for number in ENDING if before[number] is not signal.SIG_IGN]
    _LastInterrupt.at = None
    for number in ours:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        is_ending = to_the_end and _LastInterrupt.at is not None
        for number in ours:
            signal.signal(number, signal.SIG_IGN if is_ending else before[number])
        _LastInterrupt.at = None


def _stop(number: int, _frame: FrameType | None) -> None:
    now = monotonic()
    if _LastInterrupt.at is None or now - _LastInterrupt.at > AGAIN:
        _LastInterrupt.at, _LastInterrupt.by = now, number
        raise _error()


def _error() -> KeyboardInterrupt:
    return Termination() if _LastInterrupt.by == signal.SIGTERM else KeyboardInterrupt()


def raise_pending() -> None:
    """Raise the Ctrl-C or SIGTERM that came, if any: Python drops what is raised where it frees objects."""
    if _LastInterrupt.at is not None:
        raise _error()


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Raise at the end of the block a Ctrl-C or SIGTERM that compiled code in it has dropped.

    Unlike `raise_pending` it passes over one that came before, so that files can be opened while work ends.
    """
    before = _LastInterrupt.at
    yield
    if _LastInterrupt.at != before and current_thread() is main_thread():
        raise _error()


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C and SIGTERM to the end of the block; processes started in it never get a Ctrl-C."""
    if current_thread() is not main_thread():  # it has no handlers, but a mask of its own
        with _mask_ctrl_c():
            yield
        return
    came: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    # Threads of libraries take signals too, for which Python calls the handler here.
    before = {
        number: signal.signal(number, note)
        for number in ENDING
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        with _mask_ctrl_c():
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])


@contextmanager
def _mask_ctrl_c() -> Iterator[None]:
    """Mask Ctrl-C in this thread, as processes inherit it. SIGTERM is not masked: it is how they are ended."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows has a console in its place
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
