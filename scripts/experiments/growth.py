"""`make growth`: what a run costs at 1,000, 10,000 and 100,000 captures.

    python -m scripts.experiments.growth [--sizes N...] [--masters MASTER...] [--method NAME] [--templates N]

Generates an archive of each size (`large`), runs dbce on it, and prints CPU of all
processes, shuffled bytes, the largest process and the size of the index.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from dbce.evaluate.results import table
from scripts.experiments.benchmark import machine
from scripts.experiments.cost import asked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PER_FILE = 1000
"""Captures of a file."""

HEADER = (
    *("captures", "master", "CPU s", "CPU ms a page", "wall s", "comparing, wall ms a page"),
    *("shuffle KB a page", "index KB a page", "largest process MB"),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--masters", nargs="+", default=["none", "local[2]"])
    parser.add_argument("--method", default="joint")
    parser.add_argument("--templates", type=int, help="of all pages (default: by their number)")
    options = parser.parse_args(arguments)
    templates = f"{options.templates or 'several'} templates"
    print(f"`make growth`: {machine()}, method {options.method}, {templates}\n")
    rows = []
    for size in options.sizes:
        with TemporaryDirectory() as directory:
            archive = Path(directory, "archive")
            _generate(archive, size, options.templates)
            for master in options.masters:
                rows.append(_run(archive, Path(directory, "out"), master, size, options.method))
                print(rows[-1], file=sys.stderr, flush=True)
    print(table(HEADER, rows))


def _generate(archive: Path, size: int, templates: int | None) -> None:
    files = max(4, size // PER_FILE)
    options = ["--captures", f"{size}", "--files", f"{files}"]
    options += ["--templates", f"{templates}"] if templates else []
    large = [sys.executable, "-m", "scripts.experiments.large", str(archive)]
    subprocess.run([*large, *options], check=True, stdout=sys.stderr)


def _run(archive: Path, out: Path, master: str, size: int, method: str) -> list[object]:
    events = out.with_name("events")
    events.mkdir(exist_ok=True)
    (conf := out.with_name("conf")).mkdir(exist_ok=True)
    (conf / "spark-defaults.conf").write_text(
        f"spark.eventLog.enabled true\nspark.eventLog.compress false\n"
        f"spark.eventLog.dir file://{events}\n"
    )
    run = f"run {archive} --out {out} --overwrite --master {master} --method {method}"
    command = [sys.executable, "-m", "dbce.cli", *run.split()]
    cost, said = asked(command, os.environ | {"SPARK_CONF_DIR": str(conf)})
    if cost["exit_code"]:
        sys.exit(said)
    index = sum(file.stat().st_size for file in (out / "index").rglob("*.parquet"))
    seconds = json.loads((out / "run.json").read_text())["seconds"]
    shuffled = 0 if master == "none" else sum(map(_shuffled, events_of(events)))
    cpu = cost["cpu_seconds"]
    return [
        *(size, master, cpu, 1000 * cpu / size, sum(seconds.values())),
        1000 * seconds["compare"] / size,
        *(shuffled / size / 1000, index / size / 1000, cost["peak_mb"]),
    ]


def events_of(events: Path) -> Iterator[dict[str, Any]]:
    """The events of the run that ended last; none without Spark."""
    logs = [file for file in events.rglob("events_*") if file.is_file()]
    for newest in sorted(logs, key=lambda file: file.stat().st_mtime)[-1:]:
        with newest.open() as lines:
            yield from map(json.loads, lines)


def _shuffled(event: dict[str, Any]) -> int:
    metrics = event.get("Task Metrics") or {}
    return int(metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0))


if __name__ == "__main__":
    main()
