"""Cost of reading an archive, in milliseconds of CPU a record.

    python -m scripts.experiments.reading ARCHIVE

dbce beside warcio and FastWARC, on an archive repeated to some thousand records. Each reader runs in a
process of its own and times itself without its start. Peak memory is that of the whole process, taken
at a tenth of the records too: what a reader keeps shows as growth.
"""

from __future__ import annotations

import math
import sys
from collections import deque
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import TYPE_CHECKING

from dbce.archive import expand, inspect, read
from dbce.evaluate.results import table
from dbce.model import Limits
from dbce.run import survey_archive
from scripts.experiments.cost import measured_cost

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

RECORDS = 5_000
"""Records that an archive is repeated to."""

TRIALS = 3
"""Processes for each measurement; the one with the least CPU time counts."""

HEADINGS = ["reader", "ms a record", "peak MB", "at a tenth of the records"]


def main(arguments: list[str]) -> None:
    """Prints the table; with a reader's name behind the archive, the seconds of CPU that it takes."""
    archive, *reader = arguments
    if reader:
        print(_seconds(READERS[reader[0]], archive))
    else:
        print(report(Path(archive)))


def report(archive: Path) -> str:
    """The table and a line above it, for an archive that is repeated."""
    rows, records = measure(archive)
    title = f"Reading alone: {archive.name}, repeated to {records} records"
    return f"{title}\n\n{table(HEADINGS, rows)}"


def measure(archive: Path, records: int = RECORDS) -> tuple[list[list[object]], int]:
    """A row for every reader that is installed, and the number of records that they read."""
    length = _number_of(archive)
    with TemporaryDirectory() as folder:
        whole, tenth = (
            _repeated(archive, Path(folder, name), math.ceil(wanted / length))
            for name, wanted in (("whole.warc.gz", records), ("tenth.warc.gz", records // 10))
        )
        count = _number_of(whole)
        rows: list[list[object]] = []
        for name in READERS:
            if name == "FastWARC" and find_spec("fastwarc") is None:
                continue
            # The least of some: what else runs on the machine only adds.
            seconds, peak = min(_in_a_process(name, whole) for _ in range(TRIALS))
            _, at_a_tenth = _in_a_process(name, tenth)
            rows.append([name, 1000 * seconds / count, peak, at_a_tenth])
    return rows, count


def _number_of(archive: Path) -> int:
    """The records in an archive."""
    (source,) = expand([str(archive)])
    return sum(entry.kind != "" for entry in inspect(source, Limits()))


def _repeated(archive: Path, copy: Path, times: int) -> Path:
    with copy.open("wb") as file:
        for _ in range(times):
            file.write(archive.read_bytes())
    return copy


def _in_a_process(reader: str, archive: Path) -> tuple[float, float]:
    """Seconds of CPU, and the peak memory of the process in MB."""
    command = [sys.executable, "-m", "scripts.experiments.reading", str(archive), reader]
    cost, output = measured_cost(command)
    return float(output), cost["peak_mb"]


def _seconds(reader: Callable[[str], Iterable[object]], archive: str) -> float:
    start = process_time()
    deque(reader(archive), maxlen=0)
    return process_time() - start


def _dbce(archive: str, *, verify: bool = False) -> Iterator[object]:
    for source in expand([archive]):
        yield from read(source, Limits(), verify=verify)


def _check(archive: str) -> Iterator[object]:
    return (survey_archive(source, Limits()) for source in expand([archive]))


def _warcio(archive: str) -> Iterator[object]:
    from warcio.archiveiterator import ArchiveIterator

    with Path(archive).open("rb") as file:
        for record in ArchiveIterator(file):
            yield record.content_stream().read()


def _fastwarc(archive: str) -> Iterator[object]:
    from fastwarc.warc import ArchiveIterator

    with Path(archive).open("rb") as file:
        for record in ArchiveIterator(file):
            yield record.reader.read()


READERS: dict[str, Callable[[str], Iterable[object]]] = {
    "dbce, as a run reads": _dbce,
    "dbce, digests verified": lambda archive: _dbce(archive, verify=True),
    "dbce check": _check,
    "warcio": _warcio,
    "FastWARC": _fastwarc,
}
"""Every record is read through, its transfer and content encodings removed where the library does that."""


if __name__ == "__main__":
    main(sys.argv[1:])
