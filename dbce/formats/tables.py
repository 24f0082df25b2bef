"""Tables that hold data, told from those that only lay a page out, as before there were style sheets."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from dbce.formats.lines import Line
from dbce.formats.part import CELLS, integer, table_rows
from dbce.html import Details, elements_of_tags, enclosing_elements, tables_with_headers
from dbce.model import Page

LINES = 6  # lines of a cell of data at most; a cell that lays a page out holds an article
ITEMS = 30  # the same of lists and code in a cell
NESTED = 12  # the same where a table stands in a cell of one with headers

ROWS = 3
"""Rows from which on lists and code in cells are data, where no header and no caption says so."""

COLUMNS = 100  # columns of a table at most; what spans more is a slip of the pen
PLACES = 10_000  # places of a table, rows times columns, that may be more than FULL for each cell

FULL = 16
"""Places for each cell of a table at most. What spans more, or has one long row among thousands of short ones, would
be a hundred times as large in a format as on the page."""

NO_DATA = ("presentation", "none")  # roles of tables that say themselves that they hold no data


class Cell(NamedTuple):
    element: int
    span: tuple[int, int] = (1, 1)


SPANNED = Cell(-1, (0, 0))  # a place that the cell to the left of it or above spans
Row: TypeAlias = "tuple[Cell | None, ...]"  # the places of a row, None where nothing is
Rows: TypeAlias = "Mapping[int, Sequence[int]]"  # the cells of each row, by elements


@dataclass(slots=True)
class _Table:
    """The content of a table, which `says_data` by headers or a caption: lines of each cell, and of lists and code in it."""

    says_data: bool
    lines: Counter[tuple[int, int]] = field(default_factory=Counter)
    items: Counter[tuple[int, int]] = field(default_factory=Counter)
    headings: set[tuple[int, int]] = field(default_factory=set)
    is_layout: bool = False
    holds_table: bool = False

    def take(self, tags: Sequence[str], inside: Sequence[int], line: Line) -> None:
        if len(tags) < 2 or tags[0] != "tr" or tags[1] not in CELLS:
            self.is_layout |= tags[:1] != ["caption"]
        else:
            if line.place.heading and tags[1] != "th":
                self.headings.add((inside[0], inside[1]))
            is_plain = len(tags) == 2 and line.place.verbatim < 0
            counts = self.lines if is_plain else self.items
            counts[inside[0], inside[1]] += len(line.rows)

    @property
    def filled_cells(self) -> set[tuple[int, int]]:
        return {*self.lines, *self.items}

    @property
    def may_hold_data(self) -> bool:
        if self.is_layout or max(self.lines.values(), default=0) > LINES:
            return False
        sizes = self.lines + self.items
        is_of_headings = all(sizes[cell] == 1 for cell in self.headings)
        if self.headings and not (self.says_data and is_of_headings):
            return False
        if self.holds_table and not (self.says_data and max(self.items.values()) <= NESTED):
            return False
        rows = Counter(row for row, _ in self.filled_cells)
        wide_rows = sum(number > 1 for number in rows.values())
        if not self.items or not wide_rows:
            return wide_rows > 0
        return max(self.items.values()) <= ITEMS and (self.says_data or wide_rows >= ROWS)


def data_tables(
    page: Page, details: Details, lines: Iterable[Line]
) -> dict[int, Mapping[int, Row]]:
    """The tables with data, by element: for each row with content its places.

    A table holds data if it has two rows and two columns with content at least, two cells in one row, and in its cells a few
    lines each, headings and other tables only below headers. Lists and code stand in cells of data where the table
    has headers, a caption or some rows.
    """
    tables: dict[int, _Table] = {}
    headed = tables_with_headers(page)
    for line in lines if "table" in page.tags else ():
        blocks = line.place.blocks
        around = [n for n, element in enumerate(blocks) if page.tags[element] == "table"]
        if not around:
            continue
        for place in around:
            inside = blocks[place + 1 :]
            table = tables.setdefault(blocks[place], _Table(blocks[place] in headed))
            table.take([page.tags[element] for element in inside], inside, line)
            table.holds_table |= place != around[-1]
    tables = {
        element: table
        for element, table in tables.items()
        if table.may_hold_data and details.get(element, {}).get("role") not in NO_DATA
    }
    with_data: dict[int, Mapping[int, Row]] = {}
    table_of = enclosing_elements(page, elements_of_tags(page, "table")) if tables else []
    rows_of = table_rows(page, table_of) if tables else {}
    for element, table in tables.items():
        by_row = {row: cells for row, cells in rows_of[element].items() if page.tags[row] == "tr"}
        rows = _grid(by_row, page.parents, table.filled_cells, details)
        if len(rows) >= 2 and len(next(iter(rows.values()))) >= 2:
            with_data[element] = rows
    return with_data


def _grid(
    rows: Rows, parents: Sequence[int], filled: set[tuple[int, int]], details: Details
) -> dict[int, Row]:
    """The rows with content, of one width, without columns in which none begins; none of a table beyond PLACES and hardly FULL."""
    with_content = {row for row, _ in filled}
    most = max(PLACES, FULL * sum(map(len, rows.values())))
    wide: dict[int, list[int | None]] = {}
    widest = 0
    for count, (row, places) in enumerate(zip(rows, _spread(rows, parents, details), strict=True)):
        widest = max(widest, len(places))
        if count * widest > most:
            return {}
        if row in with_content:
            wide[row] = places
    width = max(map(len, wide.values()), default=0)
    for places in wide.values():
        places.extend([None] * (width - len(places)))
    cells = {cell for _, cell in filled}
    begins = {n: row.index(n) for row in reversed(wide.values()) for n in cells.intersection(row)}
    columns = sorted(set(begins.values()))
    narrow = [[row[n] for n in columns] for row in wide.values()]
    return dict(zip(wide, _with_spans(narrow), strict=True))


def _spread(rows: Rows, parents: Sequence[int], details: Details) -> Iterator[list[int | None]]:
    """For each row the cell of every column, also of those that it spans, at most down to the end of a group of rows."""
    # By column, the cell that spans it and for how many rows more.
    below: dict[int, tuple[int, int]] = {}
    group = -1
    for element, cells in rows.items():
        row: list[int | None] = []
        above = below if parents[element] == group else {}
        group = parents[element]
        below = {n: (cell, more - 1) for n, (cell, more) in above.items() if more > 1}
        for cell in cells:
            while len(row) in above:
                row.append(above[len(row)][0])
            attributes = details.get(cell, {})
            wide, high = (_number(attributes.get(name)) for name in ("colspan", "rowspan"))
            for _ in range(min(wide or 1, COLUMNS - len(row))):
                if len(row) in above:
                    break
                if high != 1:  # none is one that goes on to the end
                    below[len(row)] = cell, (high or PLACES) - 1
                row.append(cell)
        rest = range(len(row), max(above, default=-1) + 1)
        row.extend(above[column][0] if column in above else None for column in rest)
        yield row


def _number(span: str | None) -> int:
    """Columns or rows that an attribute says, as browsers read it: one where it says no number, or one below zero."""
    number = integer(span)
    return 1 if number is None or number < 0 else number


def _with_spans(rows: Iterable[Sequence[int | None]]) -> Iterator[Row]:
    """Rows with each cell once, and the columns and rows of these that it spans."""
    grid = list(rows)
    heights = Counter(cell for row in grid for cell in {cell for cell in row if cell is not None})
    known: set[int] = set()
    for row in grid:
        widths = Counter(row)
        places = [cell if cell is None else SPANNED for cell in row]
        for column, cell in enumerate(row):
            if cell is not None and cell not in known:
                places[column] = Cell(cell, (widths[cell], heights[cell]))
                known.add(cell)
        yield tuple(places)
