"""`make evaluate`: dbce and other extractors on the shared data sets, as tables.

    python -m scripts.experiments.scoreboard [--held-out FILE] [--set NAME]...
    python -m scripts.experiments.scoreboard --benchmark PATH

Sets that the model learned from are scored by texts that models gave of which the site was held out: FILE, as
`make train` writes it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from dbce.evaluate.results import table
from dbce.evaluate.runs import WORD_COLUMNS
from dbce.evaluate.scores import words
from dbce.model import Config
from scripts.experiments import peers, structures, wcxb
from scripts.experiments.benchmarks import read_benchmark
from scripts.experiments.sets import (
    SETS,
    add_title,
    call,
    compare_captures,
    compared_sets,
    is_trained_on,
    read_gains,
    read_texts,
    say,
    select_pages,
    set_parser,
    snapshots,
    texts_with_gold,
)
from scripts.experiments.systems import (
    comparison_table,
    page_scores,
    texts_of_gains,
    texts_of_method,
    texts_of_oracle,
    texts_of_peer,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from scripts.experiments.peers import Peer
    from scripts.experiments.sets import Archive, Texts

    Rows = list[list[object]]

DEFAULT = Config().method
METHODS = ("T002",)
ORACLE = "oracle over lines"

ALONE = f"{DEFAULT}, each page alone"

PARTNERS = ("set", "captures judged", "with up", "with down")

SCORES = {"bag F1": "bag_f1_mean", "± SE": "bag_f1_se", "by site": "site_mean"} | WORD_COLUMNS
"""Heading: column of `comparison_table`."""

SCORE_HEADER = ("set", "system", "pages", "empty", *SCORES, f"{DEFAULT} better by", "± SE of that")

OF_GROUP = ("pages", f"{DEFAULT}, bag F1", "best peer", "its bag F1", "apart", ORACLE)
SITE_HEADER = ("set", "site", *OF_GROUP)
GROUP_HEADER = ("set", "by", "group", *OF_GROUP)

GROUP_PAGES = 10
"""Groups with fewer scored pages are left out of the tables by group."""

SNAPSHOTS = 3
"""Captures of a URL from which on its history tells something: one before and one after."""

LEGEND = f"""
From `python -m scripts.experiments.scoreboard`; F1, P and R are means over pages but for micro, and
for `by site`, the mean over sites of a site's mean bag F1. The last columns of the
scores: mean over pages of the F1 of {DEFAULT} less that of the row."""


def main(arguments: Sequence[str] = ()) -> None:
    """Prints how all systems do on the sets."""
    parser = set_parser("scoreboard", "Scores on data sets.", SETS, held_out=True)
    about = "a public benchmark instead of the sets, as its authors publish it (scripts/experiments/benchmarks.py)"
    parser.add_argument("--benchmark", metavar="PATH", type=Path, help=about)
    options = parser.parse_args(arguments)
    held_out, gains = read_texts(options.held_out), read_gains(options.held_out)
    others = peers.installed_peers()
    for name in sorted(peers.PEERS.keys() - others.keys()):
        say(f"{name} left out: not installed (pip install 'dbce[peers]')")
    partners: Rows = []
    scores: Rows = []
    by_site: Rows = []
    by_group: Rows = []
    whole: Rows = []
    kinds: Rows = []
    for name, archive in archives(options.benchmark, options.set):
        partners.append([name, archive.judged, archive.with_up, archive.with_down])
        ours, its_own = DEFAULT, texts_with_gold(archive.gold, held_out)
        its_own |= texts_of_gains(archive, {page: gains[page] for page in its_own if page in gains})
        if its_own:
            ours = f"{DEFAULT}, held out"
        elif is_trained_on(name):
            say(f"  {DEFAULT} learned from {name}: give --held-out to score it")
            continue
        texts = texts_of_systems(archive, ours, its_own, others)
        of_systems = {system: page_scores(archive.gold, of) for system, of in texts.items()}
        scores += [[name, *row] for row in score_rows(of_systems, ours)]
        by_site += [[name, *row] for row in site_rows(of_systems, ours)]
        pages = structures.scored_pages(archive)
        whole += [[name, system, *structures.row(pages, of)] for system, of in texts.items()]
        by_group += [[name, *row] for row in rows_by_group(archive, of_systems, ours)]
        if name == wcxb.SET:
            kinds = wcxb.kind_rows(archive.gold, archive.about, texts)
    if not scores:
        return
    print(table(PARTNERS, partners))
    print(f"\n{table(SCORE_HEADER, scores)}")
    for title, header, rows in (
        ("By site:", SITE_HEADER, by_site),
        ("Structures that come out whole:", structures.HEADER, whole),
        ("By kind, language and snapshots:", GROUP_HEADER, by_group),
        ("WCXB by its own measure (Foley 2026, CC BY 4.0):", wcxb.HEADER, kinds),
    ):
        if rows:
            print(add_title(title, table(header, rows)))
    print(LEGEND)


def archives(
    benchmark: Path | None, names: Collection[str] | None
) -> Iterator[tuple[str, Archive]]:
    """Names and archives of a benchmark, or of the sets that are there."""
    if benchmark is None:
        yield from compared_sets(SETS, names)
    else:
        yield benchmark.stem, compare_captures(*read_benchmark(benchmark), Config())


def texts_of_systems(
    archive: Archive, ours: str, held_out: Texts, others: Mapping[str, Peer]
) -> dict[str, Texts]:
    """The texts of methods, peers and the oracle by name; `ours` is the default method.

    Its texts are those held out, if there are any; but pages without words in the gold, from which
    nothing is learned, have none there and are judged by the model of the package. Where none are held out it also judges
    each page alone (`make transfer` does so for the sets that it learned from).
    """
    texts = {}
    for method in METHODS:
        say(f"  {method} ...")
        texts[method] = texts_of_method(archive, method, Config())
    say(f"  {ours} ...")
    wordless = {page.page for page in archive.gold if not words(page.text)}
    unseen = select_pages(archive, wordless - held_out.keys()) if held_out else archive
    texts[ours] = texts_of_method(unseen, DEFAULT, Config()) | held_out
    if not held_out:
        say(f"  {ALONE} ...")
        texts[ALONE] = texts_of_method(replace(archive, annotations={}), DEFAULT, Config())
    for name, peer in others.items():
        say(f"  {name} ...")
        texts[name] = texts_of_peer(archive.captures, archive.about, peer)
    say(f"  {ORACLE} ...")
    texts[ORACLE] = texts_of_oracle(archive, Config())
    return texts


def score_rows(scores: Mapping[str, pd.DataFrame], ours: str) -> Rows:
    """A row for each system, without the name of the set."""
    return [
        [
            *(system, int(row["pages"]), int(row["empty"])),
            *(row[column] for column in SCORES.values()),
            *(row["better"], row["better_se"]),
        ]
        for system, row in comparison_table(scores, ours).to_dict("index").items()
    ]


def site_rows(scores: Mapping[str, pd.DataFrame], ours: str) -> Rows:
    """A row for each site of a set: our mean F1 beside that of the best peer there."""
    group = scores[ours]["group"]
    return group_rows(scores, ours, {str(page): site for page, site in group.items()})


def rows_by_group(archive: Archive, scores: Mapping[str, pd.DataFrame], ours: str) -> Rows:
    """Rows as by site for kinds, languages and for pages with many and few snapshots, where there are both."""
    times = snapshots(archive)
    groupings = {
        "kind": {page: about.kind for page, about in archive.about.items()},
        "language": {page: about.language for page, about in archive.about.items()},
        "captures of the URL": {
            page: f"{SNAPSHOTS} or more" if number >= SNAPSHOTS else f"fewer than {SNAPSHOTS}"
            for page, number in times.items()
        },
    }
    rows: Rows = []
    for by, group_of in groupings.items():
        its_own = group_rows(scores, ours, group_of)
        rows += [[by, *row] for row in its_own if len(its_own) > 1]
    return rows


def group_rows(scores: Mapping[str, pd.DataFrame], ours: str, group_of: Mapping[str, str]) -> Rows:
    """A row for each group of pages that is large enough; pages of the group "" are of none."""
    f1 = pd.DataFrame({name: of_pages["bag_f1"] for name, of_pages in scores.items()})
    group = f1.index.map(lambda page: group_of.get(page, ""))
    groups = f1[group != ""].groupby(group[group != ""])
    means, pages = groups.mean(), groups.size()
    others = means.drop(columns=[ours, *METHODS, ORACLE, ALONE], errors="ignore")
    rows: Rows = []
    for name in means.index[pages >= GROUP_PAGES]:
        best = others.loc[name].idxmax() if len(others.columns) else ""
        theirs = others.loc[name, best] if best else float("nan")
        score = means.loc[name, ours]
        rows.append(
            [name, int(pages[name]), score, best, theirs, score - theirs, means.loc[name, ORACLE]]
        )
    return rows


if __name__ == "__main__":
    call(main)
