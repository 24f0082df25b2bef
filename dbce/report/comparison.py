"""Comparison of evaluated runs as one HTML file that needs no other."""

import json
from typing import Any

import numpy as np
import pandas as pd

from dbce.evaluate import Comparison
from dbce.evaluate.diagnostics import Reliability, reliabilities, worst
from dbce.evaluate.nodes import COUNTS, UNSCORED
from dbce.evaluate.runs import ABOUT_NODES, ABOUT_WORDS, WORD_COLUMNS
from dbce.model.style import environment, template_file
from dbce.report import drawings

WEIGHTS = {"runs": "every text run counted once", "words": "text runs counted by their words"}


def render(comparison: Comparison, group: str) -> str:
    """The page: scores and settings of the runs, their reliability, scores by group, worst pages with their differences."""
    reliable = {run.name: reliabilities(run) for run in comparison.runs}
    measure = "accuracy" if comparison.by_nodes else "mean bag F1"
    groups = comparison.groups()
    groups.index.name = group
    templates = environment("dbce.report", template_file("dbce.report", "report.css"))
    templates.filters |= {"score": _score}
    templates.globals |= {"bar": drawings.bar}
    return templates.get_template("comparison.html").render(
        names=[run.name for run in comparison.runs],
        gold=comparison.gold_path,
        about=ABOUT_NODES if comparison.by_nodes else ABOUT_WORDS,
        summary=_summary(comparison),
        main_score="acc" if comparison.by_nodes else _HEADINGS["bag_f1_mean"],
        counts=("pages", "empty", *COUNTS),
        notes=[f"{run.name}: {note}" for run in comparison.runs for note in run.notes],
        settings=_settings(comparison),
        seconds=_seconds(comparison),
        curves={name: _curves(of_weights) for name, of_weights in reliable.items()},
        errors=_errors(reliable),
        groups=groups,
        group=group,
        measure=measure,
        worst={run.name: worst(comparison, run) for run in comparison.runs},
    )


_HEADINGS = {column: heading for heading, column in WORD_COLUMNS.items()}


def _summary(comparison: Comparison) -> pd.DataFrame:
    summary = comparison.summary()
    if comparison.by_nodes:
        return summary.drop(columns=list(UNSCORED))
    return summary[["pages", "empty", *_HEADINGS]].rename(columns=_HEADINGS)


def _settings(comparison: Comparison) -> pd.DataFrame:
    rows: dict[str, dict[str, Any]] = {}
    for run in comparison.runs:
        account = run.account
        fixed = {
            "folder": run.folder.uri,
            "dbce": account.get("versions", {}).get("dbce", ""),
            "configuration": account.get("config_digest", ""),
        }
        config = account.get("config", {})
        rows[run.name] = fixed | {
            key: value if isinstance(value, str) else json.dumps(value)
            for key, value in config.items()
        }
    table = pd.DataFrame(rows).T.fillna("")
    always = {"folder", "dbce", "configuration", "method"}
    keep = [str(name) for name in table if name in always or len(set(table[name])) > 1]
    return table[keep]


def _seconds(comparison: Comparison) -> pd.DataFrame:
    stages = {run.name: run.account.get("seconds", {}) for run in comparison.runs}
    return pd.DataFrame(stages).T.dropna(axis="columns", how="all").fillna(0.0)


def _curves(of_weights: dict[str, Reliability]) -> list[str]:
    """Reliability diagrams of a run, one for each weight: the probabilities against what was true."""
    return [
        drawings.reliability(f"Reliability, {meaning}", of_weights[weight].points)
        for weight, meaning in WEIGHTS.items()
    ]


def _errors(reliable: dict[str, dict[str, Reliability]]) -> pd.DataFrame:
    rows = {
        name: {"text runs": of["runs"].bins["weight"].sum()}
        | {f"ECE by {weight}": of[weight].error for weight in WEIGHTS}
        for name, of in reliable.items()
    }
    return pd.DataFrame(rows).T


def _score(value: object, count: bool = False) -> str:
    if isinstance(value, str):
        return value
    number = float(str(value))
    if np.isnan(number):
        return "n/a"
    return f"{number:,.0f}" if count else f"{number:.3f}"
