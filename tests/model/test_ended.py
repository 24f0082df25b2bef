"""SIGTERM, and the death of the process that leads: a command ends whole, and leaves no process behind."""

import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from dbce.cli import main
from tests.browser import NONE, chromium
from tests.model.test_interrupt import PATIENCE, Called, run_on
from tests.runs import files, same
from tests.site import write_years

pytestmark = pytest.mark.slow  # whole commands, each in processes of its own

ON_SPARK = [pytest.mark.spark, pytest.mark.nightly]
SAID = ("dbce: starting", "dbce: stage", "dbce: read", "dbce: compare", "dbce: judge")
STOPPED = (
    "dbce: stopped by SIGTERM; finished work is kept: the same command with --resume continues"
)


def terminated(called: Called) -> list[str]:
    """What is said after SIGTERM to the process that leads alone, as systemd and Kubernetes send it."""
    called.process.send_signal(signal.SIGTERM)
    said = called.process.communicate(timeout=PATIENCE)[1]
    assert called.process.returncode == 143, said
    return [line for line in said.decode().splitlines() if not line.startswith(SAID)]


def killed(called: Called) -> None:
    """The process that leads has no time to do anything."""
    called.process.kill()
    called.process.wait()


def left(called: Called) -> list[str]:
    """What it has started and is there still, some seconds later."""
    until = time.monotonic() + PATIENCE / 20
    while called.running() and time.monotonic() < until:
        time.sleep(0.1)
    return called.running()


@pytest.mark.parametrize(
    ("master", "moment"),
    [
        ("none", "dbce: stage 3"),
        pytest.param("none", "dbce: stage 1", marks=pytest.mark.nightly),
        pytest.param("local[2]", "org.apache.spark.deploy.SparkSubmit", marks=ON_SPARK),
        pytest.param("local[2]", "dbce: stage 2", marks=ON_SPARK),
    ],
)
def test_a_run_ends_whole_and_goes_on(crawl, tmp_path, master, moment):
    called = Called(*run_on(crawl, tmp_path / "out", master))
    called.wait_for(moment)
    assert terminated(called) == [STOPPED]
    assert left(called) == []
    if (tmp_path / "out").exists():
        assert "run.lock" not in files(tmp_path / "out")
    if moment == "dbce: stage 3":
        again = Called(*run_on(crawl, tmp_path / "out", master), "--resume")
        again.process.communicate(timeout=PATIENCE)
        assert again.process.returncode == 0
        assert "run.json" in files(tmp_path / "out")


@pytest.mark.parametrize("master", ["none", pytest.param("local[2]", marks=ON_SPARK)])
def test_a_run_that_was_killed_leaves_no_process_and_goes_on_to_the_same_bytes(
    crawl: Path, tmp_path: Path, master: str
) -> None:
    undisturbed, out = tmp_path / "undisturbed", tmp_path / "out"
    assert main(list(map(str, run_on(crawl, undisturbed, "none")))) == 0
    called = Called(*run_on(crawl, out, master))
    called.wait_for("dbce: stage 3")
    killed(called)
    assert left(called) == []
    assert "run.json" not in files(out), "the run was over before it was killed"
    assert main([*map(str, run_on(crawl, out, master)), "--resume"]) == 0
    same(out, undisturbed)


@pytest.mark.spark
@pytest.mark.nightly
@pytest.mark.parametrize("moment", ["org.apache.spark.deploy.SparkSubmit", "dbce: stage 1"])
def test_java_ends_when_the_run_is_killed(crawl: Path, tmp_path: Path, moment: str) -> None:
    called = Called(*run_on(crawl, tmp_path / "out", "local[2]"))
    called.wait_for(moment)
    killed(called)
    assert left(called) == []


@pytest.mark.spark
@pytest.mark.nightly
@pytest.mark.parametrize("command", ["SparkSubmit", "pyspark.daemon"])
def test_where_a_process_of_spark_is_killed_one_sentence_says_so_and_the_run_goes_on(
    crawl: Path, tmp_path: Path, command: str
) -> None:
    """As the system does where memory ends; where Spark tries again by itself, nothing is said."""
    undisturbed, out = tmp_path / "undisturbed", tmp_path / "out"
    assert main(list(map(str, run_on(crawl, undisturbed, "none")))) == 0
    called = Called(*run_on(crawl, out, "local[2]"))
    called.wait_for("dbce: stage 3")
    called.wait_for(command)
    for number in called.numbers(command):
        os.kill(number, signal.SIGKILL)
    said = called.process.communicate(timeout=PATIENCE)[1].decode()
    assert called.process.returncode in ((4,) if command == "SparkSubmit" else (0, 4)), said
    assert called.process.returncode == 0 or "dbce: a Spark process was killed, often" in said
    assert left(called) == []
    assert main([*map(str, run_on(crawl, out, "local[2]")), "--resume"]) == 0
    same(out, undisturbed)


@pytest.mark.parametrize("ended", [terminated, killed])
@pytest.mark.parametrize(
    "words", [["check", "{crawl}"], ["run", "{crawl}", "--out", "{out}", "--master", "none"]]
)
def test_processes_end_with_the_one_they_work_for(crawl, tmp_path, words, ended):
    named = [word.format(crawl=crawl, out=tmp_path / "out") for word in words]
    called = Called(*named, "--jobs", "2")
    called.wait_for("spawn_main")
    ended(called)
    assert left(called) == []


@pytest.fixture(scope="module")
def laid_out(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run on two small archives, which was rendered."""
    if chromium() is None:
        pytest.skip(NONE)
    folder = tmp_path_factory.mktemp("laid-out")
    write_years(folder / "in", 2015, 2016)
    assert main(["run", f"{folder}/in", "--out", f"{folder}/out", "--master", "none"]) == 0
    assert main(["render", f"{folder}/in", "--out", f"{folder}/out", "--jobs", "1"]) == 0
    return folder


@pytest.mark.browser
@pytest.mark.parametrize(
    ("command", "ended"),  # they share how they share out their work
    [("segment", terminated), ("headings", killed), ("changes", terminated), ("migrate", killed)],
)
@pytest.mark.nightly
def test_what_reads_a_rendering_leaves_nothing_behind(laid_out, tmp_path, command, ended):
    shutil.copytree(laid_out, tmp_path / "copy")
    out = tmp_path / "copy/out"
    more = ["--archive", tmp_path / "copy/in", "--out", out] if command == "migrate" else []
    called = Called(command, out, *more, "--jobs", "2")
    called.wait_for("spawn_main")
    ended(called)
    assert left(called) == []
    called = Called(command, out, *more, "--jobs", "2", "--resume")
    said = called.process.communicate(timeout=PATIENCE)[1]
    assert called.process.returncode == 0, said


@pytest.mark.parametrize(
    "words", [["view", "{run}"], ["label", "{run}", "--gold", "{gold}"]], ids=["view", "label"]
)
def test_a_server_ends(sample_run: Path, tmp_path: Path, words: list[str]) -> None:
    named = [word.format(run=sample_run, gold=tmp_path / "gold.jsonl") for word in words]
    called = Called(*named, "--port", "0")
    assert called.process.stdout.readline().startswith(b"Open http://")
    assert terminated(called)[-1] == "dbce: stopped by SIGTERM"
    assert not [name for name in [*files(sample_run), *files(tmp_path)] if "lock" in name]
