"""Prints the table of tests/archive/odd_archives.md: what is read of every file of a collection of odd archives.

    python -m scripts.experiments.zoo FOLDER

FOLDER is the collection called warc-zoo; the README.md in it says how many records warcio counts.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from dbce.archive import Source, expand
from dbce.model import Limits, UsageError
from dbce.run import ArchiveAccount, survey_archive, with_resolutions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ARCHIVES = (".warc", ".warc.gz", ".arc", ".arc.gz", ".bad")

# Where warcio gives up or does not look: counted by hand, by the lines that begin a record.
BY_HAND = {
    "aut/arc/badexample.arc.gz": 6,
    "webarchive-discovery/IAH-20080430204825-00000-blackbook-truncated.arc": 9,
    "warcio/example-bad-non-chunked.warc.gz": 6,
    "warcio/example-bad.warc.gz.bad": 6,
    "warcio/example-wrong-chunks.warc.gz": 2,
    "pywb/warcs/example-bad.warc.gz.bad": 6,
    "pywb/waczs/invalid_example_1.wacz": 0,
    "pywb/waczs/valid_example_1.wacz": 4,
}

HEADING = """\
| file | records | read | captures | pages | revisits | what is wrong |
|---|---|---|---|---|---|---|"""


def table(folder: Path) -> str:
    """The table, a line for each file of the collection."""
    known = warcio_counts((folder / "README.md").read_text(encoding="utf-8")) | BY_HAND
    archives = [Source(name, str(folder / name)) for name in known if name.endswith(ARCHIVES)]
    return "\n".join([HEADING, *(row(folder, name, known[name], archives) for name in known)])


def warcio_counts(readme: str) -> dict[str, int]:
    """Every file that the collection's own table names, and how many records warcio counts in it."""
    rows = (line.split(" | ") for line in readme.splitlines() if re.match(r"\| [\w-]+/", line))
    return {cells[0][2:]: sum(map(int, re.findall(r"\d+", cells[4]))) for cells in rows}


def row(folder: Path, name: str, records: int, archives: Sequence[Source]) -> str:
    """The line of one file: records that are there, or that it lists, and what is read of them.

    What its revisits repeat is looked for in all the archives.
    """
    if name.endswith(ARCHIVES):
        sources: tuple[Source, ...] = (Source(name, str(folder / name)),)
    else:
        try:
            sources = expand([str(folder / name)], str(folder / "pywb/warcs"))
        except UsageError as e:
            reason = re.split("[:;]", str(e).replace(f"{folder}/", ""))[0]
            return f"| {name} | | | | | | no input: {reason} |"
        records = records or sum(len(source.offsets or ()) for source in sources)
    return f"| {name} | {records} | {' | '.join(survey_cells(sources, archives))} |"


def survey_cells(sources: tuple[Source, ...], archives: Sequence[Source]) -> Iterator[str]:
    """Yield the last five cells: what is read of some files."""
    accounts = [survey_archive(source, Limits()) for source in sources]
    wrong = Counter(str(one.reason) for account in accounts for one in account.findings)
    yield str(sum(one.records.total() for one in accounts))
    yield str(sum(one.pages + (one.skipped + one.rejected).total() for one in accounts))
    yield str(sum(one.pages for one in accounts))
    yield _revisits(sum(accounts, ArchiveAccount()), archives)
    yield ", ".join(f"{count} {reason}" for reason, count in sorted(wrong.items()))


def _revisits(account: ArchiveAccount, archives: Sequence[Source]) -> str:
    """Return the number of revisits, and how many of them each rule resolves."""
    resolutions = with_resolutions(account, archives).resolutions
    counted = (f"{count} {resolution}" for resolution, count in sorted(resolutions.items()))
    return f"{account.revisits} ({', '.join(counted)})" if resolutions else str(account.revisits)


if __name__ == "__main__":
    print(table(Path(sys.argv[1])))
