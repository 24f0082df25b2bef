"""Plots of a report, drawn from its figures."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dbce.archive import day_of
from dbce.html import INLINE
from dbce.model import ROLES, Status
from dbce.report import plots
from dbce.report.measures import OF_PAGE, RunTables
from dbce.report.plots import Stroke
from dbce.report.table import Table

SITES, LANES = 10, 6
"""Sites whose templates are drawn, those with most captures, and templates of a site."""

MARKS = 60  # places on the axis of time: captures nearer to each other are one dot
NAME = 24  # characters of a site's name that are shown, the last ones
TICKS = 10  # new years that are named on the axis of time, at most or a few more


def drawings(tables: Mapping[str, Table], judged: pd.DataFrame) -> dict[str, str]:
    """SVG elements by name, `templates` if they are known; `judged` are the judged captures with a column `template`."""
    years, histogram = tables["years"].frame, tables["confidence"].frame
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
            [f"{low:.2f}" for low in histogram["from"]],
            {status: histogram[status].tolist() for status in statuses},
            "captures",
        ),
        "cross": plots.cross(
            "Share of classified captures that have each neighbour",
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


def _site_lanes(captures: pd.DataFrame, site: str) -> Iterator[tuple[str, plots.Marks]]:
    """Yield the largest templates of a site, in the order in which it took them up."""
    sizes = captures.groupby("template").size()
    largest = sizes.sort_values(ascending=False, kind="stable").head(LANES).index
    name = site if len(site) <= NAME else f"...{site[-NAME:]}"
    for template in sorted(largest):
        marks = captures[captures["template"] == template].groupby("mark").size()
        yield f"{name} {template}", tuple(marks.items())


def _ticks(first: pd.Timestamp, last: pd.Timestamp) -> list[tuple[float, str]]:
    """New years on the axis of time; the day of its beginning where there are none."""
    years = range(first.year + 1, last.year + 1)
    if not years:
        return [(0.0, day_of(first))]
    return [
        ((pd.Timestamp(year, 1, 1, tz="UTC") - first) / (last - first), str(year))
        for year in years[:: -(-len(years) // TICKS)]
    ]


def thumbnails(of_run: RunTables, record_ids: Iterable[str]) -> dict[str, str]:
    drawn = {}
    for record_id, runs in pieces(of_run, record_ids).items():
        width, strokes = draw(runs)
        title = "The page drawn small: thick lines are content"
        drawn[record_id] = plots.strokes(title, width, HEIGHT, strokes)
    return drawn


def stacked_bar(row: Mapping[str, float], parts: Mapping[str, str], whole: float | None) -> str:
    """Return the bar of a table's row: columns to classes of the style sheet; None stands for their sum."""
    values = {kind: row[name] for name, kind in parts.items()}
    return plots.bar(values, sum(values.values()) if whole is None else whole)


LINE = 48  # characters of a line; longer texts go on in the next one, as in a narrow window
LINES = 72  # lines of a column, two units of height each
COLUMNS = 3  # columns side by side; of a longer page the beginning is drawn
GAP = 6  # characters between two columns

HEIGHT = 2 * LINES

STEP = re.compile(r"/([^/\[]+)(?:\[\d+\])?$")


class Piece(NamedTuple):
    block: str
    length: int
    label: str


def pieces(tables: RunTables, record_ids: Iterable[str]) -> dict[str, list[Piece]]:
    """Return the text runs of some captures, in the order of the page, by record id."""
    wanted = pa.array(sorted(record_ids), pa.string())
    columns = {name: pc.field(name) for name in ("record_id", "xpath", "label")}
    columns["length"] = pc.utf8_length(pc.field("text"))
    of_wanted = pc.field("record_id").isin(wanted)
    rows = tables.nodes.to_table(columns=columns, where=of_wanted).to_pylist()
    return {
        record_id: [Piece(block(row["xpath"]), row["length"], row["label"]) for row in group]
        for record_id, group in groupby(rows, lambda row: row["record_id"])
    }


def block(xpath: str) -> str:
    """Return the path of the element that sets a text node's line: the nearest that is not inline."""
    path = xpath.rpartition("/")[0]
    while (step := STEP.search(path)) and step[1] in INLINE:
        path = path[: step.start()]
    return path


def draw(runs: Sequence[Piece]) -> tuple[int, list[Stroke]]:
    """Return the width and the strokes of a page, in units of a character; the height is HEIGHT."""
    found: list[Stroke] = []
    columns = 1
    for line, start, length, label in _lines(runs):
        column, row = divmod(line, LINES)
        if column == COLUMNS:
            break
        columns = column + 1
        found.append(Stroke(column * (LINE + GAP) + start, 2 * row + 1, length, label))
    return columns * (LINE + GAP) - GAP, found


def _lines(runs: Iterable[Piece]) -> Iterator[tuple[int, int, int, str]]:
    """Yield (line, first character, number of characters, label) of every stretch, line by line."""
    line, place, before = 0, 0, None
    for run in runs:
        if before is not None and (run.block != before or place >= LINE):
            line, place = line + 1, 0
        before, left = run.block, run.length
        while left:
            taken = min(left, LINE - place)
            if not taken:
                line, place = line + 1, 0
                continue
            yield line, place, taken, run.label
            left, place = left - taken, place + taken
