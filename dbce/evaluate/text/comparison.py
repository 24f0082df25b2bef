"""Several runs, say one for each method, against one gold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from dbce.evaluate.results import table
from dbce.evaluate.text.gold import read_gold, with_comments
from dbce.evaluate.text.report import ABOUT_NODES, node_table
from dbce.evaluate.text.run import comments_of, score
from dbce.model import UsageError
from dbce.output import open_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.evaluate.text.gold import Gold
    from dbce.evaluate.text.report import Report
    from dbce.output import Manifest
    from dbce.storage import Folder

OF_WORDS = {
    "bag F1": "bag_f1_mean",
    "± SE": "bag_f1_se",
    "bag F1 micro": "bag_f1_micro",
    "lcs F1": "lcs_f1_mean",
    "bag P": "bag_p_mean",
    "bag R": "bag_r_mean",
}
"""Heading: column of `words.summarise`, for a table with a row for each run or method."""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A run, its scores and its account (`run.json`); `name` tells it from the others.

    `gold` is what it is held to (`with_comments`).
    """

    name: str
    folder: Folder
    account: Manifest
    gold: Gold
    report: Report


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Runs against one gold; all runs have scores of the same kind."""

    gold_path: str
    runs: tuple[Run, ...]

    @property
    def by_nodes(self) -> bool:
        """Return whether text runs were counted, not words."""
        return self.runs[0].report.by_nodes

    @property
    def measure(self) -> str:
        """The column that sums a page up: accuracy of text runs, or F1 of words."""
        return "acc" if self.by_nodes else "bag_f1"

    def table(self) -> pd.DataFrame:
        """One row for each page or capture and run.

        Columns: run, method, config_digest, page or record_id, group, then those of
        `nodes.compare` or `words.page_table`.
        """
        parts = []
        for run in self.runs:
            part = run.report.table.reset_index()
            part.insert(0, "config_digest", run.account.get("config_digest", ""))
            part.insert(0, "method", _method(run.account))
            part.insert(0, "run", run.name)
            parts.append(part)
        return pd.concat(parts, ignore_index=True)

    def summary(self) -> pd.DataFrame:
        """One row for each run; with invalid runs also one that leaves them out, as `T001, decided`."""
        rows = {}
        for run in self.runs:
            of_run = run.report.summary
            rows[run.name] = of_run.loc["all"]
            if self.by_nodes and of_run.loc["all", ["invalid_con", "invalid_bp"]].sum():
                rows[f"{run.name}, decided"] = of_run.loc["decided"]
        return pd.DataFrame(rows).T

    def groups(self) -> pd.DataFrame:
        """The measure of every run (columns) by group, after the number of pages; may be empty.

        Accuracy is that of all text runs of a group, F1 the mean over its pages.
        """
        column = "acc" if self.by_nodes else "bag_f1_mean"
        scores = {
            run.name: run.report.groups[column] for run in self.runs if len(run.report.groups)
        }
        if not scores:
            return pd.DataFrame()
        pages = [run.report.table.groupby("group").size() for run in self.runs]
        most = pd.concat(pages, axis=1).max(axis=1).astype(int)
        return pd.DataFrame({"pages": most, **scores})

    def text(self) -> str:
        """The scores as Markdown."""
        if len(self.runs) == 1:
            return self.runs[0].report.text()
        names = ", ".join(f"{run.name} ({run.folder.uri})" for run in self.runs)
        parts = [f"{names} against {self.gold_path}"]
        if self.by_nodes:
            parts += [ABOUT_NODES, node_table("run", self.summary())]
        else:
            parts += [word_table(self.summary())]
        groups = self.groups()
        if len(groups):
            what = "Accuracy" if self.by_nodes else "Mean bag F1"
            header = ["group", *map(str, groups)]
            rows = [[name, int(pages), *rest] for name, pages, *rest in groups.itertuples()]
            parts += [f"{what} by group:", table(header, rows)]
        notes = [f"Note: {r.name}: {note}" for r in self.runs for note in r.report.notes]
        return "\n\n".join([*parts, *notes])


def word_table(summary: pd.DataFrame) -> str:
    """Word scores as Markdown, a row for each run."""
    return table(
        ["run", "pages", "empty", *OF_WORDS],
        [
            [name, int(row["pages"]), int(row["empty"]), *(row[c] for c in OF_WORDS.values())]
            for name, row in summary.to_dict("index").items()
        ],
    )


def evaluate_all(folders: Sequence[str], gold_path: str, group: str = "site") -> Comparison:
    """The scores of several runs against one gold.

    A run is called by its method; where two have the same, folders stand behind the methods.

    Raises:
        UsageError: as `evaluate`, or a folder is named twice.
    """
    twice = [folder for folder, times in Counter(folders).items() if times > 1]
    if twice:
        raise UsageError(f"{twice[0]} is named twice; name every run once")
    opened = [open_whole(uri) for uri in folders]
    gold = read_gold(gold_path, group)
    names = _names([_method(account) for _, account in opened], folders)
    runs = []
    for name, (folder, account) in zip(names, opened, strict=True):
        held_to = with_comments(gold, comments_of(account))
        report = score(f"{folder.uri} against {gold_path}", folder, held_to)
        runs.append(Run(name, folder, account, held_to, report))
    return Comparison(gold_path, tuple(runs))


def _names(methods: Sequence[str], folders: Sequence[str]) -> list[str]:
    """Return names that tell runs apart: the method alone if that is enough.

    Else the method with the last part of the folder's name, else with all of it.
    """
    last = [folder.rstrip("/").rpartition("/")[2] for folder in folders]
    for names in (methods, list(map("{} {}".format, methods, last))):
        if len(set(names)) == len(names) and all(names):
            return list(names)
    return list(map("{} {}".format, methods, folders))


def _method(account: Manifest) -> str:
    return str(account.get("config", {}).get("method", ""))
