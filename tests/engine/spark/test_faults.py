"""Machines die, disks fill up, tasks fail: on a real cluster the bytes stay those of a quiet run."""

import importlib.util
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import pytest

from dbce.engine.spark.java import java_home
from scripts.experiments import large
from scripts.experiments.faults import (
    QUIET,
    Run,
    cluster,
    differences,
    kill_executor,
    kill_worker,
    wait_until,
    watch_outputs,
)
from tests.runs import TRUSTING, files, finished_run
from tests.site import write_years

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.nightly]

FILES = 4

JAVA = {
    name: f"{QUIET[name]} {TRUSTING}"
    for name in ("spark.driver.extraJavaOptions", "spark.executor.extraJavaOptions")
}


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("large") / "archive"
    size = ["--captures", str(12 * FILES), "--files", str(FILES), "--pages", "8"]
    large.main([str(folder), *size])
    return folder


@pytest.fixture(scope="module")
def undisturbed(archive) -> Path:
    return finished_run(archive, archive.with_name("undisturbed"), method="T002")


@pytest.fixture(scope="module")
def master(tmp_path_factory) -> Iterator[str]:
    with cluster(tmp_path_factory.mktemp("cluster") / "c") as url:
        yield url


@pytest.fixture
def another_host(master, tmp_path) -> Iterator[None]:
    """A worker at another address: Spark makes no second attempt on the host of the first."""
    home = Path(importlib.util.find_spec("pyspark").origin).parent
    log = tmp_path / "worker.log"
    options = ["--host", "127.0.0.2", "--webui-port", "0", "--cores", "1", "--memory", "600m"]
    command = [home / "bin" / "spark-class", "org.apache.spark.deploy.worker.Worker", *options]
    with log.open("w") as said:
        worker = subprocess.Popen(
            [*command, "--work-dir", tmp_path / "work", master],
            env=os.environ
            | {"JAVA_HOME": str(java_home()), "SPARK_HOME": str(home)}
            | {"SPARK_CONF_DIR": str(tmp_path), "SPARK_LOCAL_IP": "127.0.0.2"},
            stdout=said,
            stderr=said,
        )
    wait_until(lambda: "Successfully registered with master" in log.read_text(), 60)
    yield
    worker.terminate()
    worker.wait()


@pytest.fixture
def start(master, archive, tmp_path):
    """Starts a run on the cluster; its number is part of where its notes are."""
    runs: list[Run] = []

    def started(
        out: Path,
        *options: str,
        archive: Path = archive,
        method: str = "T002",
        master: str = master,
        faults: str = "",
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> Run:
        words = [archive, "--out", out, "--master", master, "--method", method, *options]
        words += ["--partitions", "4"]
        runs.append(Run(words, tmp_path / f"notes-{len(runs)}", faults, {**JAVA, **settings}))
        return runs[-1]

    yield started
    for run in runs:
        if run.process.poll() is None:
            run.kill()


def times(out: Path, *patterns: str) -> dict[str, int]:
    """When files were written, in nanoseconds; those that are not whole have hidden names."""
    paths = (path for pattern in patterns for path in out.glob(pattern))
    return {str(path.relative_to(out)): path.stat().st_mtime_ns for path in paths}


def finished_units(out: Path) -> dict[str, int]:
    done = [path.stem for path in out.glob("work/units/[!.]*.json")]
    return times(out, "index/[!.]*", *(f"warc/{name}.dbce.warc.gz" for name in done))


def left_behind(out: Path) -> list[str]:
    return [name for name in files(out) if "/." in name or name.startswith(("work/", "run.lock"))]


def test_the_driver_dies_in_each_stage_and_the_run_goes_on(start, archive, undisturbed, tmp_path):
    """Power is cut three times; a file that breaks off appears meanwhile; an executor dies, too."""
    out = tmp_path / "out"
    late = archive / "late.warc.gz"
    with watch_outputs(out) as seen:
        run = start(out, faults="index_file=hold")
        run.waiting_process("index_file")
        wait_until(lambda: len(times(out, "index/[!.]*")) == FILES - 1)
        late.write_bytes((archive / "large-00000.warc.gz").read_bytes()[:-1000])
        run.kill()
        done = finished_units(out)
        assert len(done) == FILES - 1
        assert (out / "run.lock").exists()

        run = start(out, "--resume", faults="compare_what_can_be=hold")
        run.waiting_process("compare_what_can_be")
        run.kill()
        assert "1 file came since the run began" in run.printed_text()
        assert done.items() <= finished_units(out).items()
        assert len(finished_units(out)) == FILES
        assert not (out / "work/compared").exists()

        run = start(out, "--resume", faults="judge_file=hold")
        run.waiting_process("judge_file")
        wait_until(lambda: len(times(out, "work/units/[!.]*")) == FILES - 1)
        run.kill()
        done = finished_units(out)
        annotations = times(out, "work/annotations/*")
        assert (out / "work/compared").exists()
        assert not (out / "run.json").exists()

        run = start(out, "--resume", faults="judge_file=hold")
        kill_executor(run.waiting_process("judge_file"))
        assert times(out, "work/annotations/*") == annotations
        assert run.code() == 0, run.printed_text()
    late.unlink()
    assert done.items() <= times(out, "index/*", "warc/*").items(), "what was done was done again"
    assert differences(out, undisturbed, seen) == []
    assert left_behind(out) == []


@pytest.mark.usefixtures("another_host")
def test_of_two_runs_started_at_once_one_wins_and_speculation_is_harmless(
    start, undisturbed, tmp_path
):
    """A task that stands still is overtaken by a second attempt at the same file."""
    out = tmp_path / "out"
    eager = {
        "spark.speculation": "true",
        "spark.speculation.quantile": "0.5",
        "spark.speculation.minTaskRuntime": "100ms",
    }
    with watch_outputs(out) as seen:
        runs = [start(out, faults="judge_file=hold", settings=eager) for _ in range(2)]
        codes = [run.code() for run in runs]
    assert sorted(codes) == [0, 2], [run.printed_text() for run in runs]
    winner, loser = (runs[codes.index(code)] for code in (0, 2))
    (said,) = loser.printed_text().splitlines()
    assert said.startswith(f"dbce: another dbce works in {out}: process {winner.process.pid} on ")
    assert (winner.notes / "judge_file.held").exists()
    assert differences(out, undisturbed, seen) == []
    assert left_behind(out) == []


@contextmanager
def small_disk(place: Path, size: int) -> Iterator[Path]:
    place.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={size}", "tmpfs", place]
    mounted = subprocess.run(["mount", *options], capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"a small disk needs the right to mount: {mounted.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def test_a_full_disk_is_one_sentence_and_with_more_room_the_run_goes_on(
    start, undisturbed, tmp_path
):
    """On one machine, which is where a disk is shared by all that work."""
    room = sum(path.stat().st_size for path in undisturbed.glob("index/*")) + 200_000
    with small_disk(tmp_path / "disk", room) as disk, watch_outputs(disk / "out") as seen:
        out = disk / "out"
        # Of pages that are kept there would be no room for the index.
        run = start(out, "--keep-pages", "no", master="local[2]")
        assert run.code() == 4, run.printed_text()
        assert run.printed_text().splitlines()[-1] == (
            f"dbce: no space is left to write to {out}; make room; "
            "finished work is kept: the same command with --resume continues"
        )
        done = finished_units(out)
        assert len(times(out, "index/*")) == FILES, "stage 1 had room"
        assert not (out / "run.lock").exists()
        subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
        run = start(out, "--resume", master="local[2]")
        assert run.code() == 0, run.printed_text()
        assert done.items() <= times(out, "index/*", "warc/*").items()
        assert differences(out, undisturbed, seen) == []
        assert left_behind(out) == []


def test_memory_of_an_executor_ends_and_with_more_the_run_goes_on(start, undisturbed, tmp_path):
    out = tmp_path / "out"
    with watch_outputs(out) as seen:
        run = start(out, settings={"spark.executor.pyspark.memory": "100m"})
        assert run.code() == 4, run.printed_text()
        assert run.printed_text().splitlines()[-1].startswith("dbce: out of memory"), (
            run.printed_text()
        )
        run = start(out, "--resume")
        assert run.code() == 0, run.printed_text()
    assert differences(out, undisturbed, seen) == []
    assert left_behind(out) == []


def test_with_the_method_of_the_thesis_a_driver_and_an_executor_die_and_the_bytes_stay(
    start, tmp_path
):
    """Those of a run in one process, in two cores, and on the cluster, in the middle of a bucket."""
    archive = write_years(tmp_path / "archive", 2015, 2016)
    options = {"archive": archive, "method": "thesis"}
    plain, local, out = (tmp_path / name for name in ("plain", "local", "out"))
    for place, name in ((plain, "none"), (local, "local[2]")):
        run = start(place, master=name, **options)
        assert run.code() == 0, run.printed_text()
    assert differences(local, plain) == []
    with watch_outputs(out) as seen:
        run = start(out, faults="annotate_cross=hold", **options)
        run.waiting_process("annotate_cross")
        run.kill()
        run = start(out, "--resume", faults="annotate_cross=hold", **options)
        kill_executor(run.waiting_process("annotate_cross"))
        assert run.code() == 0, run.printed_text()
    assert differences(out, plain, seen) == []
    assert left_behind(out) == []


def test_an_executor_dies_tasks_fail_twice_and_the_other_worker_does_all_the_work(
    start, undisturbed, tmp_path
):
    """The executor with half a file of the index; every file of stage 3 fails twice; then a worker with half a file.

    The last one here: the cluster stays with one worker.
    """
    out = tmp_path / "out"
    with watch_outputs(out) as seen:
        # What fails is around what holds: a file fails twice before it stands still.
        run = start(out, faults="index_file=hold,judge_file=hold,judge_file=fail")
        kill_executor(run.waiting_process("index_file"))
        kill_worker(run.waiting_process("judge_file"))
        assert run.code() == 0, run.printed_text()
    assert len(list(run.notes.glob("judge_file.*.2"))) == FILES, "every file failed twice"
    assert differences(out, undisturbed, seen) == []
    assert left_behind(out) == []
