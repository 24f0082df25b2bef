"""Plots of a report as SVG elements, coloured by the page's style sheet.

The data of each plot is also in a table below it; a plot needs no script and no font.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil, floor, log10
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from markupsafe import Markup

from dbce.archive import day_of
from dbce.html import INLINE
from dbce.model import ROLES, Status
from dbce.output import WholeTable
from dbce.report.figures import Table
from dbce.report.measures import OF_PAGE

Pair = tuple[float, float]
Marks = Sequence[tuple[float, int]]

SITES, LANES = 10, 6
"""Sites whose templates are drawn, those with most captures, and templates of a site."""

MARKS = 60  # places on the time axis: closer captures are one dot
NAME = 24  # last characters of a site's name that are shown
TICKS = 10  # approximate maximum of labelled new years on the time axis


def drawings(tables: Mapping[str, Table], judged: pd.DataFrame) -> dict[str, str]:
    """Return SVG elements by name, `templates` if known; `judged` are the judged captures with a column `template`."""
    years, histogram = tables["years"].frame, tables["confidence"].frame
    statuses = (str(Status.ANNOTATED), str(Status.SINGLE))
    drawn = {
        "years": columns(
            "Words by year of capture and label",
            [str(year) for year in years["year"]],
            {label: years[label].tolist() for label in OF_PAGE},
            "words",
        ),
        "confidence": columns(
            "Captures by confidence",
            [f"{low:.2f}" for low in histogram["from"]],
            {status: histogram[status].tolist() for status in statuses},
            "captures",
        ),
        "cross": cross(
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
    return lanes(title, rows, _ticks(first, last))


def _site_lanes(captures: pd.DataFrame, site: str) -> Iterator[tuple[str, Marks]]:
    """Yield the largest templates of a site, in order of their first captures."""
    sizes = captures.groupby("template").size()
    largest = sizes.sort_values(ascending=False, kind="stable").head(LANES).index
    name = site if len(site) <= NAME else f"...{site[-NAME:]}"
    for template in sorted(largest):
        marks = captures[captures["template"] == template].groupby("mark").size()
        yield f"{name} {template}", tuple(marks.items())


def _ticks(first: pd.Timestamp, last: pd.Timestamp) -> list[tuple[float, str]]:
    """Return the ticks of the time axis (place, label): new years, or its first day without any."""
    years = range(first.year + 1, last.year + 1)
    if not years:
        return [(0.0, day_of(first))]
    return [
        ((pd.Timestamp(year, 1, 1, tz="UTC") - first) / (last - first), str(year))
        for year in years[:: -(-len(years) // TICKS)]
    ]


def stacked_bar(row: Mapping[str, float], labels: Sequence[str], total: float | None) -> str:
    """Return the bar of a table's row, of the columns that labels name; a `total` of None is their sum."""
    values = {label: row[label] for label in labels}
    return bar(values, sum(values.values()) if total is None else total)


LINE = 48  # characters of a line; longer texts wrap, as in a narrow window
LINES = 72  # lines of a column, two units of height each
COLUMNS = 3  # columns side by side; only the beginning of a longer page is drawn
GAP = 6  # characters between two columns

STEP = re.compile(r"/([^/\[]+)(?:\[\d+\])?$")


class Piece(NamedTuple):
    block: str
    length: int
    label: str


class Stroke(NamedTuple):
    """A part of a line with a single label; `y` is the middle of the line."""

    x: int
    y: int
    length: int
    label: str


def thumbnails(nodes: WholeTable, record_ids: Iterable[str]) -> dict[str, str]:
    return {record_id: _thumbnail(runs) for record_id, runs in pieces(nodes, record_ids).items()}


def _thumbnail(runs: Sequence[Piece]) -> str:
    width, strokes = draw(runs)
    svg = _svg("The page drawn small: thick lines are content", width, 2 * LINES)
    for label in dict.fromkeys(stroke.label for stroke in strokes):
        path = "".join(f"M{s.x} {s.y}h{s.length}" for s in strokes if s.label == label)
        _part(svg, "path", d=path, kind=f"stroke-{label}")
    return _markup(svg)


def pieces(nodes: WholeTable, record_ids: Iterable[str]) -> dict[str, list[Piece]]:
    """Return the text runs of some captures, in the order of the page, by record id."""
    ids = pa.array(sorted(record_ids), pa.string())
    fields = {name: pc.field(name) for name in ("record_id", "xpath", "label")}
    fields["length"] = pc.utf8_length(pc.field("text"))
    is_wanted = pc.field("record_id").isin(ids)
    rows = nodes.to_table(columns=fields, where=is_wanted).to_pylist()
    return {
        record_id: [Piece(block(row["xpath"]), row["length"], row["label"]) for row in group]
        for record_id, group in groupby(rows, lambda row: row["record_id"])
    }


def block(xpath: str) -> str:
    """Return the path of a text node's block: the nearest element that is not inline."""
    path = xpath.rpartition("/")[0]
    while (step := STEP.search(path)) and step[1] in INLINE:
        path = path[: step.start()]
    return path


def draw(runs: Sequence[Piece]) -> tuple[int, list[Stroke]]:
    """Return the width and the strokes of a page, in units of a character; the height is twice LINES."""
    strokes: list[Stroke] = []
    line, place, block = 0, 0, None
    for run in runs:
        if block is not None and (run.block != block or place >= LINE):
            line, place = line + 1, 0
        block, remaining = run.block, run.length
        while remaining and line < COLUMNS * LINES:
            length = min(remaining, LINE - place)
            if length:
                column, row = divmod(line, LINES)
                x = column * (LINE + GAP) + place
                strokes.append(Stroke(x, 2 * row + 1, length, run.label))
                remaining, place = remaining - length, place + length
            else:
                line, place = line + 1, 0
    columns = strokes[-1].x // (LINE + GAP) + 1 if strokes else 1
    return columns * (LINE + GAP) - GAP, strokes


WIDTH, HEIGHT = 720, 260
LEFT, TOP, BOTTOM = 56, 24, 30
STEPS = 5  # maximum steps of an axis


def columns(title: str, names: Sequence[str], parts: Mapping[str, Sequence[float]], of: str) -> str:
    """Return a stacked column chart: a column for each name, of parts (also CSS classes); `of` labels the axis."""
    svg = _svg(title, WIDTH, HEIGHT)
    highest = max([*map(sum, zip(*parts.values(), strict=True)), 0]) or 1
    step, ground = _step(highest), HEIGHT - BOTTOM
    ticks = ceil(highest / step)
    scale = (ground - TOP) / (ticks * step)
    for tick in range(ticks + 1):
        y = ground - scale * step * tick
        _line(svg, "grid", (LEFT, y), (WIDTH, y))
        _text(svg, (LEFT - 8, y + 4), _number(step * tick), "end")
    _text(svg, (0, 12), of, "start")
    width = (WIDTH - LEFT) / max(len(names), 1)
    label_step = -(-len(names) // 16)
    for place, name in enumerate(names):
        x, y = LEFT + width * (place + 0.14), float(ground)
        for part, values in parts.items():
            height = scale * values[place]
            y -= height
            _rect(svg, part, (x, y), (width * 0.72, height))
        if place % label_step == 0:
            _text(svg, (x + width * 0.36, HEIGHT - 10), name, "middle")
    return _markup(svg)


def cross(title: str, shares: Mapping[str, float]) -> str:
    """Return the cross, each place filled and labelled with the share of captures that have it."""
    svg = _svg(title, 420, 250)
    at = {"up": (150, 5), "prev": (5, 90), "cur": (150, 90), "next": (295, 90), "down": (150, 175)}
    _line(svg, "axis", (210, 5), (210, 245))
    _line(svg, "axis", (5, 125), (415, 125))
    for role in ROLES:
        x, y = at[role]
        share = shares.get(role, 1.0)
        _rect(svg, "place", (x, y), (120, 70))
        _rect(svg, "share", (x, y + 70 - 70 * share), (120, 70 * share))
        _rect(svg, "edge", (x, y), (120, 70))
        _text(svg, (x + 60, y + 30), role, "middle", "role")
        _text(svg, (x + 60, y + 52), f"{share:.0%}", "middle")
    return _markup(svg)


def lanes(title: str, rows: Sequence[tuple[str, Marks]], ticks: Sequence[tuple[float, str]]) -> str:
    """Return a lane for each template (name, marks), from first to last capture, dots sized by captures; places 0 to 1."""
    height = 26 * len(rows) + 34
    svg = _svg(title, WIDTH, height)
    left, right = 190, WIDTH - 14
    largest = max((count for _, marks in rows for _, count in marks), default=1)
    for place, name in ticks:
        x = left + (right - left) * place
        _line(svg, "grid", (x, 4), (x, height - 26))
        _text(svg, (x, height - 8), name, "middle")
    for number, (name, marks) in enumerate(rows):
        y = 18 + 26 * number
        _text(svg, (left - 16, y + 4), name, "end")
        places = [left + (right - left) * place for place, _ in marks]
        _line(svg, "span", (min(places), y), (max(places), y))
        for x, (_, count) in zip(places, marks, strict=True):
            _part(svg, "circle", cx=x, cy=y, r=2.5 + 8 * (count / largest) ** 0.5, kind="dot")
    return _markup(svg)


def reliability(title: str, points: Sequence[tuple[float, float, float]]) -> str:
    """Return a plot of the true share over the predicted probability, both 0 to 1; dots sized by weight."""
    side, left, ground = 320, 46, 344
    svg = _svg(title, left + side + 14, ground + 40)
    for step in range(6):
        offset = side * step / 5
        _line(svg, "grid", (left, ground - offset), (left + side, ground - offset))
        _line(svg, "grid", (left + offset, ground), (left + offset, ground - side))
        _text(svg, (left - 6, ground - offset + 4), f"{step / 5:.1f}", "end")
        _text(svg, (left + offset, ground + 16), f"{step / 5:.1f}", "middle")
    _line(svg, "axis", (left, ground), (left + side, ground - side))
    _text(svg, (left + side / 2, ground + 34), "probability of content", "middle")
    _text(svg, (0, ground - side - 12), "true share", "start")
    places = [(left + side * p, ground - side * share) for p, share, _ in points]
    if places:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        _part(svg, "polyline", points=path, kind="curve")
    heaviest = max((weight for *_, weight in points), default=1.0)
    for (x, y), (*_, weight) in zip(places, points, strict=True):
        _part(svg, "circle", cx=x, cy=y, r=3 + 6 * (weight / heaviest) ** 0.5, kind="dot")
    return _markup(svg)


def bar(parts: Mapping[str, float], total: float) -> str:
    """Return a bar for a row of a table, as wide as its cell."""
    svg = ET.Element("svg", {"viewBox": "0 0 100 10", "preserveAspectRatio": "none"})
    svg.attrib |= {"class": "bar", "aria-hidden": "true"}
    x = 0.0
    for part, value in parts.items():
        width = 100 * value / total if total else 0.0
        _rect(svg, part, (x, 0), (width, 10))
        x += width
    return _markup(svg)


def _svg(title: str, width: float, height: float) -> ET.Element:
    svg = ET.Element("svg", {"viewBox": f"0 0 {width:g} {height:g}", "role": "img"})
    svg.set("aria-label", title)
    ET.SubElement(svg, "title").text = title
    return svg


def _markup(svg: ET.Element) -> str:
    # ElementTree escaped every text and attribute.
    return Markup(ET.tostring(svg, encoding="unicode"))  # noqa: S704 - see above


def _part(svg: ET.Element, tag: str, kind: str, **values: float | str) -> ET.Element:
    attributes = {k: v if isinstance(v, str) else f"{v:.1f}" for k, v in values.items()}
    return ET.SubElement(svg, tag, {"class": kind, **attributes})


def _rect(svg: ET.Element, kind: str, corner: Pair, size: Pair) -> None:
    _part(svg, "rect", kind, x=corner[0], y=corner[1], width=size[0], height=size[1])


def _line(svg: ET.Element, kind: str, start: Pair, end: Pair) -> None:
    _part(svg, "line", kind, x1=start[0], y1=start[1], x2=end[0], y2=end[1])


def _text(svg: ET.Element, at: Pair, text: str, anchor: str, kind: str = "label") -> None:
    _part(svg, "text", f"{kind} {anchor}", x=at[0], y=at[1]).text = text


def _step(highest: float) -> float:
    """Return the smallest round step (1, 2 or 5 and zeros) of which STEPS reach the highest value."""
    size = 10.0 ** (floor(log10(highest / STEPS)))
    return next(s * size for s in (1, 2, 5, 10) if s * size * STEPS >= highest)


def _number(value: float) -> str:
    for size, sign in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{sign}"
    return f"{value:g}"
