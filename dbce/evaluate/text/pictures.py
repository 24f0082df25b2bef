"""The scores as pictures: SVG, the same bytes for the same scores and version of matplotlib."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

from dbce.model import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dbce.evaluate.text.calibration import Reliability

GROUPS = 40
"""Groups in a picture, those with the most pages; more cannot be read."""

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


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG element, and what it shows in a sentence."""

    name: str
    title: str
    svg: str


def require() -> None:
    """Does nothing where matplotlib is installed.

    Raises:
        MissingExtra: it is not.
    """
    try:
        import matplotlib as mpl  # noqa: F401 - only looked for
    except ImportError as e:
        raise MissingExtra("a page with pictures", "evaluate") from e


def by_run(title: str, score: Mapping[str, float], error: Mapping[str, float]) -> Picture:
    """A bar for each run, with its standard error where there is one."""
    with _figure("by-run", title, 7, 0.8 + 0.45 * len(score)) as (axes, drawn):
        places = list(range(len(score)))[::-1]
        values = list(score.values())
        axes.barh(places, values, 0.6, color=_cycle(COLOURS, len(score)))
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
                marker=MARKERS[number % len(MARKERS)],
                color=COLOURS[number % len(COLOURS)],
                alpha=0.8,
                label=_short(str(name)),
            )
        axes.set_yticks(places, [f"{_short(str(g))} ({n})" for g, n in shown["pages"].items()])
        axes.set_ylim(-1, len(shown))
        axes.set_xlim(min(0.5, float(shown.drop(columns="pages").min().min())) - 0.02, 1.02)
        _legend(axes)
    return drawn[0]


def seconds(title: str, stages: Mapping[str, Mapping[str, float]]) -> Picture:
    """A bar for each run, made of the seconds of its stages; runs to stages to seconds."""
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


def reliabilities(weight: str, title: str, found: Mapping[str, Reliability]) -> Picture:
    """A curve for each run: what was said against what was true; on the diagonal they agree.

    `weight` tells two such pictures of a page apart.
    """
    with _figure(f"reliability-{weight}", title, 5, 4.6) as (axes, drawn):
        axes.plot([0, 1], [0, 1], color="#888888", linestyle="--", linewidth=1)
        for number, (name, one) in enumerate(found.items()):
            bins = one.bins[one.bins["weight"] > 0]
            axes.plot(
                bins["probability"].tolist(),
                bins["content"].tolist(),
                marker=MARKERS[number % len(MARKERS)],
                color=COLOURS[number % len(COLOURS)],
                alpha=0.8,
                label=f"{_short(name)}, ECE {one.error:.3f}",
            )
        axes.set_xlabel("probability of content")
        axes.set_ylabel("share that is content")
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        _legend(axes)
    return drawn[0]


def _legend(axes: Axes) -> None:
    names = axes.get_legend_handles_labels()[1]
    if names:
        columns = 1 if len(max(names, key=len)) > NAME / 2 else 3
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=columns,
            frameon=False,
            borderaxespad=0,
        )


def _short(name: str) -> str:
    return name if len(name) <= NAME else f"...{name[-NAME:]}"


def _cycle(values: Sequence[str], length: int) -> list[str]:
    return [values[n % len(values)] for n in range(length)]


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
        drawn.append(Picture(name, title, _svg(figure, name)))


def _svg(figure: Figure, name: str) -> str:
    """The SVG element of a figure, with ids that no other picture of a page has."""
    stream = StringIO()
    figure.savefig(stream, format="svg", metadata=NO_METADATA)
    svg = stream.getvalue()
    svg = svg[svg.index("<svg") :]
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", svg)
