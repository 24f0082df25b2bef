"""The comparison of runs as one HTML file that needs no other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from dbce.evaluate.text import pictures
from dbce.evaluate.text.calibration import outcomes, reliability
from dbce.evaluate.text.comparison import OF_WORDS
from dbce.evaluate.text.nodes import COUNTS, UNSCORED
from dbce.evaluate.text.report import ABOUT_NODES, ABOUT_WORDS
from dbce.evaluate.text.worst import worst
from dbce.model.style import environment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jinja2 import Environment

    from dbce.evaluate.text.calibration import Reliability
    from dbce.evaluate.text.comparison import Comparison
    from dbce.evaluate.text.pictures import Picture

OWN_STYLE = ".picture{margin:1rem 0}.picture svg{max-width:100%;height:auto;background:#fff}"
WEIGHTS = {"runs": "every text run counted once", "words": "text runs counted by their words"}


def render(comparison: Comparison, group: str) -> str:
    """The report: summary, settings, pictures, table by group, worst pages with their differences.

    Raises:
        UsageError: matplotlib is not installed.
    """
    pictures.require()
    reliable = _reliable(comparison)
    measure = "accuracy" if comparison.by_nodes else "mean bag F1"
    groups = comparison.groups()
    groups.index.name = group
    return (
        _templates()
        .get_template("evaluation.html")
        .render(
            names=[run.name for run in comparison.runs],
            gold=comparison.gold_path,
            about=ABOUT_NODES if comparison.by_nodes else ABOUT_WORDS,
            summary=_summary(comparison),
            counts=("pages", "empty", *COUNTS),
            notes=[f"{run.name}: {note}" for run in comparison.runs for note in run.report.notes],
            settings=_settings(comparison),
            pictures=list(_pictures(comparison, reliable, measure, group)),
            errors=_errors(reliable),
            groups=groups,
            group=group,
            measure=measure,
            worst={run.name: worst(comparison, run) for run in comparison.runs},
        )
    )


def _summary(comparison: Comparison) -> pd.DataFrame:
    summary = comparison.summary()
    if comparison.by_nodes:
        return summary.drop(columns=list(UNSCORED))
    shown = summary[["pages", "empty", *OF_WORDS.values()]]
    return shown.rename(columns={column: heading for heading, column in OF_WORDS.items()})


def _settings(comparison: Comparison) -> pd.DataFrame:
    """Return the folder, the version and the settings of each run, without those equal in all."""
    rows: dict[str, dict[str, Any]] = {}
    for run in comparison.runs:
        account = run.account
        fixed = {
            "folder": run.folder.uri,
            "dbce": account.get("versions", {}).get("dbce", ""),
            "configuration": account.get("config_digest", ""),
        }
        config = account.get("config", {})
        rows[run.name] = fixed | {name: _plain(value) for name, value in config.items()}
    table = pd.DataFrame(rows).T.fillna("")
    always = {"folder", "dbce", "configuration", "method"}
    keep = [str(name) for name in table if name in always or len(set(table[name])) > 1]
    return table[keep]


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


Reliable = dict[str, dict[str, "Reliability"]]
"""Weight (runs, words), then run, to its reliability."""


def _reliable(comparison: Comparison) -> Reliable:
    found: Reliable = {weight: {} for weight in WEIGHTS}
    for run in comparison.runs:
        judged = outcomes(run.folder, run.gold)
        probability = judged["probability"].to_numpy(np.float64)
        content = judged["content"].to_numpy(np.bool_)
        words = judged["words"].to_numpy(np.float64)
        found["runs"][run.name] = reliability(probability, content, np.ones(len(judged)))
        found["words"][run.name] = reliability(probability, content, words)
    return found


def _errors(reliable: Reliable) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "text runs": {n: one.bins["weight"].sum() for n, one in reliable["runs"].items()},
            **{
                f"ECE by {weight}": {name: one.error for name, one in of_weight.items()}
                for weight, of_weight in reliable.items()
            },
        }
    )


def _pictures(
    comparison: Comparison, reliable: Reliable, measure: str, group: str
) -> Iterator[Picture]:
    summary = comparison.summary().to_dict("index")
    column = "acc" if comparison.by_nodes else "bag_f1_mean"
    score = {str(name): row[column] for name, row in summary.items()}
    error = {} if comparison.by_nodes else {str(n): row["bag_f1_se"] for n, row in summary.items()}
    title = (
        f"{measure[0].upper()}{measure[1:]} by method{', with its standard error' if error else ''}"
    )
    yield pictures.by_run(title, score, error)
    groups = comparison.groups()
    if len(groups):
        yield pictures.by_group(f"{measure[0].upper()}{measure[1:]} by {group} (pages)", groups)
    stages = {run.name: run.account.get("seconds", {}) for run in comparison.runs}
    if any(stages.values()):
        yield pictures.seconds("Seconds by stage", stages)
    for weight, meaning in WEIGHTS.items():
        title = f"Reliability of the probabilities, {meaning}"
        yield pictures.reliabilities(weight, title, reliable[weight])


def _templates() -> Environment:
    found = environment("dbce.evaluate.text", OWN_STYLE)
    found.filters |= {"score": _score, "own": Markup}
    return found


def _score(value: object, count: bool = False) -> str:
    if isinstance(value, str):
        return value
    number = float(str(value))
    if np.isnan(number):
        return "n/a"
    return f"{number:,.0f}" if count else f"{number:.3f}"
