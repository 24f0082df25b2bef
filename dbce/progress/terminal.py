"""A line at the bottom of a terminal that rewrites itself while other lines pass above it, and texts of others there."""

from __future__ import annotations

import re
import shutil
from threading import Event, RLock, Thread
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable

PACE = 0.2
"""Seconds between two drawings."""

_ERASE = "\r\x1b[K"  # to the beginning of the line, and clear it (ECMA-48, EL)
_BAR = 20  # characters


_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def without_control(text: str) -> str:
    """Return a text of an archive without the signs by which it would write over a terminal, or turn it around."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def bar(share: float) -> str:
    """A bar that is full to a share between 0 and 1."""
    full = int(_BAR * min(max(share, 0.0), 1.0))
    return f"[{'#' * full}{'-' * (_BAR - full)}]"


class StatusLine:
    """The line; `compose` says what it shows now, as often as it is drawn.

    It is drawn from the moment on that it is made, by a thread of its own, until it ends.
    """

    def __init__(self, stream: TextIO, compose: Callable[[], str], pace: float = PACE) -> None:
        self._stream = stream
        self._compose = compose
        self._lock = RLock()
        self._over = Event()
        self._thread = Thread(target=self._keep_drawing, args=(pace,), daemon=True)
        self._thread.start()

    def draw(self) -> None:
        """Shows what is to be shown now, as much as the terminal is wide."""
        with self._lock:
            if not self._over.is_set():
                width = shutil.get_terminal_size().columns - 1
                self._put(f"{_ERASE}{self._compose()[:width]}")

    def above(self, text: str) -> None:
        """Lets a line pass above."""
        with self._lock:
            self._put(f"{_ERASE}{text}\n")
            self.draw()

    def end(self) -> None:
        """Clears the line for good."""
        with self._lock:
            if not self._over.is_set():
                self._over.set()
                self._put(_ERASE)
        self._thread.join()

    def _keep_drawing(self, pace: float) -> None:
        self.draw()
        while not self._over.wait(pace):
            self.draw()

    def _put(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
