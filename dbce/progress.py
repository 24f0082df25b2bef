"""What a run says while it works: lines for a person, or JSON for a log collector."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LOG = logging.getLogger("dbce")

FIELDS = ("run", "stage", "file", "record", "captures", "done", "of", "seconds_left")
"""What a line of JSON says beside its time, level and message, where it is known."""

PAUSE = 5.0
"""Seconds between two lines on one stage."""


def files(number: int) -> str:
    """So many files, in words."""
    return f"{number} file{'s' * (number != 1)}"


class _Json(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        known = {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = {"time": moment, "level": record.levelname.lower(), "message": record.getMessage()}
        return json.dumps(said | known, ensure_ascii=False)


def log_to_stderr(form: str) -> None:
    """Sends what a run says to stderr, in the form "text" or "json"; JSON has every reject too."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json() if form == "json" else logging.Formatter("dbce: %(message)s"))
    LOG.handlers[:] = [handler]
    LOG.setLevel(logging.DEBUG if form == "json" else logging.INFO)
    LOG.propagate = False


class Progress:
    """Counts the files and captures of a stage, and says how it goes every few seconds."""

    def __init__(self, run: str, clock: Callable[[], float] = perf_counter) -> None:
        self._run = run
        self._clock = clock
        self._stage = self.doing = ""

    def stage(self, number: int, name: str, parts: int, doing: str, part: str = "file") -> None:
        """A stage begins that has so many parts to do: files, or tasks."""
        self.doing = f"stage {number} of 3, {doing}"
        self._stage, self._parts, self._kind = name, parts, part + "s" * (parts != 1)
        self._done = self._captures = 0
        self._began = self._said = self._clock()
        self._say(self.doing)

    def done(self, file: str, captures: int) -> None:
        """A file is done, with so many captures."""
        self.reached(self._done + 1, self._captures + captures, file)

    def reached(self, parts: int, captures: int = 0, file: str = "") -> None:
        """So many parts of the stage are done by now."""
        parts = min(parts, self._parts)
        self._done, self._captures = parts, captures
        now = self._clock()
        if now - self._said < PAUSE or not parts:
            return
        self._said = now
        spent = max(now - self._began, 1e-9)
        left = round(spent / parts * (self._parts - parts))
        words = f"{self._stage}: {parts} of {self._parts} {self._kind}"
        if captures:
            words += f", {captures:,} captures, {captures / spent:,.0f} a second"
        self._say(f"{words}, {left // 60}:{left % 60:02} left", file=file, seconds_left=left)

    def _say(self, words: str, **fields: object) -> None:
        known = {"run": self._run, "stage": self._stage, "done": self._done, "of": self._parts}
        LOG.info(words, extra=known | fields)
