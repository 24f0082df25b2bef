"""What comparing costs on one host with very many captures of one template, from invented sketches alone.

    python -m scripts.experiments.skew [--sizes N...] [--masters MASTER...] [--of CAPTURES] [--method thesis]

Writes an index of each size, as stage 1 would have left it, runs stage 2 of a run on it, and prints CPU of all
processes, the largest process, and what Spark shuffled and spilled. A line through the sizes, with the standard
error of its slope, says what a host of so many captures as `--of` would take: a guess beyond what was measured.
With `--method thesis`, which compares pages, it is a whole run on an archive of small pages.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from dbce.archive import capture
from dbce.engine import Comparison
from dbce.evaluate.results import table
from dbce.model import Config, Progress, Sketch
from dbce.output.index import capture_row, write_unit
from dbce.run.one_file import Result, Stores, compare_units
from dbce.storage import Folder, Shelf
from scripts.experiments.benchmark import machine
from scripts.experiments.cost import measured_cost
from scripts.experiments.spark_events import events_of, noting_events, shuffle_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.output import Row

PER_FILE = 10_000
"""Captures of an archive file."""

SNAPSHOTS = 3
"""Captures of a page."""

NODES, WORDS, OF_TEMPLATE = 60, 1_000, 300
"""Text nodes and words of a page, and how many of these words all pages have."""

RENEWED = 0.1
"""Share of the values of a signature that is a page's own, and of its words that a snapshot has new."""

WEIGHED = ("Memory Bytes Spilled", "Disk Bytes Spilled")
"""What Spark tells of a task that had more than its memory holds."""

HEADER = (
    *("captures", "master", "CPU s", "CPU ms a capture", "wall s", "largest process MB"),
    *("shuffle KB a capture", "spilled MB"),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table and the guess."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 300_000, 1_000_000])
    parser.add_argument("--masters", nargs="+", default=["none", "local[2]"])
    parser.add_argument(
        "--of", type=int, default=50_000_000, help="captures of the host guessed at"
    )
    parser.add_argument("--method", choices=["joint", "thesis"], default="joint")
    parser.add_argument("--compare", help="compare what is in this folder, and nothing else")
    options = parser.parse_args(arguments)
    if options.compare:
        _compare(options.compare, options.masters[0])
        return
    print(f"`python -m scripts.experiments.skew`: {machine()}\n")
    rows: list[list[object]] = []
    for size in options.sizes:
        with TemporaryDirectory() as folder:
            is_literal = options.method == "thesis"
            if is_literal:
                _write_pages(Path(folder, "pages.warc.gz"), size)
            else:
                _write(Folder(f"{folder}/run"), size)
            for master in options.masters:
                command = _literal_run if is_literal else _comparison
                rows.append(_measured(Path(folder), command(folder, master), master, size))
                print(rows[-1], file=sys.stderr, flush=True)
    print(table(HEADER, rows))
    for master in options.masters:
        print(f"\n{master}: {_guess([row for row in rows if row[1] == master], options.of)}")


def _write(run: Folder, size: int) -> None:
    """Leave the index of a run of one host."""
    random = np.random.default_rng(size)
    for start in range(0, size, PER_FILE):
        rows = _rows(random, start, min(start + PER_FILE, size))
        write_unit(run.subfolder("index"), _name(start), rows, Config())


def _name(start: int) -> str:
    return f"{start:09}.warc.gz"


def _rows(random: np.random.Generator, start: int, stop: int) -> Iterator[Row]:
    config = Config()
    template = np.random.default_rng(0)
    signature = template.integers(1 << 32, size=config.num_perm, dtype=np.uint32)
    shared = template.integers(1 << 32, size=OF_TEMPLATE, dtype=np.uint32)
    places = template.integers(1 << 32, size=NODES, dtype=np.uint32)
    ends = np.linspace(0, WORDS, NODES + 1).astype(np.uint32)[1:]
    for number in range(start, stop):
        page, snapshot = divmod(number, SNAPSHOTS)
        # A page's chance values and words are those of its number, whichever file it is in.
        chance = np.random.default_rng(page)
        of_page = _replace_some(chance, signature)
        words = chance.integers(1 << 32, size=WORDS - OF_TEMPLATE, dtype=np.uint32)
        if snapshot:
            words = _replace_some(random, words)
        url = f"http://large.example/page/{page:09}"
        at = f"20{10 + snapshot}0101"
        one = capture(url, b"", at, record_id=f"urn:skew:{number}")
        sketch = Sketch(
            *(one.record_id, "large.example", one.surt, one.timestamp, of_page),
            *(np.concatenate([shared, words]), ends, places),
        )
        yield capture_row(one, sketch)


def _replace_some(random: np.random.Generator, values: np.ndarray) -> np.ndarray:
    """The values with a share of others among them."""
    others = random.integers(1 << 32, size=len(values), dtype=np.uint32)
    return np.where(random.random(len(values)) < RENEWED, others, values)


def _write_pages(path: Path, size: int) -> None:
    """Write an archive of one host whose pages differ in their words and in how many paragraphs they have."""
    words = np.array([f"word{number}" for number in range(5_000)])
    menu = "".join(f"<li><a href=/{number}>section {number}</a>" for number in range(12))
    with path.open("wb") as stream:
        writer = WARCWriter(stream, warc_version="WARC/1.1")
        for number in range(size):
            page, snapshot = divmod(number, SNAPSHOTS)
            chance = np.random.default_rng(page)
            text = "".join(f"<p>{' '.join(chance.choice(words, 40))}" for _ in range(3 + page % 9))
            body = (
                f"<title>{page}</title><ul>{menu}</ul><h1>Story {page}</h1>{text}<p>Seen {snapshot}"
            )
            record = writer.create_warc_record(
                f"http://large.example/page/{page:09}",
                "response",
                payload=BytesIO(f"<html><body>{body}<div>All rights reserved</div>".encode()),
                http_headers=StatusAndHeaders(
                    "200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1"
                ),
                warc_headers_dict={
                    "WARC-Date": f"20{10 + snapshot}-01-01T00:00:00Z",
                    "WARC-Record-ID": f"<urn:skew:{number}>",
                },
            )
            writer.write_record(record)


def _literal_run(folder: str, master: str) -> list[str]:
    run = ["-m", "dbce", "run", f"{folder}/pages.warc.gz", "--out", f"{folder}/out", "--overwrite"]
    options = ["--method", "thesis", "--classifier", "T001", "--split-bytes", "1000000"]
    return [sys.executable, *run, *options, "--master", master]


def _comparison(folder: str, master: str) -> list[str]:
    module = ["-m", "scripts.experiments.skew", "--compare", f"{folder}/run"]
    return [sys.executable, *module, "--masters", master]


def _measured(folder: Path, command: Sequence[str], master: str, size: int) -> list[object]:
    start = perf_counter()
    cost, output = measured_cost(command, noting_events(folder))
    if cost["exit_code"]:
        sys.exit(output)
    print(
        *(line for line in output.splitlines() if " by bucket" in line or "pieces" in line),
        sep="\n",
        file=sys.stderr,
    )
    events = [] if master == "none" else list(events_of(folder))
    tasks = [event.get("Task Metrics") or {} for event in events]
    spilled = sum(task.get(name, 0) for task in tasks for name in WEIGHED)
    cpu = cost["cpu_seconds"]
    return [
        *(size, master, cpu, 1000 * cpu / size, perf_counter() - start, cost["peak_mb"]),
        *(sum(map(shuffle_bytes, events)) / size / 1000, spilled / 1e6),
    ]


def _compare(uri: str, master: str) -> None:
    """Do stage 2 of the run in a folder; what is found stays there with Spark, and is counted without."""
    run = Folder(uri)
    units = [name.removesuffix(".parquet") for name in run.subfolder("index").names("*.parquet")]
    stores = Stores(run.subfolder("index"), run)
    if master == "none":
        with Shelf[Result]() as shelf:
            found = compare_units(units, stores, Config(), lambda _: None, shelf)
            print(sum(map(len, found.values())))
        return
    from dbce.engine.spark import OnSpark, running

    with running(master) as spark:
        comparison = Comparison(stores.index, (), run, Config(), dict, is_kept=True)
        of_captures = len(units) * PER_FILE
        table = OnSpark(spark).compare_on_executors(comparison, of_captures, Progress(""))
        print(table.count())


def _guess(rows: Sequence[Sequence[object]], captures: int) -> str:
    """What a line through CPU by captures says of so many of them."""
    if len(rows) < 3:
        return "a line has an error from three sizes on"
    sizes, seconds = (np.array([row[column] for row in rows], float) for column in (0, 2))
    (slope, start), covariance = np.polyfit(sizes, seconds, 1, cov="unscaled")
    left = seconds - (slope * sizes + start)
    error = np.sqrt(covariance[0, 0] * (left @ left) / (len(rows) - 2))
    hours, within = slope * captures / 3600, error * captures / 3600
    return (
        f"{1000 * slope:.2f} ± {1000 * error:.2f} ms a capture beyond the start; a host of {captures:,} "
        f"captures is compared in {hours:,.0f} ± {within:,.0f} hours of CPU"
    )


if __name__ == "__main__":
    main()
