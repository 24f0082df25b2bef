"""The plots of a report, drawn from its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from dbce.archive import day_of
from dbce.model import ROLES, Status
from dbce.report import plots, thumbnail
from dbce.report.measures import OF_PAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dbce.report.table import Table
    from dbce.report.tables import RunTables

SITES, LANES = 10, 6
"""Sites whose templates are drawn, those with most captures, and templates of a site."""

MARKS = 60
"""Places on the axis of time: captures nearer to each other are one dot."""

NAME = 24
"""Characters of a site's name that are shown, the last ones."""

TICKS = 10
"""New years that are named on the axis of time, at most or a few more."""


def drawings(tables: Mapping[str, Table], judged: pd.DataFrame) -> dict[str, str]:
    """SVG elements by name: `years`, `confidence`, `cross`, and `templates` if they are known.

    `judged` are the judged captures (`measures.captures`), with a column `template`.
    """
    years, sure = tables["years"].frame, tables["confidence"].frame
    statuses = (str(Status.ANNOTATED), str(Status.SINGLE))
    drawn = {
        "years": plots.columns(
            "Words by year of capture and label",
            [str(year) for year in years["year"]],
            {label: years[label].tolist() for label in OF_PAGE},
            "words",
        ),
        "confidence": plots.columns(
            "Captures by confidence",
            [f"{low:.2f}" for low in sure["from"]],
            {status: sure[status].tolist() for status in statuses},
            "captures",
        ),
        "cross": plots.cross(
            "Share of judged captures that have each neighbour",
            {role: float(judged[role].notna().mean()) for role in ROLES[1:]},
        ),
    }
    if "templates" in tables:
        drawn["templates"] = _lanes(judged, tables["sites"].frame["site"].head(SITES).tolist())
    return drawn


def _lanes(judged: pd.DataFrame, sites: Sequence[str]) -> str:
    first, last = judged["fetch_time"].min(), judged["fetch_time"].max()
    seconds = max((last - first).total_seconds(), 1.0)
    place = (judged["fetch_time"] - first).dt.total_seconds() / seconds
    marked = judged.assign(mark=(place * MARKS).round() / MARKS)
    rows = [lane for site in sites for lane in _site_lanes(marked[marked["site"] == site], site)]
    title = "Templates through time: the larger a dot, the more captures"
    return plots.lanes(title, rows, _ticks(first, last))


def _site_lanes(captures: pd.DataFrame, site: str) -> Iterator[plots.Lane]:
    """The largest templates of a site, in the order in which it took them up."""
    sizes = captures.groupby("template").size()
    largest = sizes.sort_values(ascending=False, kind="stable").head(LANES).index
    name = site if len(site) <= NAME else f"...{site[-NAME:]}"
    for template in sorted(largest):
        marks = captures[captures["template"] == template].groupby("mark").size()
        yield plots.Lane(f"{name} {template}", tuple(marks.items()))


def _ticks(first: pd.Timestamp, last: pd.Timestamp) -> list[plots.Tick]:
    """New years on the axis of time; the day of its beginning where there are none."""
    years = range(first.year + 1, last.year + 1)
    if not years:
        return [plots.Tick(0.0, day_of(first))]
    return [
        plots.Tick((pd.Timestamp(year, 1, 1, tz="UTC") - first) / (last - first), str(year))
        for year in years[:: -(-len(years) // TICKS)]
    ]


def thumbnails(of_run: RunTables, record_ids: Iterable[str]) -> dict[str, str]:
    """Captures drawn small, as SVG elements by record id."""
    drawn = {}
    for record_id, runs in thumbnail.pieces(of_run, record_ids).items():
        width, strokes = thumbnail.draw(runs)
        title = "The page drawn small: thick lines are content"
        drawn[record_id] = plots.strokes(title, width, thumbnail.HEIGHT, strokes)
    return drawn


def stacked_bar(row: Mapping[str, float], parts: Mapping[str, str], whole: float | None) -> str:
    """The bar of a table's row: columns to classes of the style sheet; None stands for their sum."""
    values = {kind: row[name] for name, kind in parts.items()}
    return plots.bar(values, sum(values.values()) if whole is None else whole)
