"""`make bench`: what each step costs, in milliseconds of CPU a page.

    python -m scripts.experiments.benchmark

Runs on shared data sets, found as all experiments find them, and on invented pages.
Steps are timed one after the other in this process. Whole runs are timed from
outside, with all the processes that they start: Python, Java, Python workers.
"""

from __future__ import annotations

import os
import platform
import resource
import sys
from collections import defaultdict
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import TYPE_CHECKING

from dbce import html, thesis
from dbce.archive import expand, read
from dbce.boilerplate.classify import load_model
from dbce.boilerplate.judge import BATCH_PAGES, as_annotated, page_evidence, verdicts
from dbce.boilerplate.sketch import signature, word_hashes
from dbce.engine import collect_rarely
from dbce.evaluate.results import table
from dbce.model import Capture, Config, Reject
from dbce.output.unit_writer import write_unit
from dbce.pipeline import compare_all, sketch_all
from dbce.storage.folder import Folder
from scripts.experiments import large, peers, ratios, reading
from scripts.experiments.cost import PER_MB, measured_cost
from scripts.experiments.sets import DATA

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SETS = ("cleanportaleval/cleanportaleval.warc.gz", "flink/flink.warc.gz")

RUNS = {
    "whole run, plain engine": "--master none",
    "whole run, Spark local[1]": "--master local[1]",
    "tokens and diff of the thesis": "--master none --signature layers --diff-engine lxml --method T002",
}
"""Whole runs by name, with their options."""

LITERAL_PAGES = 200
"""Pages that the thesis' method to the letter is timed on."""

LARGE_PAGES = 1000
"""Invented pages of 48 KB: enough for the start of a run to count little."""


class Clock:
    """Seconds of CPU by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        """Adds what the block costs to a step."""
        start = process_time()
        yield
        self.seconds[step] += process_time() - start


def main() -> None:
    """Prints tables: of reading, of steps by set, and of whole runs beside trafilatura."""
    print(f"`make bench`, {datetime.now(UTC):%Y-%m-%d}: {machine()}")
    collect_rarely()  # as a run does
    archives = [DATA / name for name in SETS if (DATA / name).exists()]
    if archives:
        print(f"\n{reading.report(archives[0])}")
    with TemporaryDirectory() as directory:
        invented = Path(directory, f"invented pages (large --captures {LARGE_PAGES})")
        large.main([str(invented), "--captures", str(LARGE_PAGES)])
        for archive in [*archives, invented]:
            _bench(archive)
        print(f"\n{ratios.report([*ratios.shared_archives(), invented])}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / PER_MB
    print(f"\nPeak memory of this process, which holds all pages of a set: {peak:.0f} MB.")


def _bench(archive: Path) -> None:
    clock = Clock()
    captures = time_steps(archive, Config(), clock)
    pages = len(captures)
    rows = [_row(step, seconds, pages) for step, seconds in clock.seconds.items()]
    rows.append(_row("sum of the steps", sum(clock.seconds.values()), pages))
    for name, options in RUNS.items():
        rows.append(_whole_run(name, archive, options, pages))
    rows.append(time_literally(captures))
    rows += time_peers(captures)
    size = sum(len(capture.payload) for capture in captures) / pages / 1000
    print(f"\n{archive.name}: {pages} pages of {size:.0f} KB on average\n")
    print(table(["step", "ms a page", "pages per CPU second", "remark"], rows))


def time_steps(archive: Path, config: Config, clock: Clock) -> list[Capture]:
    """Times every step of the plain engine; the captures that have verdicts."""
    sources = expand([str(archive)])
    with clock("read"):
        records = [record for source in sources for record in read(source, config.limits)]
    sketched = sketch_all(records, config)
    captures = [
        record
        for number, record in enumerate(records)
        if isinstance(record, Capture) and number in sketched.sketches
    ]
    for capture in captures:
        with clock("decode, parse, walk"):
            page = html.load(capture.payload, capture.content_type, config.limits).page
        with clock("tokens, signature"):
            signature(page, config.signature, config.num_perm, config.seed)
        with clock("word hashes"):
            word_hashes(page)
    with clock("compare"):
        annotations = compare_all(records, sketched, config).annotations
    load_model(config.model)
    results = []
    for start in range(0, len(captures), BATCH_PAGES):
        batch = [(c, annotations.get(c.record_id)) for c in captures[start : start + BATCH_PAGES]]
        with clock("parse again"):
            pages = [html.load(c.payload, c.content_type, config.limits) for c, _ in batch]
        with clock("verdicts (features, model)"):
            judged = [
                page_evidence(c.url, page, found, config)
                for page, (c, found) in zip(pages, batch, strict=True)
            ]
            of_batch = verdicts(judged, config)
        with clock("marks, text"):
            results += [
                as_annotated(c, found, page, runs, of.signs)
                for (c, found), page, runs, of in zip(batch, pages, of_batch, judged, strict=True)
            ]
    with TemporaryDirectory() as directory, clock("write"):
        write_unit(Folder(directory), "bench", results, config)
    return captures


def time_literally(captures: Sequence[Capture]) -> list[object]:
    """A row for the method of the thesis to the letter."""
    config = Config(method="thesis")
    start = process_time()
    sample = captures[:LITERAL_PAGES]
    results = [thesis.read_entry(capture, config) for capture in sample]
    pairs = [result for result in results if not isinstance(result, Reject)]
    bodies = {entry.record_id: body for entry, body in pairs}
    entries = [entry for entry, _ in pairs]
    compared = sum(1 for _ in thesis.compare(entries, bodies.__getitem__, config))
    seconds = process_time() - start
    remark = f"first {len(sample)} pages, {compared} of them with a partner"
    return _row("the thesis to the letter", seconds, len(sample), remark)


def time_peers(captures: Sequence[Capture]) -> Iterator[list[object]]:
    """A row for every peer that is installed, on the same decoded pages."""
    pages = [html.decode(capture.payload, capture.content_type).text for capture in captures]
    for name, peer in peers.installed_peers().items():
        start = process_time()
        empty = sum(not peers.extract(peer, page) for page in pages)
        seconds = process_time() - start
        yield _row(name, seconds, len(pages), f"nothing on {empty} pages" if empty else "")


def _whole_run(name: str, archive: Path, options: str, pages: int) -> list[object]:
    run = [sys.executable, "-m", "dbce.cli", "run", str(archive), *options.split()]
    with TemporaryDirectory() as directory:
        cost, output = measured_cost([*run, "--out", f"{directory}/out"])
    if cost["exit_code"]:
        *_, reason = ["no message", *output.strip().splitlines()]
        return [name, None, None, f"failed: {reason}"]
    remark = f"with its start; largest process {cost['peak_mb']:.0f} MB"
    return _row(name, cost["cpu_seconds"], pages, remark)


def _row(step: str, seconds: float, pages: int, remark: str = "") -> list[object]:
    # Less than a clock tick cannot be told from nothing.
    rate = round(pages / seconds) if seconds > 0 else None
    return [step, 1000 * seconds / pages, rate, remark]


def machine() -> str:
    """The machine and its Python, in words."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    cpu = models[0] if models else platform.machine()
    return f"{os.cpu_count()} cores ({cpu}), Python {platform.python_version()}, {sys.platform}"


if __name__ == "__main__":
    main()
