"""Ctrl-C: one line, exit code 130, nothing left running, and a run that can be gone on with."""

from __future__ import annotations

import os
import pty
import runpy
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from io import BufferedReader, RawIOBase
from itertools import product
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from uuid import uuid4

import pytest

from dbce.cli import main
from dbce.engine.spark import jvm, session
from dbce.engine.spark import tasks as spark_run
from dbce.model import Progress, announce
from dbce.model.interrupt import interrupt_once, interrupts_deferred
from dbce.storage import buffered_reader
from tests.gate import first
from tests.runs import ROOT, fails_with, files, in_python, process
from tests.site import snapshots, stored

STOPPED = "dbce: stopped by Ctrl-C; finished work is kept: the same command with --resume continues"
PATIENCE = 600  # seconds; the machine may be busy


class Called:
    """A command in a process group of its own, as a shell starts it."""

    def __init__(self, *words: object, stderr: int = subprocess.PIPE) -> None:
        self.mark = f"DBCE_TEST_MARK={uuid4()}"
        name, _, value = self.mark.partition("=")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dbce", *map(str, words)],
            cwd=ROOT,
            env=os.environ | {name: value, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=stderr,
            bufsize=0,
            start_new_session=True,
            # What a shell starts in the background passes over Ctrl-C, and the tests may run there.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )

    def stop(self) -> list[str]:
        """Ctrl-C, after which the exit code is that of Ctrl-C; what was said by then."""
        os.killpg(self.process.pid, signal.SIGINT)
        said = self.process.communicate(timeout=PATIENCE)[1]
        assert self.process.returncode == 130, said
        return (said or b"").decode().splitlines()

    def running(self) -> list[str]:
        """The commands of all processes that it has started, and that are there still."""
        return list(self._started().values())

    def numbers(self, command: str) -> list[int]:
        """The numbers of those whose command has a word in it."""
        return [number for number, called in self._started().items() if command in called]

    def _started(self) -> dict[int, str]:
        found = {}
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if self.mark.encode() in (place / "environ").read_bytes().split(b"\0"):
                    command = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    found[int(place.name)] = command
        return found

    def wait_for_input(self) -> None:
        """Waits until the command has an archive open: it is at work."""
        until = time.monotonic() + PATIENCE
        while not any(name.endswith(".warc.gz") for name in self._open_files()):
            assert time.monotonic() < until
            assert self.process.poll() is None
            time.sleep(0.001)

    def _open_files(self) -> Iterator[str]:
        for place in Path(f"/proc/{self.process.pid}/fd").glob("*"):
            with suppress(OSError):  # closed meanwhile
                yield str(place.readlink())

    def wait_for(self, sign: str) -> None:
        """Waits until a line with a sign is said, or a process with it in its command is there."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            if sign.startswith("dbce: ") and sign in self.process.stderr.readline().decode():
                return
            running = self.running()
            if any(sign in form for c in running for form in (c, c.replace("-", "").lower())):
                return
            time.sleep(0.01)
        raise AssertionError(f"there was no {sign}")


def run_on(crawl: Path, out: Path, master: str) -> list[object]:
    return ["run", crawl, "--out", out, "--master", master, "--method", "T002"]


MOMENTS = ("dbce: stage 3", "dbce: stage 1", "dbce: stage 2")
BEFORE = {"dbce: stage 2": "compare_units", "dbce: stage 3": "judge_file"}
"""The first function of a stage, by what is said when it begins."""

interrupted = fails_with(KeyboardInterrupt())


@pytest.mark.slow
@pytest.mark.parametrize("moment", first(MOMENTS))
def test_a_run_is_stopped_in_one_line_and_goes_on(crawl: Path, tmp_path: Path, moment: str) -> None:
    called = Called(*run_on(crawl, tmp_path / "out", "none"))
    called.wait_for(moment)
    assert [line for line in called.stop() if "dbce: stage" not in line] == [STOPPED]
    assert called.running() == []
    assert "run.lock" not in files(tmp_path / "out")
    assert main([*map(str, run_on(crawl, tmp_path / "out", "none")), "--resume"]) == 0
    assert "run.json" in files(tmp_path / "out")


@pytest.mark.spark
@pytest.mark.parametrize(
    ("moment", "later"),
    [
        ("-XshowSettings", 0),  # the first Java, which is asked for its version
        ("sparksubmit", 0),  # the script, or what it has become by the time that it is seen
        ("org.apache.spark.deploy.SparkSubmit", 0),
        ("org.apache.spark.deploy.SparkSubmit", 1),
        ("org.apache.spark.deploy.SparkSubmit", 3),
        ("dbce: stage 1", 0),
        ("dbce: stage 1", 2),
        ("dbce: stage 2", 1),
        ("dbce: stage 3", 0),
    ],
)
@pytest.mark.nightly
def test_no_java_is_left_behind(crawl: Path, tmp_path: Path, moment: str, later: float) -> None:
    words = run_on(crawl, tmp_path / "out", "local[2]")
    if moment in BEFORE:  # Spark need not do what comes before
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(f"dbce.run.job.{BEFORE[moment]}", interrupted)
            assert main(list(map(str, run_on(crawl, tmp_path / "out", "none")))) == 130
        words.append("--resume")
    called = Called(*words)
    called.wait_for(moment)
    time.sleep(later)
    stages = ("dbce: sta", "dbce: read", "dbce: compare", "dbce: judge")
    assert [line for line in called.stop() if not line.startswith(stages)] == [STOPPED]
    until = time.monotonic() + PATIENCE / 20  # Python workers see that their Java is gone
    while called.running() and time.monotonic() < until:
        time.sleep(0.1)
    assert called.running() == []
    if (tmp_path / "out").exists():
        assert "run.lock" not in files(tmp_path / "out")


@pytest.mark.spark
def test_what_py4j_says_of_a_connection_that_broke_is_heard_by_nobody() -> None:
    program = (
        "import logging\nlogging.basicConfig()\nfrom pyspark import SparkContext\n"
        "from dbce.engine.spark.jvm import ctrl_c_is_ours\nwith ctrl_c_is_ours():\n    pass\n"
        "logging.getLogger('py4j.clientserver').error('broken')\n"
        "logging.getLogger('another').error('heard')\n"
    )
    said = in_python(program).stderr
    assert "broken" not in said
    assert "heard" in said


@pytest.mark.spark
@pytest.mark.nightly
def test_spark_starts_without_a_word_of_java(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(stored(*snapshots(2014)))
    called = Called(*run_on(tmp_path / "a.warc.gz", tmp_path / "out", "local[2]"))
    out, err = called.process.communicate(timeout=PATIENCE)
    assert called.process.returncode == 0
    assert out.decode().startswith("captures  ")
    assert {line.split()[0] for line in err.decode().splitlines()} == {"dbce:"}
    assert err.decode().splitlines()[0] == "dbce: starting Spark"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["check", "{}", "--jobs", "2"],
        ["check", "{}"],
        ["nightly", "{}", "--archive", "{}/n", "--master", "none"],
    ],
)
def test_other_commands_are_stopped_in_one_line_too(crawl: Path, tmp_path: Path, words) -> None:
    # Enough for a quick machine, and for one so busy that this test is late.
    for number, file in product(range(1000), crawl.glob("*.warc.gz")):
        (tmp_path / f"in/{number}").mkdir(parents=True, exist_ok=True)
        (tmp_path / f"in/{number}" / file.name).hardlink_to(file)
    called = Called(*(word.format(tmp_path / "in") for word in words))
    if "2" in words:
        called.wait_for("spawn_main")
    else:
        called.wait_for_input()
    (said,) = [line for line in called.stop() if not line.startswith(("dbce: stage", "dbce: run"))]
    assert said.startswith("dbce: stopped by Ctrl-C")
    assert called.running() == []


EXECUTED = "lambda options: exec('raise KeyboardInterrupt')"
IN_COMPILED_CODE = "lambda options: made_an_error()"


@pytest.mark.parametrize("command", [EXECUTED, IN_COMPILED_CODE], ids=["executed", "compiled"])
def test_what_a_library_makes_of_ctrl_c_has_the_same_exit_code(command, tmp_path):
    program = (
        "import dbce.commands.run, dbce.cli, signal, sys\n"
        "def made_an_error():\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n"
        "        raise ImportError('numpy failed to import') from None\n"
        f"dbce.commands.run.check_command = {command}\n"
        "sys.exit(dbce.cli.main())\n"
    )
    (tmp_path / "interrupted.py").write_text(program)
    command = [sys.executable, "-m", "interrupted", "check", "x"]
    path = f"{ROOT}{os.pathsep}{tmp_path}"
    assert process(*command, code=130, PYTHONPATH=path).stderr == "dbce: stopped by Ctrl-C\n"


@pytest.fixture
def terminal(crawl, tmp_path) -> Iterator[tuple[Called, int]]:
    """A run that draws on a terminal, and the end of that which is read."""
    ours, theirs = pty.openpty()
    called = Called(*run_on(crawl, tmp_path / "out", "none"), stderr=theirs)
    os.close(theirs)
    yield called, ours
    os.close(ours)


def rest_of(ours: int) -> bytes:
    """Bytes drawn until the other side is closed."""
    shown = b""
    with suppress(OSError):  # what Linux says then
        while data := os.read(ours, 4096):
            shown += data
    return shown


@pytest.mark.slow
def test_on_a_terminal_one_line_rewrites_itself_and_is_gone_in_the_end(terminal):
    called, ours = terminal
    drawn = rest_of(ours).decode().split("\r\x1b[K")
    out, _ = called.process.communicate(timeout=PATIENCE)
    assert called.process.returncode == 0
    assert [drawn[0], drawn[1], drawn[-1]] == ["", "dbce: beginning, 0:00", ""]
    assert not any("\n" in one or len(one) > 79 for one in drawn)
    reading = [one for one in drawn if one.startswith("dbce: read [")]
    assert any("[#" in one and "captures, " in one and " a second, 0:" in one for one in reading)
    assert any(one.startswith("dbce: judge [") for one in drawn)
    assert "dbce" not in out.decode().split("outputs")[0]


def test_on_a_terminal_ctrl_c_leaves_its_line_alone(terminal):
    called, ours = terminal
    shown = b""
    while b"dbce: read [#" not in shown:
        shown += os.read(ours, 4096)
    called.stop()
    shown += rest_of(ours)
    assert shown.decode().split("\r\x1b[K")[-1] == f"{STOPPED}\r\n"


# In this process


def test_the_first_ctrl_c_counts_and_no_other_disturbs_what_cleans_up() -> None:
    before = signal.getsignal(signal.SIGINT)
    steps = []

    def clean_up() -> None:
        signal.raise_signal(signal.SIGINT)
        steps.append("cleaned up")

    with suppress(KeyboardInterrupt), interrupt_once(to_the_end=False), ExitStack() as stack:
        stack.callback(clean_up)
        signal.raise_signal(signal.SIGINT)
        steps.append("not reached")
    assert steps == ["cleaned up"]
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    "next_step",
    [
        lambda progress: progress.set_share(0.5),
        lambda progress: progress.stage(2, "compare", 1, "comparing 2 captures"),
        lambda _: announce("starting Spark"),
    ],
    ids=["a capture is done", "a stage begins", "Spark is started"],
)
def test_ctrl_c_that_gets_lost_counts_when_work_goes_on(next_step) -> None:
    progress = Progress("run")
    steps = []
    with suppress(KeyboardInterrupt), interrupt_once(to_the_end=False):
        progress.stage(1, "read", 2, "reading 2 files")
        with suppress(KeyboardInterrupt):  # as where an object is freed
            signal.raise_signal(signal.SIGINT)
        steps.append("gone on")
        next_step(progress)
        steps.append("not reached")
    assert steps == ["gone on"]
    next_step(progress)


class Interrupted(RawIOBase):
    """A file that is asked where it stands when Ctrl-C comes."""

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        signal.raise_signal(signal.SIGINT)
        return 0


def test_ctrl_c_while_a_file_is_opened_is_not_lost() -> None:
    with interrupt_once(to_the_end=False):
        BufferedReader(Interrupted())  # Python drops it
    with interrupt_once(to_the_end=False):
        with pytest.raises(KeyboardInterrupt):
            buffered_reader(Interrupted())
        assert buffered_reader(Interrupted()).readable(), "files can be opened after Ctrl-C"


def test_ctrl_c_that_is_held_back_comes_later() -> None:
    steps = []
    with suppress(KeyboardInterrupt), interrupt_once(to_the_end=False):
        with interrupts_deferred():
            os.kill(os.getpid(), signal.SIGINT)
            steps.append("started")
        steps.append("not reached")
    assert steps == ["started"]


def test_ctrl_c_before_all_is_loaded_is_one_line_too(monkeypatch, capsys) -> None:
    half = type("Half", (), {"__getattr__": fails_with(KeyboardInterrupt())})()
    monkeypatch.setitem(sys.modules, "dbce.cli", half)
    with pytest.raises(SystemExit, match="130"):
        runpy.run_module("dbce.__main__")
    assert capsys.readouterr().err == "dbce: stopped by Ctrl-C\n"


@pytest.mark.spark
def test_what_breaks_of_ctrl_c_is_no_error_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """py4j drops the interrupt, and whoever asks it next is told that the connection is gone."""
    ended = []
    opened = SimpleNamespace(stop=lambda: None, sparkContext=SimpleNamespace(master="local[1]"))
    monkeypatch.setattr(session, "open_session", lambda _: opened)
    monkeypatch.setattr(jvm, "end", lambda: ended.append(True))

    def run() -> None:
        with interrupt_once(to_the_end=False), session.running("local[1]"):
            with suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            raise ConnectionError("Java is gone")

    with pytest.raises(KeyboardInterrupt):
        run()
    assert ended == [True]


class Gone:
    """A context of Spark whose Java ends after the first look at its tasks."""

    def __init__(self, error: BaseException) -> None:
        self.asked, self.error = Event(), error

    def setJobDescription(self, _: str) -> None:  # noqa: N802 - Spark's own name
        pass

    def statusTracker(self) -> Gone:  # noqa: N802
        return self

    def getStageInfo(self, stage: int) -> None:  # noqa: N802
        pass

    def getActiveStageIds(self) -> list[int]:  # noqa: N802
        self.asked.set()
        raise self.error


@pytest.mark.spark
@pytest.mark.parametrize("error", [ConnectionError("Java is gone"), KeyboardInterrupt()])
def test_the_thread_that_counts_tasks_ends_without_a_word(error, monkeypatch):
    said: list[object] = []
    monkeypatch.setattr(threading, "excepthook", said.append)
    context = Gone(error)
    with spark_run.watch_tasks(SimpleNamespace(sparkContext=context), Progress("run")):
        assert context.asked.wait(PATIENCE)
    assert said == []
