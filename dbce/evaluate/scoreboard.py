"""All systems on the pages of a set, and the rows of the tables that tell how they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from dbce.evaluate.archives import only, snapshots
from dbce.evaluate.comparison import OF_WORDS
from dbce.evaluate.scores import words
from dbce.evaluate.sets import say
from dbce.evaluate.systems import compared, texts_of_method, texts_of_oracle, texts_of_peer
from dbce.model import Config

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.evaluate.archives import Archive
    from dbce.evaluate.peers import Peer
    from dbce.evaluate.systems import Texts

DEFAULT = Config().method
METHODS = ("T002",)
ORACLE = "oracle over lines"

SCORES = {"bag F1": "bag_f1_mean", "± SE": "bag_f1_se", "by site": "site_mean"} | OF_WORDS
"""Heading: column of `compared`."""

SCORE_HEADER = ("set", "system", "pages", "empty", *SCORES, f"{DEFAULT} better by", "± SE of that")

OF_GROUP = ("pages", f"{DEFAULT}, bag F1", "best peer", "its bag F1", "apart", ORACLE)
SITE_HEADER = ("set", "site", *OF_GROUP)
GROUP_HEADER = ("set", "by", "group", *OF_GROUP)

GROUP_PAGES = 10
"""Groups with fewer scored pages are left out of the tables by group."""

SNAPSHOTS = 3
"""Captures of a URL from which on its history tells something: one before and one after."""


def texts_of_systems(
    archive: Archive, ours: str, held_out: Texts, others: Mapping[str, Peer]
) -> dict[str, Texts]:
    """The texts of methods, peers and the oracle by name; `ours` is the default method.

    Its texts are those held out, if there are any; but pages without words in the gold, from which
    nothing is learned, have none there and are judged by the model of the package.
    """
    found = {}
    for method in METHODS:
        say(f"  {method} ...")
        found[method] = texts_of_method(archive, method, Config())
    say(f"  {ours} ...")
    wordless = {one.page for one in archive.gold if not words(one.text)}
    asked = only(archive, wordless - held_out.keys()) if held_out else archive
    found[ours] = texts_of_method(asked, DEFAULT, Config()) | held_out
    for name, peer in others.items():
        say(f"  {name} ...")
        found[name] = texts_of_peer(archive.captures, archive.about, peer)
    say(f"  {ORACLE} ...")
    found[ORACLE] = texts_of_oracle(archive, Config())
    return found


def score_rows(scores: Mapping[str, pd.DataFrame], ours: str) -> list[list[object]]:
    """A row for each system, without the name of the set."""
    return [
        [
            *(system, int(row["pages"]), int(row["empty"])),
            *(row[column] for column in SCORES.values()),
            *(row["better"], row["better_se"]),
        ]
        for system, row in compared(scores, ours).to_dict("index").items()
    ]


def site_rows(scores: Mapping[str, pd.DataFrame], ours: str) -> list[list[object]]:
    """A row for each site of a set: our mean F1 beside that of the best peer there."""
    group = scores[ours]["group"]
    return group_rows(scores, ours, {str(page): site for page, site in group.items()})


def rows_by_group(
    archive: Archive, scores: Mapping[str, pd.DataFrame], ours: str
) -> list[list[object]]:
    """Rows as by site for languages and for pages with many and few snapshots, where there are both."""
    times = snapshots(archive)
    groupings = {
        "language": {page: about.language for page, about in archive.about.items()},
        "captures of the URL": {
            page: f"{SNAPSHOTS} or more" if number >= SNAPSHOTS else f"fewer than {SNAPSHOTS}"
            for page, number in times.items()
        },
    }
    rows: list[list[object]] = []
    for by, group_of in groupings.items():
        its_own = group_rows(scores, ours, group_of)
        rows += [[by, *row] for row in its_own if len(its_own) > 1]
    return rows


def group_rows(
    scores: Mapping[str, pd.DataFrame], ours: str, group_of: Mapping[str, str]
) -> list[list[object]]:
    """A row for each group of pages that is large enough; pages of the group "" are of none."""
    f1 = pd.DataFrame({name: of_pages["bag_f1"] for name, of_pages in scores.items()})
    group = f1.index.map(lambda page: group_of.get(page, ""))
    groups = f1[group != ""].groupby(group[group != ""])
    means, pages = groups.mean(), groups.size()
    others = means.drop(columns=[ours, *METHODS, ORACLE])
    rows: list[list[object]] = []
    for name in means.index[pages >= GROUP_PAGES]:
        best = others.loc[name].idxmax() if len(others.columns) else ""
        theirs = others.loc[name, best] if best else float("nan")
        own = means.loc[name, ours]
        rows.append(
            [name, int(pages[name]), own, best, theirs, own - theirs, means.loc[name, ORACLE]]
        )
    return rows
