"""`make growth`: what a run costs at 1,000, 10,000 and 100,000 captures.

    python -m scripts.experiments.growth [--sizes N...] [--masters MASTER...] [--method NAME] [--templates N]

Generates an archive of each size (`large`), runs dbce on it, and prints CPU of all
processes, shuffled bytes, the largest process and the size of the index.
"""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from dbce.evaluate.results import table
from scripts.experiments.benchmark import machine
from scripts.experiments.cost import measured_cost
from scripts.experiments.spark_events import events_of, noting_events, shuffle_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

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
            generate(archive, size, options.templates)
            for master in options.masters:
                rows.append(_run(archive, Path(directory, "out"), master, size, options.method))
                print(rows[-1], file=sys.stderr, flush=True)
    print(table(HEADER, rows))


def generate(archive: Path, size: int, templates: int | None) -> None:
    """Writes an archive of so many captures, in at least four files."""
    files = max(4, size // PER_FILE)
    options = ["--captures", f"{size}", "--files", f"{files}"]
    options += ["--templates", f"{templates}"] if templates else []
    large = [sys.executable, "-m", "scripts.experiments.large", str(archive)]
    subprocess.run([*large, *options], check=True, stdout=sys.stderr)


def _run(archive: Path, out: Path, master: str, size: int, method: str) -> list[object]:
    run = f"run {archive} --out {out} --overwrite --master {master} --method {method}"
    command = [sys.executable, "-m", "dbce.cli", *run.split()]
    cost, output = measured_cost(command, noting_events(out.parent))
    if cost["exit_code"]:
        sys.exit(output)
    index = sum(file.stat().st_size for file in (out / "index").rglob("*.parquet"))
    seconds = json.loads((out / "run.json").read_text())["seconds"]
    written = 0 if master == "none" else sum(map(shuffle_bytes, events_of(out.parent)))
    cpu = cost["cpu_seconds"]
    return [
        *(size, master, cpu, 1000 * cpu / size, sum(seconds.values())),
        1000 * seconds["compare"] / size,
        *(written / size / 1000, index / size / 1000, cost["peak_mb"]),
    ]


if __name__ == "__main__":
    main()
