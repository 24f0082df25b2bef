"""Tables that hold data, told from those that only lay a page out, as before there were style sheets."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from dbce.formats.numbers import integer
from dbce.formats.part import CELLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dbce.formats.lines import Line
    from dbce.model import Page

    Details = Mapping[int, Mapping[str, str]]
    Row = tuple[int | None, ...]

LINES = 6
"""Lines of a cell of data at most; a cell that lays a page out holds an article."""

COLUMNS = 100
"""Columns of a table at most; what spans more is a slip of the pen."""

NO_DATA = ("presentation", "none")
"""Roles of tables that say themselves that they hold no data."""


def data_tables(
    page: Page, details: Details, lines: Iterable[Line]
) -> dict[int, Mapping[int, Row]]:
    """The tables with data, by element: for each row with content its cells, None where it has none.

    A table holds data if it has two rows and two columns with content at least, and in its cells a few
    lines each: no headings, no lists, no other tables.
    """
    cells: dict[int, Counter[tuple[int, int]]] = defaultdict(Counter)
    others: set[int] = set()
    for line in lines:
        blocks = line.place.blocks
        tables = [n for n, element in enumerate(blocks) if page.tags[element] == "table"]
        if not tables:
            continue
        own = tables[-1]
        others.update(blocks[n] for n in tables[:-1])
        inside = blocks[own + 1 :]
        tags = [page.tags[element] for element in inside]
        is_cell = len(tags) == 2 and tags[0] == "tr" and tags[1] in CELLS
        if not is_cell or line.place.heading or line.place.verbatim >= 0:
            others.add(blocks[own])
        else:
            cells[blocks[own]][inside[0], inside[1]] += len(line.rows)
    of_row = _cells(page) if cells else {}
    with_data: dict[int, Mapping[int, Row]] = {}
    for table, of_table in cells.items():
        if table in others or max(of_table.values()) > LINES:
            continue
        if details.get(table, {}).get("role") in NO_DATA:
            continue
        rows = _grid({tr for tr, _ in of_table}, {td for _, td in of_table}, of_row, details)
        if len(rows) >= 2 and len(next(iter(rows.values()))) >= 2:
            with_data[table] = rows
    return with_data


def _cells(page: Page) -> dict[int, list[int]]:
    """The cells of every row, in order, with content or not."""
    of_row: dict[int, list[int]] = defaultdict(list)
    for element, (tag, parent) in enumerate(zip(page.tags, page.parents, strict=True)):
        if tag in CELLS:
            of_row[parent].append(element)
    return of_row


def _grid(
    rows: set[int], filled: set[int], of_row: Mapping[int, Sequence[int]], details: Details
) -> dict[int, Row]:
    """The rows in order, all of one width, without columns that are empty throughout."""
    wide = {row: _spread(of_row.get(row, ()), details) for row in sorted(rows)}
    width = max(map(len, wide.values()))
    whole = [[*row, *[None] * (width - len(row))] for row in wide.values()]
    columns = [n for n in range(width) if any(row[n] in filled for row in whole)]
    return {tr: tuple(row[n] for n in columns) for tr, row in zip(wide, whole, strict=True)}


def _spread(cells: Iterable[int], details: Details) -> list[int | None]:
    """The cells of a row by column; one that spans several stands in the first of them."""
    row: list[int | None] = []
    for cell in cells:
        span = integer(details.get(cell, {}).get("colspan")) or 1
        row += [cell, *[None] * (min(span, COLUMNS) - 1)]
    return row[:COLUMNS]
