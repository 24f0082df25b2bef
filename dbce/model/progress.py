"""Messages of a run while it works, for a person or a log collector, and the line on a terminal that shows its progress."""

import json
import logging
import re
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Event, RLock, Thread
from time import perf_counter
from typing import TextIO

from dbce.model.interrupt import raise_pending

PACE = 0.2  # seconds between two drawings
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
    """The line, drawn by a thread of its own until it ends; `compose` says what it shows now."""

    def __init__(self, stream: TextIO, compose: Callable[[], str], pace: float = PACE) -> None:
        self._stream = stream
        self._compose = compose
        self._lock = RLock()
        self._over = Event()
        self._thread = Thread(target=self._keep_drawing, args=(pace,), daemon=True)
        self._thread.start()

    def draw(self) -> None:
        """Draw the line, cut to the width of the terminal."""
        with self._lock:
            if not self._over.is_set():
                width = shutil.get_terminal_size().columns - 1
                self._write(f"{_ERASE}{self._compose()[:width]}")

    def print_above(self, text: str) -> None:
        with self._lock:
            self._write(f"{_ERASE}{text}\n")
            self.draw()

    def end(self) -> None:
        with self._lock:
            if not self._over.is_set():
                self._over.set()
                self._write(_ERASE)
        self._thread.join()

    def _keep_drawing(self, pace: float) -> None:
        self.draw()
        while not self._over.wait(pace):
            self.draw()

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


LOG = logging.getLogger("dbce")

FIELDS = ("run", "stage", "file", "record", "captures", "done", "of", "seconds_left")
"""Fields of a line of JSON beside its time, level and message, where they are known."""

LEAST_SHARE = 0.02
"""Share of a stage after which the time left is estimated; the first captures load libraries, and would say hours."""

LEAST_SECONDS = 60.0  # seconds after which it is estimated in any case
PAUSE = 5.0  # seconds between two lines on one stage


def count_of(number: int, thing: str) -> str:
    """Number of things with their name: "1 page", "1,200 pages"."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def files(number: int) -> str:
    return count_of(number, "file")


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        known = {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"time": moment, "level": record.levelname.lower(), "message": record.getMessage()}
        return json.dumps(line | known, ensure_ascii=False)


class _StatusLineHandler(logging.StreamHandler[TextIO]):
    """Lines of a log on stderr, above the line that shows the progress, if there is one."""

    def emit(self, record: logging.LogRecord) -> None:
        print_above_status(self.format(record))


class _Status:
    """State of the line on the terminal, shared by all threads that draw it."""

    line: StatusLine | None = None
    compose: Callable[[], str] = staticmethod(lambda: "")


def log_to_stderr(form: str, *, quiet: bool = False) -> None:
    """Log to stderr as "text" or "json", which has every reject too; with `quiet` only warnings and errors."""
    handler = _StatusLineHandler(sys.stderr)
    handler.setFormatter(_Json() if form == "json" else logging.Formatter("dbce: %(message)s"))
    LOG.handlers[:] = [handler]
    level = logging.DEBUG if form == "json" else logging.INFO
    LOG.setLevel(logging.WARNING if quiet else level)
    LOG.propagate = False
    end_line()
    if form == "text" and not quiet and sys.stderr.isatty():
        begin = perf_counter()
        _Status.compose = lambda: f"dbce: beginning, {_clock(perf_counter() - begin)}"
        _Status.line = StatusLine(sys.stderr, lambda: _Status.compose())  # noqa: PLW0108 - another one as the run goes on


def print_above_status(text: str) -> None:
    """Print a line on stderr above the status line."""
    if _Status.line:
        _Status.line.print_above(text)
    else:
        print(text, file=sys.stderr, flush=True)  # noqa: T201 - this is what it is for


def end_line() -> None:
    """End the status line, if there is one, before other output."""
    line, _Status.line = _Status.line, None
    if line:
        line.end()


def announce(what: str) -> None:
    """Announce work before the first stage, on a terminal with its time; raise an interrupt that was lost before."""
    raise_pending()
    begin = perf_counter()
    if _Status.line:
        _Status.compose = lambda: f"dbce: {what}, {_clock(perf_counter() - begin)}"
    else:
        LOG.info("%s", what)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Progress:
    """Files and captures of a stage that are done, and reports on them.

    On a terminal a line that rewrites itself says so at once, elsewhere a line every few seconds.
    """

    def __init__(
        self, run: str, clock: Callable[[], float] = perf_counter, stages: int = 3
    ) -> None:
        self._run = run
        self._stages = stages
        self._clock = clock
        self._stage = self.doing = ""

    def stage(self, number: int, name: str, parts: int, doing: str, part: str = "file") -> None:
        """Begin a stage of `parts` files or tasks; raise an interrupt that was lost before."""
        raise_pending()
        self.doing = f"stage {number} of {self._stages}, {doing}"
        self._stage, self._parts, self._kind = name, parts, part + "s" * (parts != 1)
        self._done = self._captures = self._seen = 0
        self._within = 0.0
        self._began = self._said = self._clock()
        if _Status.line:
            _Status.compose = self._line
        else:
            self._say(self.doing)

    def finish_part(self, file: str, captures: int) -> None:
        self.set_parts_done(self._done + 1, self._captures + captures, file)

    def set_parts_done(self, parts: int, captures: int = 0, file: str = "") -> None:
        self._done, self._captures = min(parts, self._parts), captures
        self._seen, self._within = 0, 0.0
        self._tell(file)

    def set_share(self, share: float, file: str = "") -> None:
        """Count a capture as done, and set the share of its part that is done."""
        self._seen += 1
        self._within = min(max(share, 0.0), 1.0)
        self._tell(file)

    def _tell(self, file: str) -> None:
        raise_pending()
        now = self._clock()
        if now - self._said < PAUSE or not self._share() or _Status.line:
            return
        self._said = now
        left = self._seconds_left(now)
        more = {} if left is None else {"seconds_left": left}
        self._say(f"{self._stage}: {self._words(now)}", file=file, **more)

    def _share(self) -> float:
        return min((self._done + self._within) / self._parts, 1.0) if self._parts else 1.0

    def _seconds_left(self, now: float) -> int | None:
        """Estimate of the time that the stage still takes; None while too little is done for one."""
        share, gone = self._share(), now - self._began
        if share < LEAST_SHARE and gone < LEAST_SECONDS:
            return None
        return round(gone / share * (1 - share)) if share else None

    def _words(self, now: float) -> str:
        words = f"{self._done} of {self._parts} {self._kind}"
        if captures := self._captures + self._seen:
            a_second = captures / max(now - self._began, 1e-9)
            words += f", {count_of(captures, 'capture')}, {a_second:,.0f} a second"
        left = self._seconds_left(now)
        gone = f"{_clock(now - self._began)} gone"
        return f"{words}, {gone if left is None else f'{_clock(left)} left'}"

    def _line(self) -> str:
        """Line on the terminal: the stage, how far it is, how fast, and for how long still."""
        now = self._clock()
        return f"dbce: {self._stage} {bar(self._share())} {self._words(now)}"

    def _say(self, words: str, **fields: object) -> None:
        known = {"run": self._run, "stage": self._stage, "done": self._done, "of": self._parts}
        LOG.info(words, extra=known | fields)
