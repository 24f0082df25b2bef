"""Labels of the rows and columns of tables, which look like headings and are none.

They say what the cell beside or below them is, not what follows. Tables that lay a page out have
labels as well as others, but their cells hold many lines, or few of their rows are alike.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.visual import RenderedPage

CELLS = frozenset({"td", "th"})

ALIKE = 3
"""Rows from which on those that begin with one line in a cell beside another one are those of a table of data."""


def are_labels(page: RenderedPage, parents: Sequence[int]) -> list[bool]:
    """Flag of each line: True if it is alone in a cell that labels a row or a column.

    `parents` are the elements that hold the lines, in document order. The first cell of a row labels it,
    the cells of a table's first row its columns if each has one line; empty cells do not count.
    """
    lines = Counter(cell for parent in parents for cell in _cells_around(page, parent))
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for cell in sorted(lines):
        rows[page.elements[cell].parent].append(cell)
    tables: defaultdict[int, list[list[int]]] = defaultdict(list)
    for row, cells in sorted(rows.items()):
        if len(cells) > 1:
            tables[_table_around(page, row)].append(cells)
    labels: set[int] = set()
    for table in tables.values():
        led = [cells[0] for cells in table if lines[cells[0]] == 1]
        if len(led) >= ALIKE:
            labels.update(led)
            if all(lines[cell] == 1 for cell in table[0]):
                labels.update(table[0])
    return [next(_cells_around(page, parent), -1) in labels for parent in parents]


def _cells_around(page: RenderedPage, element: int) -> Iterator[int]:
    """The cells that an element is in, the innermost first."""
    while element >= 0:
        if page.elements[element].tag in CELLS:
            yield element
        element = page.elements[element].parent


def _table_around(page: RenderedPage, row: int) -> int:
    """The table of a row; -1 of what is in none."""
    while row >= 0 and page.elements[row].tag != "table":
        row = page.elements[row].parent
    return row
