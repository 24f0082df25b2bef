"""Cost of runs and of `dbce text` beside other extractors, set by set, in one sitting.

    python -m scripts.experiments.ratios [SET or ARCHIVE...]

Commands are timed from outside, the plain engine's (`--master none`), less what they cost to start, which is
the same command on one page. Others get the same pages decoded, comments off, without their start. The last
table has whole processes with their start: what somebody waits for who has an archive and wants its text.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from dbce import html
from dbce.archive import expand, read
from dbce.evaluate.results import table
from dbce.model import Capture, Config, InputError
from scripts.experiments import peers
from scripts.experiments.cost import measured_cost
from scripts.experiments.sets import DATA

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SETS = ("wcxb", "dragnet-sites", "dragnet", "cleaneval", "timelines", "flink")

DBCE = [sys.executable, "-m", "dbce.cli"]

OUT = "OUT"
"""Stands in a command for a folder that is made for it."""

COMMANDS = {
    "run": ["run", "--master", "none", "--out", OUT],
    "text": ["text", "--format", "txt"],
    "markdown": ["text", "--format", "markdown"],
}
"""Commands of ours by name."""

PLAIN = ("trafilatura", "Resiliparse")
"""Peers, as `peers` names them."""

RICH = "trafilatura, Markdown with metadata"

TREE = "lxml, the tree alone"

FASTWARC = """
import sys
from fastwarc.warc import ArchiveIterator, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
for record in ArchiveIterator(open(sys.argv[1], "rb"), record_types=WarcRecordType.response | WarcRecordType.resource):
    body = record.reader.read()
    if record.http_content_type in (None, "text/html", "application/xhtml+xml"):
        print(extract_plain_text(bytes_to_str(body, detect_encoding(body)), main_content=True))
"""
"""What is written of an archive's text where speed counts alone."""

ONE_PAGE = (
    "<title>One</title><p>One page in no language that is named, to load all that a run loads.</p>"
)


class Costs(NamedTuple):
    """What a set costs: milliseconds of CPU a page by name, without starts; megabytes; seconds of whole processes."""

    name: str
    pages: int
    kilobytes: float
    ours: dict[str, float]
    others: dict[str, float]
    megabytes: float
    processes: dict[str, float]


def report(archives: Sequence[Path]) -> str:
    """The tables; columns of what is not installed are empty."""
    with TemporaryDirectory() as directory:
        page = Path(directory, "page.html")
        page.write_text(ONE_PAGE)
        starts = {name: whole(ours(name), page)[0] for name in COMMANDS}
    costs = [costs_of(archive, starts) for archive in archives]
    start_times = ", ".join(f"{name} {seconds:.2f}" for name, seconds in starts.items())
    plain = ratio_table(costs, ("run", "text"), "trafilatura", (*PLAIN, TREE))
    rich = ratio_table(costs, ("markdown",), RICH, (RICH,))
    names = list(dict.fromkeys(name for one in costs for name in one.processes))
    processes = table(
        ("set", "run, largest MB", *(f"{name}, s" for name in names)),
        [[one.name, round(one.megabytes), *map(one.processes.get, names)] for one in costs],
    )
    return (
        f"Seconds of CPU to start, on one page: {start_times}.\n\n"
        f"Text alone, milliseconds of CPU a page:\n\n{plain}\n\n"
        f"Markdown with metadata, milliseconds of CPU a page:\n\n{rich}\n\n"
        f"Whole processes with their start, seconds of CPU:\n\n{processes}"
    )


def ratio_table(
    costs: Sequence[Costs], names: Sequence[str], peer: str, others: Sequence[str]
) -> str:
    """A table of costs and of their ratios to those of a peer, and the means of these."""
    header = ["set", "pages", "mean KB", *names, *others, *(f"{name} / {peer}" for name in names)]
    rows: list[list[object]] = []
    for one in costs:
        peer_cost = one.others.get(peer)
        ratios = [one.ours[name] / peer_cost if peer_cost else None for name in names]
        measured = [*map(one.ours.get, names), *map(one.others.get, others)]
        rows.append([one.name, one.pages, round(one.kilobytes), *measured, *ratios])
    means = [mean(ratio) for column in range(-len(names), 0) if (ratio := _numbers(rows, column))]
    if means:
        rows.append(["mean of the ratios", *[None] * (len(header) - 1 - len(means)), *means])
    return table(header, rows)


def _numbers(rows: Sequence[Sequence[object]], column: int) -> list[float]:
    return [value for row in rows if isinstance(value := row[column], float)]


def costs_of(archive: Path, starts: dict[str, float]) -> Costs:
    """The costs of a set."""
    pages, size, others = by_others(archive)
    processes, peaks = {}, {}
    for name in COMMANDS:
        processes[f"dbce {name}"], peaks[name] = whole(ours(name), archive)
    if find_spec("fastwarc") and find_spec("resiliparse"):
        quick = [sys.executable, "-c", FASTWARC]
        processes["FastWARC and Resiliparse"], _ = whole(quick, archive)
    costs = {name: 1000 * (processes[f"dbce {name}"] - starts[name]) / pages for name in COMMANDS}
    name = archive.name.partition(".")[0]
    return Costs(name, pages, size, costs, others, peaks["run"], processes)


def ours(name: str) -> list[str]:
    """The command of ours with that name, to which the input is added."""
    return [*DBCE, *COMMANDS[name]]


def whole(command: Sequence[str], archive: Path) -> tuple[float, float]:
    """Seconds of CPU of a command on an archive, and megabytes of its largest process."""
    with TemporaryDirectory() as directory:
        words = [f"{directory}/out" if word == OUT else word for word in command]
        cost, output = measured_cost([*words, str(archive)])
    if cost["exit_code"]:
        raise SystemExit(f"{' '.join(command)} {archive} failed: {output[-1000:]}")
    return cost["cpu_seconds"], cost["peak_mb"]


def by_others(archive: Path) -> tuple[int, float, dict[str, float]]:
    """Return the number of an archive's pages, their mean size in KB, and what others spend on one.

    That is in milliseconds of CPU by name, of those that are installed.
    """
    asks: dict[str, Callable[[str], object]] = {TREE: html.parse}
    there = peers.installed_peers()
    asks |= {name: partial(peers.extract, there[name]) for name in PLAIN if name in there}
    if "trafilatura" in there:
        asks[RICH] = partial(peers.extract, peers.trafilatura_markdown)
    seconds = dict.fromkeys(asks, 0.0)
    count, size = 0, 0
    limits = Config().limits
    for source in expand([str(archive)]):
        for one in read(source, limits):
            if not isinstance(one, Capture):
                continue
            count += 1
            size += len(one.payload)
            with suppress(InputError):  # no text in any charset: it costs the others nothing
                page = html.decode(one.payload, one.content_type).text
                for name, ask in asks.items():
                    start = process_time()
                    with suppress(InputError):  # no tree either
                        ask(page)
                    seconds[name] += process_time() - start
    return count, size / count / 1000, {name: 1000 * s / count for name, s in seconds.items()}


def shared_archives(names: Sequence[str] = SETS) -> list[Path]:
    """The archives of the shared sets that are there, and those that are named by their files."""
    paths = (Path(name) for name in names)
    found = [path if path.suffix else DATA / path / f"{path}.warc.gz" for path in paths]
    return [archive for archive in found if archive.exists()]


if __name__ == "__main__":
    print(report(shared_archives(sys.argv[1:] or SETS)))
