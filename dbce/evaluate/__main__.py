# ruff: noqa: T201 - a command prints
"""`python -m dbce.evaluate`: dbce and other extractors on the shared data sets, as a table.

The sets are looked for in the folder that the environment variable DBCE_DATA names, or else in
`../shared/data` beside this project; what is absent is left out, with a line that says so.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from dbce.classify import load_model
from dbce.config import Config
from dbce.errors import UsageError
from dbce.evaluate import peers
from dbce.evaluate.comparison import OF_WORDS
from dbce.evaluate.markdown import table
from dbce.evaluate.merging import agreement, merged_scores, merging_rows
from dbce.evaluate.systems import (
    compared,
    open_archive,
    page_scores,
    texts_of_method,
    texts_of_peer,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.evaluate.peers import Peer
    from dbce.evaluate.systems import Archive, Texts

DATA = Path(os.environ.get("DBCE_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")

DEFAULT = Config().method
METHODS = ("T002",)

SETS = ("cleanportaleval", "dragnet-sites", "sites", "flink", "dragnet", "cleaneval")
"""Folders in DATA; each has an archive and its gold, which are called as the folder."""

SITES = SETS[:4]
"""Those with several pages a site, and so with crosses."""

PARTNERS = ("set", "captures judged", "with up", "with down")
SCORES = ("set", "system", "pages", "empty", *OF_WORDS, f"{DEFAULT} is better by", "± SE of that")

MERGING = ("set", "merged by", "pages", "bag F1", "± SE", "bag F1 micro", "gain", "± SE of that")
AGREEMENT = ("set", "crosses a page", "words they call differently", "words open to some")

BY_SITE = ("set", "site", "pages", f"{DEFAULT}, bag F1", "best peer", "its bag F1", "apart")
SITE_PAGES = 10
"""Sites with fewer scored pages are left out of the table by site."""


def main(arguments: Sequence[str] = ()) -> int:
    """Prints the tables; the exit code."""
    parser = ArgumentParser(prog="python -m dbce.evaluate", description="Scores on data sets.")
    parser.add_argument(
        "--held-out", metavar="FILE", help="texts that dbce train wrote, for sets it learned from"
    )
    parser.add_argument(
        "--merging",
        action="store_true",
        help="instead: what it is worth to ask more than one bucket",
    )
    options = parser.parse_args(arguments)
    if options.merging:
        return main_merging()
    held_out = _read_texts(options.held_out)
    others = peers.installed()
    for name in sorted(peers.PEERS.keys() - others.keys()):
        _say(f"{name} left out: not installed (pip install 'dbce[peers]')")
    partners: list[Sequence[object]] = []
    scores: list[Sequence[object]] = []
    by_site: list[Sequence[object]] = []
    for name, archive in _archives(SETS):
        partners.append((name, archive.judged, archive.with_up, archive.with_down))
        ours = DEFAULT
        texts = {one.page: held_out[one.page] for one in archive.gold if one.page in held_out}
        if texts:
            ours = f"{DEFAULT}, held out"
        elif _learned(name):
            _say(f"  {DEFAULT} learned from {name}: give --held-out to score it")
            continue
        of_systems = score_systems(archive, ours, texts, others)
        scores += [[name, *row] for row in score_rows(of_systems, ours)]
        by_site += [[name, *row] for row in site_rows(archive, of_systems, ours)]
    if scores:
        print(table(PARTNERS, partners))
        print(f"\n{table(SCORES, scores)}")
        print(f"\n{table(BY_SITE, by_site)}")
        print("\nFrom `python -m dbce.evaluate`; F1, P and R are means over pages but for micro.")
        print(f"The last columns: mean over pages of the F1 of {DEFAULT} less that of the row.")
    return 0


def main_merging() -> int:
    """Prints what the ways to merge the crosses of several buckets are worth; the exit code."""
    scores: list[Sequence[object]] = []
    agreements: list[Sequence[object]] = []
    for name, archive in _archives(SITES):
        found = agreement(archive.annotations.values())
        agreements.append((name, found.crosses, found.apart, found.half_open))
        of_ways = merged_scores(archive, Config())
        scores += [[name, *row] for row in merging_rows(of_ways, held_out=not _learned(name))]
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


def _archives(names: Iterable[str]) -> Iterator[tuple[str, Archive]]:
    """The sets that are there, by name, their pages compared."""
    for name in names:
        path = DATA / name / f"{name}.warc.gz"
        if not path.exists():
            _say(f"{name} left out: not in {DATA} (set DBCE_DATA)")
            continue
        _say(f"{name}: comparing pages ...")
        yield name, open_archive(path, path.with_name(f"{name}.gold.jsonl"), Config())


def _learned(name: str) -> bool:
    """Whether the model in the package was trained on a set."""
    return name in load_model("").card.get("data", {})


def score_systems(
    archive: Archive, ours: str, held_out: Texts, others: dict[str, Peer]
) -> dict[str, pd.DataFrame]:
    """Page scores of methods and peers by name; `ours` is the default method.

    Its texts are those held out, if there are any.
    """
    scores = {}
    for method in METHODS:
        _say(f"  {method} ...")
        scores[method] = page_scores(archive, texts_of_method(archive, method, Config()))
    _say(f"  {ours} ...")
    texts = held_out or texts_of_method(archive, DEFAULT, Config())
    scores[ours] = page_scores(archive, texts)
    for name, peer in others.items():
        _say(f"  {name} ...")
        scores[name] = page_scores(archive, texts_of_peer(archive, peer))
    return scores


def score_rows(scores: dict[str, pd.DataFrame], ours: str) -> list[list[object]]:
    """A row for each system, without the name of the set."""
    return [
        [
            *(system, int(row["pages"]), int(row["empty"])),
            *(row[column] for column in OF_WORDS.values()),
            *(row["better"], row["better_se"]),
        ]
        for system, row in compared(scores, ours).to_dict("index").items()
    ]


def site_rows(archive: Archive, scores: dict[str, pd.DataFrame], ours: str) -> list[list[object]]:
    """A row for each site of a set: our mean F1 beside that of the best peer there."""
    site = {one.page: one.group for one in archive.gold}
    f1 = pd.DataFrame({name: of_pages["bag_f1"] for name, of_pages in scores.items()})
    groups = f1.groupby(f1.index.map(site))
    means, pages = groups.mean(), groups.size()
    others = means.drop(columns=[ours, *METHODS])
    rows: list[list[object]] = []
    for name in means.index[pages >= SITE_PAGES]:
        best = others.loc[name].idxmax() if len(others.columns) else ""
        theirs = others.loc[name, best] if best else float("nan")
        own = means.loc[name, ours]
        rows.append([name, int(pages[name]), own, best, theirs, own - theirs])
    return rows


def _read_texts(path: str | None) -> Texts:
    if path is None:
        return {}
    rows = map(json.loads, Path(path).read_text(encoding="utf-8").splitlines())
    return {row["record_id"]: row["text"] for row in rows}


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except UsageError as e:
        _say(f"dbce.evaluate: {e}")
        sys.exit(2)
