"""Results of `dbce migrate` on all HTML4 pages of archives, except for how they look.

    python -m scripts.experiments.migrated_pages SET.warc.gz... --nu vnu.jar --csv pages.csv

A page is HTML4 if its doctype is not that of HTML5. Without a browser there are no blocks: roles are given
to some elements that a hash of the page's id draws. Each page is written and proven to have lost nothing,
obsolete features are looked for, the Nu checker counts errors (of one in `--share` pages), and the
milliseconds of CPU are taken that writing and proving took.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import time
from itertools import islice
from typing import TYPE_CHECKING, Any

import pandas as pd

from dbce.archive import expand, read
from dbce.html import decode
from dbce.model import Capture, InputError, Limits
from dbce.visual.migrate import LabelledBlock, MigratedPage, PageLooks, migrate
from dbce.visual.migrate.account import check_validity
from dbce.visual.migrate.attributes import obsolete_in
from dbce.visual.migrate.roles import ROLES, elements_by_path
from dbce.visual.migrate.tree import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCKS = 6
"""Elements of a page that are given a role."""

TOGETHER = 300
"""Pages that the checker gets at a time."""

HTML5 = re.compile(r"(?:\s|<!--.*?-->)*<!doctype\s+html\s*>", re.IGNORECASE | re.DOTALL)
Page = tuple[dict[str, Any], str, str]


def pages(archive: str, sample: int, share: int) -> Iterator[Page]:
    """The row of each HTML4 page of a sample, with its text and its new one, empty if it is not checked."""
    for source in expand([archive]):
        for capture in read(source, Limits()):
            if isinstance(capture, Capture):
                seed = hashlib.sha256(capture.record_id.encode()).digest()
                if seed[1] % sample == 0:
                    yield from _page(capture, seed, is_checked=seed[0] % share == 0)


def _page(capture: Capture, seed: bytes, *, is_checked: bool) -> Iterator[Page]:
    try:
        decoded = decode(capture.payload, capture.content_type)
    except InputError:
        return
    if HTML5.match(decoded.text):
        return
    page = parse(decoded.text)
    blocks = random_blocks(sorted(elements_by_path(page.root)), random.Random(seed))
    start = time.process_time()
    new = migrate(decoded.text, blocks, PageLooks(charset=decoded.charset.name))
    cost = time.process_time() - start
    row = {
        "url": capture.url,
        "refusal": _refusal(new),
        "lost": sum(new.losses.values()),
        "kinds": ",".join(new.losses),
        "mended": new.mended.total(),
        "ms": 1000 * cost,
    }
    yield (row, decoded.text, new.html) if is_checked else (row, "", "")


def _refusal(page: MigratedPage) -> str:
    if not page.stable:
        return "unwritable"
    return "loss" if page.losses else "obsolete" if obsolete_in(parse(page.html).root) else ""


def random_blocks(paths: list[str], chance: random.Random) -> list[LabelledBlock]:
    """A block for each of some elements of a page."""
    sample = chance.sample(paths, min(BLOCKS, len(paths)))
    return [
        LabelledBlock(-1, chance.choice(sorted(ROLES)), (path,), n) for n, path in enumerate(sample)
    ]


def with_errors(found: Iterator[Page], jar: str) -> Iterator[dict[str, Any]]:
    """The rows with the errors of the checker; a page with more of them than before is refused, too."""
    while batch := list(islice(found, TOGETHER)):
        read = [(row, old, new) for row, old, new in batch if old and jar]
        counts = check_validity([text for _, *texts in read for text in texts], jar) if read else []
        for (row, _, _), before, after in zip(read, counts[::2], counts[1::2], strict=True):
            row |= {"before": before.errors, "after": after.errors, "obsolete": after.obsolete}
            row["whole"] = before.is_whole
            if not row["refusal"] and before.is_whole and after.errors > before.errors:
                row["refusal"] = "invalid"
        yield from (row for row, _, _ in batch)


def overview(name: str, rows: pd.DataFrame) -> str:
    """Return the results of a set, in one row."""
    kept = rows[rows["refusal"] != ""]["refusal"].value_counts()
    migrated = rows[rows["refusal"] == ""]
    cells = [name, len(rows), len(migrated)]
    cells.append(", ".join(f"{count} {why}" for why, count in sorted(kept.items())) or "-")
    cells.append(int(migrated["lost"].sum()))
    if "before" in rows:
        seen = migrated[migrated["before"].notna()]
        whole = seen[seen["whole"] == True]  # noqa: E712 - which may be missing
        halved = (2 * whole["after"] <= whole["before"]).sum()
        cells += [len(seen), int(seen["before"].sum()), int(seen["after"].sum())]
        cells += [int(seen["obsolete"].sum()), f"{halved} of {len(whole)}"]
    else:
        cells += [0, "", "", "", ""]
    cells.append(f"{rows['ms'].mean():.0f}, {rows['ms'].quantile(0.95):.0f}")
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archives", nargs="+", metavar="ARCHIVE")
    parser.add_argument("--nu", metavar="JAR", default="", help="the Nu Html Checker (vnu.jar)")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="take every Nth page")
    parser.add_argument("--share", type=int, default=1, metavar="N", help="check every Nth page")
    parser.add_argument("--csv", metavar="FILE", help="write a row for each page")
    options = parser.parse_args()
    heads = "set pages migrated refused lost checked errors after obsolete halved ms".split()
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    tables = []
    for archive in options.archives:
        name = archive.rpartition("/")[2].partition(".")[0]
        rows = pd.DataFrame(with_errors(pages(archive, options.sample, options.share), options.nu))
        if len(rows):
            tables.append(rows.assign(set=name))
            print(overview(name, rows), flush=True)
    if tables:
        every = pd.concat(tables)
        print(overview("all", every))
        if options.csv:
            every.to_csv(options.csv, index=False)


if __name__ == "__main__":
    main()
