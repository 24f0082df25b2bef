"""How well `dbce changes` tells a change of content, and what it tells it by learned anew.

    scripts/change_scores.py --run RUN... --gold GOLD... [--structure] [--learn FILE] [--pairs FILE]

RUN are folders of `dbce run` on archives with snapshots, rendered or not, GOLD their text gold, in the same order.
Every figure is of sites that the regressions did not learn from. `--learn dbce/visual/changes/chances.json` writes
what ships. docs/changes.md has the tables.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING

from dbce.visual.changes.evaluation import (
    REPORTED,
    balance,
    held_out,
    labelled,
    redesigns,
    scores,
    write_chances,
)

if TYPE_CHECKING:
    import pandas as pd


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--run", nargs="+", required=True)
    parser.add_argument("--gold", nargs="+", required=True)
    parser.add_argument("--structure", action="store_true", help="without pictures")
    parser.add_argument("--learn", metavar="FILE")
    parser.add_argument("--pairs", metavar="FILE", help="write every pair, as CSV")
    options = parser.parse_args()
    found = labelled(options.run, options.gold, pictures=not options.structure)
    told = held_out(found)
    for name, table in (("Pairs", balance(found)), ("Content", scores(told)), ("Thesis", REPORTED)):
        print(f"{name}\n{_shown(table)}\n")
    print("Redesigns", {name: round(value, 3) for name, value in redesigns(found).items()})
    if options.learn:
        write_chances(found, options.learn)
    if options.pairs:
        told.to_csv(options.pairs, index=False)


def _shown(table: pd.DataFrame) -> str:
    return table.to_string(index=False, float_format="{:.3f}".format, na_rep="")


if __name__ == "__main__":
    main()
