"""Comparison of runs as one HTML file that needs no other, with its scores as pictures.

Pictures are SVG, the same bytes for the same scores and version of matplotlib.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from markupsafe import Markup

from dbce.evaluate.diagnostics import Reliability, reliabilities, worst
from dbce.evaluate.nodes import COUNTS, UNSCORED
from dbce.evaluate.runs import ABOUT_NODES, ABOUT_WORDS, WORD_COLUMNS, Comparison
from dbce.model.style import environment

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GROUPS = 40  # groups in a picture, those with the most pages; more cannot be read

NAME = 36
"""Characters of a name that are shown, the last ones; longer ones would leave no room to draw."""

# Okabe and Ito, Color Universal Design, 2008: told apart by colour-blind readers too.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

STYLE: dict[Any, Any] = {
    "text.parse_math": False,  # a dollar sign in a name is a dollar sign
    "svg.fonttype": "none",  # text stays text: small, and found by a search in the page
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#dddddd",
}
NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


class Picture(NamedTuple):
    title: str
    svg: str


def by_run(title: str, score: Mapping[str, float], error: Mapping[str, float]) -> Picture:
    """A bar for each run, with its standard error where there is one."""
    with _figure("by-run", title, 7, 0.8 + 0.45 * len(score)) as (axes, drawn):
        places = list(range(len(score)))[::-1]
        values = list(score.values())
        colours = [COLOURS[n % len(COLOURS)] for n in range(len(score))]
        axes.barh(places, values, 0.6, color=colours)
        for place, (name, value) in zip(places, score.items(), strict=True):
            if name in error:
                axes.errorbar(value, place, xerr=error[name], color="black", capsize=3)
            axes.text(1.02, place, f"{value:.3f}", va="center")
        axes.set_yticks(places, [_short(name) for name in score])
        axes.set_xlim(0, 1)
        axes.grid(visible=False, axis="y")
    return drawn[0]


def by_group(title: str, groups: pd.DataFrame) -> Picture:
    """A line for each group, a mark on it for each run; `groups` as of `Comparison.groups`."""
    shown = groups.sort_values("pages", ascending=False, kind="stable").head(GROUPS).sort_index()
    if len(shown) < len(groups):
        title = f"{title}; the {len(shown)} of {len(groups)} with the most pages"
    with _figure("by-group", title, 7, 1.1 + 0.24 * len(shown)) as (axes, drawn):
        places = list(range(len(shown)))[::-1]
        for number, name in enumerate(shown.columns.drop("pages")):
            axes.plot(
                shown[name].tolist(),
                places,
                linestyle="none",
                **_mark(number),
                label=_short(str(name)),
            )
        axes.set_yticks(places, [f"{_short(str(g))} ({n})" for g, n in shown["pages"].items()])
        axes.set_ylim(-1, len(shown))
        axes.set_xlim(min(0.5, float(shown.drop(columns="pages").min().min())) - 0.02, 1.02)
        _legend(axes)
    return drawn[0]


def seconds(title: str, stages: Mapping[str, Mapping[str, float]]) -> Picture:
    with _figure("seconds", title, 7, 1.1 + 0.45 * len(stages)) as (axes, drawn):
        places = list(range(len(stages)))[::-1]
        left = [0.0] * len(stages)
        names = list(dict.fromkeys(stage for of_run in stages.values() for stage in of_run))
        for number, stage in enumerate(names):
            widths = [of_run.get(stage, 0.0) for of_run in stages.values()]
            colour = COLOURS[number % len(COLOURS)]
            axes.barh(places, widths, 0.6, left=left, label=stage, color=colour)
            left = [a + b for a, b in zip(left, widths, strict=True)]
        axes.set_yticks(places, [_short(name) for name in stages])
        axes.set_xlabel("seconds")
        axes.grid(visible=False, axis="y")
        _legend(axes)
    return drawn[0]


def by_probability(weight: str, title: str, found: Mapping[str, Reliability]) -> Picture:
    """A curve for each run: what was said against what was true; `weight` tells two such pictures apart."""
    with _figure(f"reliability-{weight}", title, 5, 4.6) as (axes, drawn):
        axes.plot([0, 1], [0, 1], color="#888888", linestyle="--", linewidth=1)
        for number, (name, one) in enumerate(found.items()):
            bins = one.bins[one.bins["weight"] > 0]
            axes.plot(
                bins["probability"].tolist(),
                bins["content"].tolist(),
                **_mark(number),
                label=f"{_short(name)}, ECE {one.error:.3f}",
            )
        axes.set_xlabel("probability of content")
        axes.set_ylabel("share that is content")
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        _legend(axes)
    return drawn[0]


def _mark(number: int) -> dict[str, Any]:
    marker, colour = MARKERS[number % len(MARKERS)], COLOURS[number % len(COLOURS)]
    return {"marker": marker, "color": colour, "alpha": 0.8}


def _legend(axes: Axes) -> None:
    names = axes.get_legend_handles_labels()[1]
    if names:
        columns = 1 if len(max(names, key=len)) > NAME / 2 else 3
        axes.legend(
            loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, frameon=False, borderaxespad=0
        )


def _short(name: str) -> str:
    return name if len(name) <= NAME else f"...{name[-NAME:]}"


@contextmanager
def _figure(
    name: str, title: str, width: float, height: float
) -> Iterator[tuple[Axes, list[Picture]]]:
    """Axes to draw on (inches), and a list that has the picture when the block has ended."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    drawn: list[Picture] = []
    with mpl.rc_context(STYLE | {"svg.hashsalt": f"dbce-{name}"}):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure.subplots(), drawn
        drawn.append(Picture(title, _svg(figure, name)))


def _svg(figure: Figure, name: str) -> str:
    """SVG element of a figure, with ids that no other picture of a page has."""
    stream = StringIO()
    figure.savefig(stream, format="svg", metadata=NO_METADATA)
    svg = stream.getvalue()
    svg = svg[svg.index("<svg") :]
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", svg)


OWN_STYLE = ".picture{margin:1rem 0}.picture svg{max-width:100%;height:auto;background:#fff}"
WEIGHTS = {"runs": "every text run counted once", "words": "text runs counted by their words"}


def render(comparison: Comparison, group: str) -> str:
    """The report: summary, settings, pictures, table by group, worst pages with their differences."""
    reliable = _reliable(comparison)
    measure = "accuracy" if comparison.by_nodes else "mean bag F1"
    groups = comparison.groups()
    groups.index.name = group
    templates = environment("dbce.evaluate", OWN_STYLE)
    templates.filters |= {"score": _score, "own": Markup}
    return templates.get_template("evaluation.html").render(
        names=[run.name for run in comparison.runs],
        gold=comparison.gold_path,
        about=ABOUT_NODES if comparison.by_nodes else ABOUT_WORDS,
        summary=_summary(comparison),
        counts=("pages", "empty", *COUNTS),
        notes=[f"{run.name}: {note}" for run in comparison.runs for note in run.notes],
        settings=_settings(comparison),
        pictures=list(_pictures(comparison, reliable, measure, group)),
        errors=_errors(reliable),
        groups=groups,
        group=group,
        measure=measure,
        worst={run.name: worst(comparison, run) for run in comparison.runs},
    )


def _summary(comparison: Comparison) -> pd.DataFrame:
    summary = comparison.summary()
    if comparison.by_nodes:
        return summary.drop(columns=list(UNSCORED))
    shown = summary[["pages", "empty", *WORD_COLUMNS.values()]]
    return shown.rename(columns={column: heading for heading, column in WORD_COLUMNS.items()})


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
            name: value if isinstance(value, str) else json.dumps(value)
            for name, value in config.items()
        }
    table = pd.DataFrame(rows).T.fillna("")
    always = {"folder", "dbce", "configuration", "method"}
    keep = [str(name) for name in table if name in always or len(set(table[name])) > 1]
    return table[keep]


Reliable = dict[str, dict[str, "Reliability"]]  # weight (runs, words), then run, to its reliability


def _reliable(comparison: Comparison) -> Reliable:
    of_runs = {run.name: reliabilities(run) for run in comparison.runs}
    return {weight: {name: of[weight] for name, of in of_runs.items()} for weight in WEIGHTS}


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
    yield by_run(title, score, error)
    groups = comparison.groups()
    if len(groups):
        yield by_group(f"{measure[0].upper()}{measure[1:]} by {group} (pages)", groups)
    stages = {run.name: run.account.get("seconds", {}) for run in comparison.runs}
    if any(stages.values()):
        yield seconds("Seconds by stage", stages)
    for weight, meaning in WEIGHTS.items():
        title = f"Reliability of the probabilities, {meaning}"
        yield by_probability(weight, title, reliable[weight])


def _score(value: object, count: bool = False) -> str:
    if isinstance(value, str):
        return value
    number = float(str(value))
    if np.isnan(number):
        return "n/a"
    return f"{number:,.0f}" if count else f"{number:.3f}"
