"""Tables of the report that need gold: scores, calibration, the worst pages."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dbce.evaluate import Comparison, evaluate_all
from dbce.evaluate.diagnostics import WorstPage, outcomes, reliability, worst
from dbce.evaluate.nodes import COUNTS
from dbce.evaluate.runs import ABOUT_NODES, ABOUT_WORDS, IN_GROUPS
from dbce.evaluate.scores import MEASURES, PRF
from dbce.report.plots import reliability as reliability_plot
from dbce.report.table import Table, table

NAMES = {"acc": "accuracy", "bag_f1": "bag F1"}


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """A run against gold."""

    gold: str
    measure: str  # the score that sums a page up, in words
    score: float  # that of the run
    about: str  # how it is counted
    notes: tuple[str, ...]  # what of the gold could not be used as it is
    summary: Table
    groups: Table | None
    pages: Table
    calibration: Table
    error: float  # expected calibration error
    plot: str
    worst: Sequence[WorstPage]

    @property
    def tables(self) -> list[Table]:
        every = (self.summary, self.groups, self.pages, self.calibration)
        return [one for one in every if one is not None]


def scores(folder: str, gold: str, group: str) -> Scores:
    """Return the scores of a run; UsageError if the gold cannot be used."""
    comparison = evaluate_all([folder], gold, group)
    [run] = comparison.runs
    found = outcomes(run.folder, run.gold)
    probability = found["probability"].to_numpy(np.float64)
    reliable = reliability(probability, found["content"].to_numpy(np.bool_), np.ones(len(found)))
    names = {"low": "from", "weight": "runs", "content": "true_share"}
    bins = reliable.bins.rename(columns=names).astype({"runs": "int64"})
    drawn = bins[bins["runs"] > 0]
    column = "acc" if comparison.by_nodes else "bag_f1_mean"
    return Scores(
        gold=gold.rpartition("/")[2],
        measure=NAMES[comparison.measure],
        score=float(run.report.summary[column]["all"]),
        about=ABOUT_NODES if comparison.by_nodes else ABOUT_WORDS,
        notes=run.report.notes,
        summary=_summary(comparison),
        groups=_groups(run.report.groups, group),
        pages=_pages(comparison),
        calibration=table("calibration", "Text runs by probability, and what they are", bins),
        error=reliable.error,
        plot=reliability_plot(
            "Reliability of the probabilities",
            list(zip(drawn["probability"], drawn["true_share"], drawn["runs"], strict=True)),
        ),
        worst=worst(comparison, run),
    )


def _summary(comparison: Comparison) -> Table:
    """Scores of all pages: of text runs in a row, of words a row for each way to sum them up."""
    summary = comparison.runs[0].report.summary
    caption = "Scores of the run"
    if comparison.by_nodes:
        return table(
            "scores", caption, _with_whole_numbers(summary.rename_axis("runs").reset_index())
        )
    every = summary.loc["all"]
    rows = [
        [measure, kind, *(every[f"{measure}_{name}_{kind}"] for name in PRF)]
        for measure in MEASURES
        for kind in ("mean", "median", "micro")
    ]
    frame = pd.DataFrame(rows, columns=["words", "of_pages", *PRF])
    errors = [every[f"{one}_f1_se"] for one in MEASURES]
    frame["standard_error"] = frame["words"].map(dict(zip(MEASURES, errors, strict=True)))
    frame.loc[frame["of_pages"] != "mean", "standard_error"] = np.nan
    return table("scores", caption, frame)


def _groups(groups: pd.DataFrame, group: str) -> Table | None:
    if not len(groups):
        return None
    frame = groups if "tp" in groups else groups[["pages", "empty", *IN_GROUPS.values()]]
    frame = _with_whole_numbers(frame.rename_axis(group).reset_index())
    return table("scores_by_group", f"Scores by {group}", frame)


def _with_whole_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype({name: "int64" for name in (*COUNTS, "pages", "empty") if name in frame})


def _pages(comparison: Comparison) -> Table:
    frame = comparison.table().drop(columns=["run", "method", "config_digest"])
    frame = frame.sort_values(comparison.measure, kind="stable")
    return table("scores_by_page", "Scores by page, the worst first", frame)
