"""Kills parts of a cluster while dbce works on it, and compares.

    python -m scripts.experiments.faults ARCHIVE [--method NAME]

Starts a standalone cluster on this machine, makes an undisturbed run, then runs in which executors, a
worker or the driver are killed (kill -9) in the middle of a file. Every one must end with the same bytes,
if need be after --resume, and no half-written file may be seen while it works. tests/engine/spark/test_faults.py
does the same, and more, on invented pages. Exit code 1: something differed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from dbce.engine.spark.java import java_home
from dbce.storage import FIXITY, Fixity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]

OUTPUTS = ("index", "warc", "pages", "nodes", "rejects")
"""Folders whose files depend on nothing but input and configuration."""

SECONDS = re.compile(r"^dbce_stage_seconds\{.*\n", re.MULTILINE)

PATIENCE = 300.0
"""Seconds that a step may take to begin, or a run to end."""

QUIET = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


class Run:
    """A run of dbce as a process group of its own: the driver's Python and its Java."""

    def __init__(
        self,
        words: Sequence[str | Path],
        notes: Path,
        faults: str = "",
        settings: dict[str, str] | None = None,
    ) -> None:
        notes.mkdir(parents=True, exist_ok=True)
        self.notes = notes
        options = [f"--conf {key}={value!r}" for key, value in (QUIET | (settings or {})).items()]
        surroundings = os.environ | {
            "JAVA_HOME": str(java_home()),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_CONF_DIR": str(ROOT / "conf"),
            "PYSPARK_SUBMIT_ARGS": " ".join([*options, "pyspark-shell"]),
        }
        self._said = (notes / "said").open("w+")
        self.process = subprocess.Popen(
            [
                sys.executable,
                Path(__file__).with_name("fault_job.py"),
                notes,
                faults,
                "run",
                *words,
            ],
            env=surroundings,
            stdout=self._said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def printed_text(self) -> str:
        """Text that the run has printed so far."""
        return (self.notes / "said").read_text()

    def waiting_process(self, step: str) -> int:
        """The process of the task that stands still in a step, as soon as one does."""
        note = self.notes / f"{step}.held"
        wait_until(lambda: note.exists() or self.process.poll() is not None)
        if not note.exists():
            raise AssertionError(f"ended before it held in {step}: {self.printed_text()[-3000:]}")
        return int(note.read_text())

    def kill(self) -> None:
        """Kills the driver, Python and Java, as a machine that loses its power."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._said.close()

    def code(self) -> int:
        """The exit code, when it has ended."""
        try:
            return self.process.wait(PATIENCE)
        finally:
            self._said.close()


def wait_until(true: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Looks until something is so."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.02)


def ancestor(process: int, generations: int) -> int:
    """The parent of a process, or the parent's parent, and so on."""
    for _ in range(generations):
        parent = subprocess.run(
            ["ps", "-o", "ppid=", "-p", str(process)], capture_output=True, text=True, check=True
        )
        process = int(parent.stdout)
    return process


def kill_executor(task: int) -> None:
    """Kills the executor that a task runs in: task, daemon of Python, Java."""
    os.kill(ancestor(task, 2), signal.SIGKILL)


def kill_worker(task: int) -> None:
    """Kills the worker whose executor a task runs in."""
    os.kill(ancestor(task, 3), signal.SIGKILL)


@contextmanager
def watch_outputs(out: Path) -> Iterator[dict[tuple[str, bytes], None]]:
    """Collects (name, content) of every output that can be seen while the block lasts."""
    seen: dict[tuple[str, bytes], None] = {}
    last: dict[Path, tuple[int, int, int]] = {}
    over = Event()

    def look() -> None:
        for kind in OUTPUTS:
            for path in out.glob(f"{kind}/[!.]*"):
                state = path.stat()
                now = (state.st_ino, state.st_size, state.st_mtime_ns)
                if last.get(path) != now:
                    last[path] = now
                    seen[str(path.relative_to(out)), path.read_bytes()] = None

    def watch() -> None:
        while not over.wait(0.01):
            look()

    watcher = Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        over.set()
        watcher.join()
        look()


def outputs(out: Path) -> dict[str, bytes]:
    """All files of a finished run, without the seconds that it took."""
    found = {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file()}
    manifest = json.loads(found["run.json"])
    del manifest["seconds"]
    found["run.json"] = json.dumps(manifest).encode()
    found["metrics.prom"] = SECONDS.sub("", found["metrics.prom"].decode()).encode()
    listed = Fixity.from_bytes(found[FIXITY])
    found[FIXITY] = "\n".join(listed.files).encode() if listed else b"damaged"
    return found


def differences(
    out: Path, undisturbed: Path, seen: dict[tuple[str, bytes], None] | None = None
) -> list[str]:
    """Return the outputs that differ from the undisturbed run, those seen while it worked too."""
    ours, theirs = outputs(out), outputs(undisturbed)
    found = [
        name for name in sorted(ours.keys() | theirs.keys()) if ours.get(name) != theirs.get(name)
    ]
    half = [f"{name}, while it ran" for name, data in seen or {} if theirs.get(name) != data]
    return found + half


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A cluster of two workers with a core each; its URL."""
    surroundings = os.environ | {"CLUSTER_DIR": str(folder)}
    script = ROOT / "scripts" / "setup" / "cluster.sh"
    started = subprocess.run(
        [script, "start", "--memory", "600m"],
        env=surroundings,
        capture_output=True,
        text=True,
        check=True,
    )
    try:
        yield started.stdout.strip()
    finally:
        subprocess.run([script, "stop"], env=surroundings, check=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Kills one thing after the other; the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archive", metavar="ARCHIVE", help="as the INPUT of dbce run")
    parser.add_argument("--method", default="joint", help="as for dbce run (default: joint)")
    options = parser.parse_args(arguments)
    failed = 0
    with tempfile.TemporaryDirectory() as name, cluster(Path(name) / "cluster") as master:
        place = Path(name)
        words = [options.archive, "--method", options.method, "--out"]
        plain = Run([*words, place / "plain", "--master", "none"], place / "notes")
        if plain.code() not in (0, 3):
            print(plain.printed_text(), file=sys.stderr)
            return 1
        for title, fault in FAULTS.items():
            start = time.monotonic()
            out = place / "out"
            with watch_outputs(out) as seen:
                fault([*words, out, "--master", master], place / title.replace(" ", "-"))
            found = differences(out, place / "plain", seen)
            subprocess.run(["rm", "-rf", out], check=True)
            print(
                f"{title}: {', '.join(found) or 'the same bytes'}, {time.monotonic() - start:.0f} s"
            )
            failed += bool(found)
    return int(failed > 0)


def _comparing_step(words: Sequence[str | Path]) -> str:
    return "annotate_cross" if "thesis" in words else "compare_what_can_be"


def _executors(words: Sequence[str | Path], notes: Path) -> None:
    steps = ("index_file", _comparing_step(words), "judge_file")
    run = Run(words, notes, ",".join(f"{step}=hold" for step in steps))
    for step in steps:
        kill_executor(run.waiting_process(step))
    _ended(run)


def _driver(words: Sequence[str | Path], notes: Path) -> None:
    for step in ("index_file", _comparing_step(words), "judge_file"):
        run = Run([*words, "--resume"], notes / step, f"{step}=hold")
        run.waiting_process(step)
        run.kill()
    _ended(Run([*words, "--resume"], notes / "last"))


def _worker(words: Sequence[str | Path], notes: Path) -> None:
    run = Run(words, notes, "judge_file=hold")
    kill_worker(run.waiting_process("judge_file"))
    _ended(run)


def _ended(run: Run) -> None:
    if run.code() not in (0, 3):
        raise RuntimeError(run.printed_text())


FAULTS: dict[str, Callable[[Sequence[str | Path], Path], None]] = {
    "an executor dies in each stage": _executors,
    "the driver dies in each stage": _driver,
    "a worker dies": _worker,
}


if __name__ == "__main__":
    sys.exit(main())
