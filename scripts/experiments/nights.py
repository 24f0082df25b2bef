"""Cost of a night: an archive cut into its days, and a night for each.

python -m scripts.experiments.nights ARCHIVE.warc.gz FOLDER [options of dbce nightly]
"""

import json
import resource
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from dbce.archive import expand, read
from dbce.model import Limits

HEAD = ("day", "captures", "known before", "CPU s", "read s", "compare s", "judge s")


def by_day(archive: Path, folder: Path) -> list[Path]:
    """A WARC file of gzip members cut into one file for each day, in the order of the days."""
    folder.mkdir(parents=True)
    days = defaultdict(list)
    data = archive.read_bytes()
    for capture in read(expand([str(archive)])[0], Limits()):
        start, length = capture.origin.offset, capture.origin.length
        days[f"{capture.timestamp:%Y%m%d}"].append(data[start : start + length])
    for day, members in days.items():
        (folder / f"{day}.warc.gz").write_bytes(b"".join(members))
    return sorted(folder.iterdir())


def main() -> None:
    """Prints a row of a Markdown table for each night; the CPU is that of a whole call."""
    archive, folder, *options = sys.argv[1:]
    known = 0
    print("|", " | ".join(HEAD), "|")
    print("|---" * len(HEAD) + "|")
    for file in by_day(Path(archive), Path(folder) / "days"):
        before = _seconds()
        command = [sys.executable, "-m", "dbce.cli", "nightly", str(file)]
        command += ["--archive", f"{folder}/archive", *options]
        subprocess.run(command, check=True, capture_output=True)
        spent = _seconds() - before
        last = max(Path(folder).glob("archive/nights/*/run.json"))
        account = json.loads(last.read_text(encoding="utf-8"))
        captures, stages = account["captures"]["total"], account["seconds"].values()
        cells = [file.name[:8], captures, known, f"{spent:.2f}", *(f"{s:.2f}" for s in stages)]
        print("|", " | ".join(map(str, cells)), "|", flush=True)
        known += captures


def _seconds() -> float:
    """CPU seconds of all that was called so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
