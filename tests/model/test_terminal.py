"""The line that rewrites itself, and what it shows."""

import io

import pytest

from dbce.model import LOG, Progress, announce, end_line, log_to_stderr
from dbce.model.progress import StatusLine, bar
from tests.model.test_progress import Clock

ERASE = "\r\x1b[K"
NEVER = 3600.0


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def last(self) -> str:
        return self.getvalue().split(ERASE)[-1]


@pytest.fixture
def terminal(monkeypatch):
    """A terminal as stderr, in the middle of a command; nothing is drawn but when something happens."""
    before = LOG.handlers[:], LOG.level, LOG.propagate
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(
        "dbce.model.progress.StatusLine", lambda *what: StatusLine(*what, pace=NEVER)
    )
    monkeypatch.setenv("COLUMNS", "90")
    log_to_stderr("text")
    yield stream
    end_line()
    LOG.handlers[:], LOG.level, LOG.propagate = before


@pytest.mark.parametrize(
    ("share", "full"), [(0, 0), (0.049, 0), (0.05, 1), (0.5, 10), (1, 20), (7, 20), (-1, 0)]
)
def test_a_bar_is_full_to_its_share(share: float, full: int) -> None:
    assert bar(share) == f"[{'#' * full}{'-' * (20 - full)}]"


def test_other_lines_pass_above_it() -> None:
    stream = io.StringIO()
    shown = ["one"]
    line = StatusLine(stream, lambda: shown[0], NEVER)
    shown[0] = "two"
    line.print_above("a warning")
    line.end()
    line.draw()
    assert stream.getvalue().endswith(f"{ERASE}a warning\n{ERASE}two{ERASE}")


def test_it_is_as_long_as_the_terminal_is_wide(monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "11")
    stream = io.StringIO()
    StatusLine(stream, lambda: "x" * 99, NEVER).end()
    assert stream.getvalue() == f"{ERASE}{'x' * 10}{ERASE}"


def test_it_tells_stage_bar_rate_and_time_left_within_a_file_too(terminal: Terminal) -> None:
    clock = Clock()
    progress = Progress("run", clock)
    progress.stage(1, "read", 2, "reading 2 files")
    clock.now += 10
    progress.finish_part("a", 500)
    for _ in range(250):
        progress.set_share(0.5)
    clock.now += 5
    LOG.warning("warning: of two words")
    assert terminal.last() == (
        "dbce: read [###############-----] 1 of 2 files, 750 captures, 50 a second, 0:05 left"
    )
    assert f"{ERASE}dbce: warning: of two words\n" in terminal.getvalue()
    assert "stage 1 of 3" not in terminal.getvalue()


def test_before_anything_is_done_it_tells_the_time_that_has_gone(terminal: Terminal) -> None:
    clock = Clock()
    progress = Progress("run", clock)
    progress.stage(2, "compare", 1, "comparing pages", "step")
    clock.now += 61
    LOG.info("so")
    assert terminal.last() == "dbce: compare [--------------------] 0 of 1 step, 1:01 gone"


def test_what_is_done_before_the_first_stage_is_shown_from_the_first_second(terminal) -> None:
    assert terminal.getvalue().startswith(f"{ERASE}dbce: beginning, 0:00")
    announce("starting Spark")
    LOG.info("so")
    assert terminal.last() == "dbce: starting Spark, 0:00"
    end_line()
    assert terminal.last() == ""


def test_where_there_is_no_terminal_lines_come_within_a_large_file_too(capsys) -> None:
    before = LOG.handlers[:], LOG.level, LOG.propagate
    log_to_stderr("text")
    clock = Clock()
    progress = Progress("run", clock)
    announce("starting Spark")
    progress.stage(1, "read", 1, "reading 1 file")
    for _ in range(40):
        clock.now += 0.25
        progress.set_share((clock.now - 100) / 40)
    LOG.handlers[:], LOG.level, LOG.propagate = before
    assert capsys.readouterr().err.splitlines() == [
        "dbce: starting Spark",
        "dbce: stage 1 of 3, reading 1 file",
        "dbce: read: 0 of 1 file, 20 captures, 4 a second, 0:35 left",
        "dbce: read: 0 of 1 file, 40 captures, 4 a second, 0:30 left",
    ]
