"""What a run says while it works, and how often: line by line, or on a terminal in one that rewrites itself."""

import io
import json
import logging
from datetime import datetime

import pytest

from dbce.model import LOG, Progress, announce, count_of, end_line, log_to_stderr
from dbce.model.progress import PAUSE, StatusLine, bar


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (1200, "1,200 pages")]
)
def test_things_are_counted_in_the_singular_or_the_plural(number: int, told: str) -> None:
    assert count_of(number, "page") == told


class Clock:
    """A clock that is told the time."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(autouse=True)
def _as_it_was():
    before = LOG.handlers[:], LOG.level, LOG.propagate
    yield
    LOG.handlers[:], LOG.level, LOG.propagate = before


@pytest.fixture
def said(capsys):
    """The lines since the last look, of a log in text."""
    log_to_stderr("text")

    def lines() -> list[str]:
        return capsys.readouterr().err.splitlines()

    return lines


def test_files_captures_rate_and_time_left_come_every_few_seconds(said, clock):
    progress = Progress("run", clock)
    progress.stage(1, "read", 8, "reading 8 files")
    clock.now += PAUSE - 0.1
    progress.finish_part("a", 1000)
    assert said() == ["dbce: stage 1 of 3, reading 8 files"], "too early for a second line"
    clock.now += 15.1
    progress.finish_part("b", 3000)
    assert said() == ["dbce: read: 2 of 8 files, 4,000 captures, 200 a second, 1:00 left"]
    clock.now += PAUSE - 0.1
    progress.finish_part("c", 0)
    assert said() == []
    clock.now += 0.1
    progress.finish_part("d", 1000)
    assert said() == ["dbce: read: 4 of 8 files, 5,000 captures, 200 a second, 0:25 left"]


@pytest.mark.parametrize(
    ("stage", "passed", "line"),
    [
        ((2, "compare", 4, "comparing pages", "task"), (30, 3), "compare: 3 of 4 tasks, 0:10 left"),
        ((3, "judge", 4, "judging files"), (30, 3), "judge: 3 of 4 files, 0:10 left"),
        ((3, "judge", 4, "judging"), (30, 9), "judge: 4 of 4 files, 0:00 left"),  # no more than all
        # Time left is estimated when enough is done.
        ((1, "read", 1000, "reading"), (10, 1), "read: 1 of 1000 files, 0:10 gone"),
        ((1, "read", 1000, "reading"), (10, 30), "read: 30 of 1000 files, 5:23 left"),
        ((1, "read", 1000, "reading"), (3600, 90), "read: 90 of 1000 files, 10:06:40 left"),
    ],
)
def test_parts_of_a_stage_are_counted_by_their_name(said, clock, stage, passed, line):
    seconds, done = passed
    progress = Progress("run", clock)
    progress.stage(*stage)
    clock.now += seconds
    progress.set_parts_done(done)
    assert said()[1:] == [f"dbce: {line}"]


def test_a_stage_counts_from_its_own_beginning(said, clock):
    progress = Progress("run", clock)
    progress.stage(1, "read", 1, "reading")
    clock.now += 100
    progress.finish_part("a", 10)
    progress.stage(3, "judge", 2, "judging")
    clock.now += 10
    progress.finish_part("a", 10)
    assert said()[-1] == "dbce: judge: 1 of 2 files, 10 captures, 1 a second, 0:10 left"


def test_a_line_of_json_says_time_level_run_stage_and_file(said, clock):
    log_to_stderr("json")
    progress = Progress("d34db33f", clock)
    progress.stage(1, "read", 2, "reading 2 files")
    clock.now += 10
    progress.finish_part("größe.warc.gz", 50)
    first, second = map(json.loads, said())
    assert first["message"] == "stage 1 of 3, reading 2 files"
    moment = datetime.fromisoformat(second.pop("time"))
    assert moment.utcoffset().total_seconds() == 0
    assert second == {
        "level": "info",
        "message": "read: 1 of 2 files, 50 captures, 5 a second, 0:10 left",
        "run": "d34db33f",
        "stage": "read",
        "file": "größe.warc.gz",
        "done": 1,
        "of": 2,
        "seconds_left": 10,
    }


def test_a_warning_of_two_lines_is_one_line_of_json(said):
    log_to_stderr("json")
    logging.getLogger("dbce").warning("%d of %d\nrejected", 1, 5)
    (line,) = said()
    assert json.loads(line)["level"] == "warning"
    assert json.loads(line)["message"] == "1 of 5\nrejected"


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
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(
        "dbce.model.progress.StatusLine", lambda *what: StatusLine(*what, pace=NEVER)
    )
    monkeypatch.setenv("COLUMNS", "90")
    log_to_stderr("text")
    yield stream
    end_line()


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


def test_it_tells_stage_bar_rate_and_time_left_within_a_file_too(terminal, clock) -> None:
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


def test_before_anything_is_done_it_tells_the_time_that_has_gone(terminal, clock) -> None:
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


def test_where_there_is_no_terminal_lines_come_within_a_large_file_too(said, clock) -> None:
    progress = Progress("run", clock)
    announce("starting Spark")
    progress.stage(1, "read", 1, "reading 1 file")
    for _ in range(40):
        clock.now += 0.25
        progress.set_share((clock.now - 100) / 40)
    assert said() == [
        "dbce: starting Spark",
        "dbce: stage 1 of 3, reading 1 file",
        "dbce: read: 0 of 1 file, 20 captures, 4 a second, 0:35 left",
        "dbce: read: 0 of 1 file, 40 captures, 4 a second, 0:30 left",
    ]
