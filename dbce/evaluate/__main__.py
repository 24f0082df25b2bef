# ruff: noqa: T201 - a command prints
"""`python -m dbce.evaluate`: dbce and other extractors on the shared data sets, as tables.

The sets are looked for in the folder that the environment variable DBCE_DATA names, or else in
`../shared/data` beside this project; what is absent is left out, with a line that says so.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING

from dbce.evaluate import bypage, peers, scoreboard, wcxb
from dbce.evaluate.archives import read_about
from dbce.evaluate.gold import by_kind, read_gold
from dbce.evaluate.markdown import table
from dbce.evaluate.merging import agreement, merged_scores, merging_rows
from dbce.evaluate.scoreboard import DEFAULT
from dbce.evaluate.sets import (
    SETS,
    SITES,
    compare_pages,
    learned,
    of_gold,
    present,
    read_texts,
    say,
)
from dbce.evaluate.systems import page_scores, texts_of_method
from dbce.model import Config, UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from dbce.evaluate.systems import Texts

Rows = list[list[object]]

PARTNERS = ("set", "captures judged", "with up", "with down")

MERGING = ("set", "merged by", "pages", "bag F1", "± SE", "bag F1 micro", "gain", "± SE of that")
AGREEMENT = ("set", "crosses a page", "words they call differently", "words open to some")


def main(arguments: Sequence[str] = ()) -> int:
    """Prints the tables; the exit code."""
    options = _options(arguments)
    if options.merging:
        return main_merging([name for name in SITES if name in options.set])
    held_out = read_texts(options.held_out)
    if options.worst or options.before:
        return main_by_page(options.set, held_out, read_texts(options.before), options.worst)
    return main_scores(options.set, held_out)


def _options(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m dbce.evaluate", description="Scores on data sets.")
    kinds = parser.add_mutually_exclusive_group()
    add = parser.add_argument
    add("--held-out", metavar="FILE", help="texts that dbce train wrote, for sets it learned from")
    more = f"this set alone, or several by --set again; of {', '.join(SETS)}"
    add("--set", metavar="NAME", action="append", choices=SETS, help=more)
    worst = "instead: the N pages of each set on which our texts are worst, by name"
    kinds.add_argument("--worst", metavar="N", type=int, default=0, help=worst)
    merging = "instead: what it is worth to ask more than one bucket"
    kinds.add_argument("--merging", action="store_true", help=merging)
    before = "instead: what --held-out gained and lost on the texts of FILE, page by page"
    add("--before", metavar="FILE", help=before)
    options = parser.parse_args(arguments)
    if options.worst < 0:
        parser.error(f"--worst is {options.worst}; it must be a number of pages from 1 on")
    if options.before and (options.merging or not options.held_out):
        parser.error("--before needs --held-out, the texts to compare its own with")
    options.set = [name for name in SETS if name in (options.set or SETS)]
    return options


def main_scores(names: Sequence[str], held_out: Texts) -> int:
    """Prints how all systems do on the sets; the exit code."""
    others = peers.installed()
    for name in sorted(peers.PEERS.keys() - others.keys()):
        say(f"{name} left out: not installed (pip install 'dbce[peers]')")
    partners, scores, by_site, by_group, own = (Rows() for _ in range(5))
    for name, *files in present(names):
        archive = compare_pages(name, *files)
        partners.append([name, archive.judged, archive.with_up, archive.with_down])
        ours, its_own = DEFAULT, of_gold(archive.gold, held_out)
        if its_own:
            ours = f"{DEFAULT}, held out"
        elif learned(name):
            say(f"  {DEFAULT} learned from {name}: give --held-out to score it")
            continue
        texts = scoreboard.texts_of_systems(archive, ours, its_own, others)
        of_systems = {system: page_scores(archive.gold, of) for system, of in texts.items()}
        scores += [[name, *row] for row in scoreboard.score_rows(of_systems, ours)]
        by_site += [[name, *row] for row in scoreboard.site_rows(of_systems, ours)]
        by_group += [[name, *row] for row in scoreboard.rows_by_group(archive, of_systems, ours)]
        if name == wcxb.SET:
            own = wcxb.kind_rows(archive.gold, archive.about, texts)
    if scores:
        print(table(PARTNERS, partners))
        print(f"\n{table(scoreboard.SCORE_HEADER, scores)}")
        _print_titled("By site:", scoreboard.SITE_HEADER, by_site)
        _print_titled("By language and by snapshots:", scoreboard.GROUP_HEADER, by_group)
        _print_titled("WCXB by its own measure (Foley 2026, CC BY 4.0):", wcxb.HEADER, own)
        print(
            "\nFrom `python -m dbce.evaluate`; F1, P and R are means over pages but for micro, and"
        )
        print("for `by site`, the mean over sites of a site's mean bag F1. The last columns of the")
        print(f"scores: mean over pages of the F1 of {DEFAULT} less that of the row.")
    return 0


def _print_titled(title: str, header: Sequence[str], rows: Rows) -> None:
    if rows:
        print(f"\n{title}\n\n{table(header, rows)}")


def main_by_page(names: Sequence[str], held_out: Texts, before: Texts, count: int) -> int:
    """Prints the worst pages of the sets, and what changed since other texts; the exit code."""
    worst, fallen, changes = (Rows() for _ in range(3))
    for name, archive, gold_path in present(names):
        gold, _ = by_kind(read_gold(str(gold_path)))
        about = read_about(str(gold_path))
        texts, old = of_gold(gold, held_out), of_gold(gold, before)
        if not texts and (before or learned(name)):
            say(f"  {name} left out: no texts of it in --held-out")
            continue
        if not texts:
            texts = texts_of_method(compare_pages(name, archive, gold_path), DEFAULT, Config())
        pages = bypage.pages(gold, texts, old)
        worst += [[name, *row] for row in bypage.worst_rows(pages, about, count)]
        fallen += [[name, *row] for row in bypage.fallen_rows(pages, about, count)]
        if old:
            changes.append([name, *bypage.change_row(gold, texts, old)])
    _print_titled("The worst pages:", bypage.WORST_HEADER, worst)
    _print_titled("The pages that lost most:", bypage.WORST_HEADER, fallen)
    _print_titled("What changed, page by page:", bypage.CHANGE_HEADER, changes)
    return 0


def main_merging(names: Sequence[str]) -> int:
    """Prints what the ways to merge the crosses of several buckets are worth; the exit code."""
    scores: Rows = []
    agreements: Rows = []
    for name, *files in present(names):
        archive = compare_pages(name, *files)
        found = agreement(archive.annotations.values())
        agreements.append([name, found.crosses, found.apart, found.half_open])
        of_ways = merged_scores(archive, Config())
        scores += [[name, *row] for row in merging_rows(of_ways, held_out=not learned(name))]
    if scores:
        print(table(MERGING, scores))
        print(f"\n{table(AGREEMENT, agreements)}")
        print(
            "\nFrom `python -m dbce.evaluate --merging`. Gain: mean over pages of the F1 of the row"
        )
        print(
            "less that of the strongest cross alone, by the same classifier. Words: shares of all."
        )
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except UsageError as e:
        say(f"dbce.evaluate: {e}")
        sys.exit(2)
