"""Cost of a run beside trafilatura's, set by set, in one sitting.

    python -m scripts.experiments.ratios [SET...]

A run is the plain engine's (`--master none`), timed from outside, less what it costs to start, which is a
run on one page. Trafilatura gets the same pages decoded, comments off, without its start.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from time import process_time
from typing import TYPE_CHECKING

from dbce import html
from dbce.archive import expand, read
from dbce.evaluate.results import table
from dbce.model import Capture, Config, InputError
from scripts.experiments import peers
from scripts.experiments.cost import asked
from scripts.experiments.sets import DATA

if TYPE_CHECKING:
    from collections.abc import Sequence

SETS = ("wcxb", "dragnet-sites", "dragnet", "cleaneval", "timelines", "flink")

PEER = "trafilatura"

HEADER = ("set", "pages", "mean KB", "dbce, ms a page", f"{PEER}, ms a page", "ratio", "largest MB")

ONE_PAGE = (
    "<title>One</title><p>One page in no language that is named, to load all that a run loads.</p>"
)


def report(archives: Sequence[Path]) -> str:
    """The table; without the peer its columns are empty."""
    with TemporaryDirectory() as directory:
        page = Path(directory, "page.html")
        page.write_text(ONE_PAGE)
        start, _ = whole_run(page)
    rows = [_row(archive, start) for archive in archives]
    ratios = [row[5] for row in rows if isinstance(row[5], float)]
    if ratios:
        rows.append(["mean of the ratios", *[None] * 4, mean(ratios), None])
    return f"A run on one page, its start: {start:.2f} s of CPU.\n\n{table(HEADER, rows)}"


def _row(archive: Path, start: float) -> list[object]:
    seconds, peak = whole_run(archive)
    pages, size, theirs = by_peer(archive)
    ours = 1000 * (seconds - start) / pages
    ratio = None if theirs is None else ours / theirs
    return [archive.name.partition(".")[0], pages, round(size), ours, theirs, ratio, round(peak)]


def whole_run(archive: Path) -> tuple[float, float]:
    """Seconds of CPU of a run with the plain engine, and megabytes of its largest process."""
    run = [sys.executable, "-m", "dbce.cli", "run", str(archive), "--master", "none"]
    with TemporaryDirectory() as directory:
        cost, said = asked([*run, "--out", f"{directory}/out"])
    if cost["exit_code"]:
        raise SystemExit(f"dbce run {archive} failed: {said}")
    return cost["cpu_seconds"], cost["peak_mb"]


def by_peer(archive: Path) -> tuple[int, float, float | None]:
    """Return the number of an archive's pages, their mean size in KB, and the peer's CPU time.

    CPU time is in milliseconds a page.
    """
    limits = Config().limits
    peer = peers.installed().get(PEER)
    count, size, seconds = 0, 0, 0.0
    for source in expand([str(archive)]):
        for one in read(source, limits):
            if not isinstance(one, Capture):
                continue
            count += 1
            size += len(one.payload)
            with suppress(
                InputError
            ):  # a page that is no text in any charset costs the peer nothing
                page = html.decode(one.payload, one.content_type).text
                start = process_time()
                if peer:
                    peers.extract(peer, page)
                seconds += process_time() - start
    return count, size / count / 1000, 1000 * seconds / count if peer else None


def shared(names: Sequence[str] = SETS) -> list[Path]:
    """The archives of the shared sets that are there."""
    found = [DATA / name / f"{name}.warc.gz" for name in names]
    return [archive for archive in found if archive.exists()]


if __name__ == "__main__":
    print(report(shared(sys.argv[1:] or SETS)))
