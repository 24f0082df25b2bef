"""Accuracy of `dbce changes` in telling pages that break off, or were away for a while, from pages that changed.

    python -m scripts.experiments.damage_scores RUN... [--share .5]

RUN are folders of `dbce run` on archives with snapshots. Of each pair of snapshots with other bytes the newer one is
compared as it is, a real change, and with the first half of its words alone. Of each three the middle one is taken
as it is, and with a page of another site in its place, of whatever length. docs/changes.md has the figures.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
import pandas as pd

from dbce.output import JUDGED, open_run
from dbce.visual.changes.compare import is_collapsed, is_cut
from dbce.visual.changes.read import frame, names_of, plain_rows, read_snapshots
from scripts.experiments.sets import call

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.storage import Folder
    from dbce.visual.changes.snapshot import BlockColumns, Snapshot


def cut_off(blocks: BlockColumns, share: float) -> BlockColumns:
    """The first words of some blocks, so large a share of them."""
    most = int(len(blocks.words) * share)
    ends = np.minimum(blocks.ends, most)
    return blocks._replace(words=blocks.words[:most], ends=ends.astype(np.uint32))


def cuts(run: str, share: float = 0.5) -> pd.DataFrame:
    """Each two snapshots of a URL, one after another, with other bytes: are they, and would they be, cut?

    Columns: `url`, `false` (whether the newer one as it is counts as cut), `found` (whether it does when so
    large a share of its words is left). What the archive itself cut counts as a false one.

    Raises:
        UsageError: there is no finished run, or its files do not belong together.
    """
    folder, _ = open_run(run)
    of_url: defaultdict[str, list[Snapshot]] = defaultdict(list)
    for url, one in _snapshots(folder):
        of_url[url].append(one)
    rows = [
        (url, is_cut(old, new), is_cut(old, new._replace(blocks=cut_off(new.blocks, share))))
        for url, ones in of_url.items()
        for old, new in pairwise(sorted(ones, key=lambda one: (one.timestamp, one.record_id)))
        if old.digest != new.digest
    ]
    return pd.DataFrame(rows, columns=["url", "false", "found"])


def away(run: str) -> pd.DataFrame:
    """Each three snapshots of a URL, one after another, with other bytes: is the middle one, and would another site's be, away?

    Columns: `url`, `false` (whether the middle one as it is counts as away), `found` (whether a page of another site does
    in its place), `short` (whether that page would count without the third one). Of a single site there are none.

    Raises:
        UsageError: there is no finished run, or its files do not belong together.
    """
    folder, _ = open_run(run)
    every = sorted(_snapshots(folder), key=lambda pair: (pair[0], pair[1].timestamp))
    of_url: defaultdict[str, list[Snapshot]] = defaultdict(list)
    for url, one in every:
        of_url[url].append(one)
    rows = []
    for url, ones in of_url.items():
        host = url.partition(")")[0]
        foreign = [one for other, one in every if other.partition(")")[0] != host]
        for old, new, later in zip(ones, ones[1:], ones[2:], strict=False):
            if len({old.digest, new.digest, later.digest}) < 3 or not foreign:
                continue
            other = foreign[crc32(new.record_id.encode()) % len(foreign)]
            answers = (
                is_collapsed(old, new, later),
                is_collapsed(old, other, later),
                is_collapsed(old, other, None),
            )
            rows.append((url, *answers))
    return pd.DataFrame(rows, columns=["url", "false", "found", "short"])


def _snapshots(folder: Folder) -> Iterator[tuple[str, Snapshot]]:
    for name in names_of(folder):
        rows = plain_rows(frame(folder, name))
        judged = {row["record_id"]: row for row in rows if row["status"] in JUDGED}
        for one in read_snapshots(folder, name, judged):
            yield judged[one.record_id]["url_surtkey"], one


def main(arguments: Sequence[str]) -> None:
    """Prints a row for each run."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="+", metavar="RUN")
    parser.add_argument("--share", type=float, default=0.5, help="of the words that is left")
    options = parser.parse_args(arguments)
    for run in options.runs:
        pairs = cuts(run, options.share)
        found, kept = pairs["found"].mean(), 1 - pairs["false"].mean()
        balanced = (found + kept) / 2
        print(f"{run}: {len(pairs)} pairs, cut found {found:.3f}, others kept {kept:.3f}, ", end="")
        print(f"balanced {balanced:.3f}")
        three = away(run)
        if len(three):
            found, alone, kept = (
                three["found"].mean(),
                three["short"].mean(),
                1 - three["false"].mean(),
            )
            print(f"{run}: {len(three)} threes, other site's found {found:.3f}, ", end="")
            print(f"{alone:.3f} without the third, others kept {kept:.3f}")


if __name__ == "__main__":
    call(main)
