"""How well `dbce changes` tells a page that breaks off from one that changed.

    scripts/damage_scores.py RUN... [--share .5]

RUN are folders of `dbce run` on archives with snapshots. Of each pair of snapshots with other bytes the newer one is
compared as it is, a real change, and with the first half of its words alone. docs/changes.md has the table.
"""

from __future__ import annotations

from argparse import ArgumentParser

from dbce.visual.changes.damaged import cuts


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="+", metavar="RUN")
    parser.add_argument("--share", type=float, default=0.5, help="of the words that is left")
    options = parser.parse_args()
    for run in options.runs:
        told = cuts(run, options.share)
        found, kept = told["found"].mean(), 1 - told["false"].mean()
        balanced = (found + kept) / 2
        print(f"{run}: {len(told)} pairs, cut found {found:.3f}, others kept {kept:.3f}, ", end="")
        print(f"balanced {balanced:.3f}")


if __name__ == "__main__":
    main()
