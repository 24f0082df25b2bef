"""What a Spark standalone cluster of several executors does of the same run: work, its shares, and what travels.

    python -m scripts.experiments.executors [--captures N] [--executors N...]

Starts a cluster on this machine for each number of executors (`scripts/setup/cluster.sh`, a worker with one core
for each), runs dbce there on one generated archive (`large`), and prints CPU of all processes, the cluster's
own among them, and by stages how the tasks are spread. Where executors are more than cores of the machine, time by
the clock says nothing of a cluster. The annotated archives have to be the same bytes, whatever number of executors.
"""

from __future__ import annotations

import hashlib
import re
import sys
from argparse import ArgumentParser
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from dbce.evaluate.results import table
from scripts.experiments.benchmark import machine
from scripts.experiments.cost import measured_cost
from scripts.experiments.growth import generate
from scripts.experiments.spark_events import events_of, noting_events, shuffle_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CLUSTER = Path(__file__).parents[1] / "setup" / "cluster.sh"

ON_A_CLUSTER = f"""
trap '{CLUSTER} stop' EXIT
url=$({CLUSTER} start --workers "$1" --cores 1)
shift
"$@" --master "$url"
"""
"""Runs a command with the master of a cluster that lasts as long."""

STAGE = re.compile(r"dbce: stage (\d)")

WHOLE = ("executors", "CPU s", "CPU ms a page", "shuffle KB a page", "archives")
BY_STAGE = (
    *("executors", "stage", "tasks", "task seconds", "shuffle KB a page"),
    *("busiest executor / mean", "longest task / mean"),
)


class Spread(NamedTuple):
    """How a stage's work is spread: seconds of each task, seconds of each executor, bytes shuffled."""

    tasks: list[float]
    executors: Counter[str]
    written: int


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints two tables: runs, and their stages."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--captures", type=int, default=20_000)
    parser.add_argument("--executors", type=int, nargs="+", default=[1, 4])
    options = parser.parse_args(arguments)
    print(f"`python -m scripts.experiments.executors`: {machine()}, {options.captures} captures\n")
    runs: list[list[object]] = []
    stages: list[list[object]] = []
    with TemporaryDirectory() as directory:
        archive = Path(directory, "archive")
        generate(archive, options.captures, None)
        for executors in options.executors:
            folder = Path(directory, f"{executors}")
            folder.mkdir()
            cpu = _run(archive, folder, executors)
            spreads = spread(events_of(folder))
            written = sum(one.written for one in spreads.values())
            pages = options.captures
            per_page = written / pages / 1000
            runs.append([executors, cpu, 1000 * cpu / pages, per_page, _digest(folder / "out")])
            stages += [
                [executors, stage, *_shares(one, executors, pages)]
                for stage, one in sorted(spreads.items())
            ]
            print(runs[-1], file=sys.stderr, flush=True)
    print(table(WHOLE, runs))
    print()
    print(table(BY_STAGE, stages))


def _run(archive: Path, folder: Path, executors: int) -> float:
    """Run dbce on a cluster; seconds of CPU of all processes."""
    dbce = [sys.executable, "-m", "dbce", "run", str(archive), "--out", str(folder / "out")]
    shell = ["sh", "-euc", ON_A_CLUSTER, "sh", f"{executors}", *dbce]
    environment = noting_events(folder) | {"CLUSTER_DIR": str(folder / "cluster")}
    cost, output = measured_cost(shell, environment)
    if cost["exit_code"]:
        sys.exit(output)
    return cost["cpu_seconds"]


def spread(events: Iterable[dict[str, Any]]) -> dict[int, Spread]:
    """How the work of each stage of a run is spread, from Spark's events."""
    stage_of: dict[int, int] = {}
    found: dict[int, Spread] = defaultdict(lambda: Spread([], Counter(), 0))
    for event in events:
        if event["Event"] == "SparkListenerJobStart":
            description = event.get("Properties", {}).get("spark.job.description") or ""
            if named := STAGE.match(description):
                stage_of |= dict.fromkeys(event["Stage IDs"], int(named[1]))
        elif event["Event"] == "SparkListenerTaskEnd" and event["Stage ID"] in stage_of:
            stage = stage_of[event["Stage ID"]]
            info = event["Task Info"]
            seconds = (info["Finish Time"] - info["Launch Time"]) / 1000
            one = found[stage]
            one.tasks.append(seconds)
            one.executors[info["Executor ID"]] += seconds
            found[stage] = one._replace(written=one.written + shuffle_bytes(event))
    return dict(found)


def _shares(one: Spread, executors: int, pages: int) -> tuple[object, ...]:
    seconds = sum(one.tasks)
    return (
        *(len(one.tasks), seconds, one.written / pages / 1000),
        max(one.executors.values()) * executors / seconds,
        max(one.tasks) * len(one.tasks) / seconds,
    )


def _digest(out: Path) -> str:
    """The first letters of a SHA-256 of all annotated archives."""
    files = sorted(out.glob("warc/*"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


if __name__ == "__main__":
    main()
