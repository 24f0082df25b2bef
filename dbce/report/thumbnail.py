"""A page drawn small: a stroke for each line of its text, in the colour of its verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from dbce.html import INLINE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.report.tables import RunTables

LINE = 48
"""Characters of a line; longer texts go on in the next one, as in a narrow window."""

LINES = 72
"""Lines of a column, two units of height each."""

COLUMNS = 3
"""Columns side by side; of a longer page the beginning is drawn."""

GAP = 6
"""Characters between two columns."""

HEIGHT = 2 * LINES

STEP = re.compile(r"/([^/\[]+)(?:\[\d+\])?$")


@dataclass(frozen=True, slots=True)
class Piece:
    """A text run: the block that it stands in, how many characters it has, its label."""

    block: str
    length: int
    label: str


@dataclass(frozen=True, slots=True)
class Stroke:
    """A part of a line that has one label; `y` is the middle of the line."""

    x: int
    y: int
    length: int
    label: str


def pieces(tables: RunTables, record_ids: Iterable[str]) -> dict[str, list[Piece]]:
    """The text runs of some captures, in the order of the page, by record id."""
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
    """The path of the element that sets a text node's line: the nearest that is not inline."""
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
