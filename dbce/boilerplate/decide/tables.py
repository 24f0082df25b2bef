"""Tables in decisions: their header rows, their columns of buttons, and tables of labels with values."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dbce.boilerplate.decide.tree import APART

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dbce.boilerplate.decide.lines import LineValues
    from dbce.boilerplate.decide.tree import Structure
    from dbce.model import Page

LABELS = 3
"""Rows with a label and a value from which on a table is one of these."""

LEAN = 0.1
"""Gain a word by which such a table may fail and stays: its words are names and numbers, of which a model is unsure."""

REPEATED = 3
"""Rows from which on what stands in one place of each is a column."""


def columns_apart(
    page: Page, lines: LineValues, element: Sequence[int], structures: Mapping[int, Structure]
) -> set[int]:
    """The lines of columns that are clearly no content, such as buttons and stars, of tables that stay without them."""
    dropped = {
        e: structure.gain
        for e, structure in structures.items()
        if structure.tag == "table" and structure.gain < 0 and not structure.is_open
    }
    if not dropped:
        return set()
    columns: dict[tuple[int, int], list[int]] = {}
    place = _columns(page)
    for line, cell in enumerate(element):
        while cell >= 0 and cell not in place:
            cell = page.parents[cell]  # noqa: PLW2901 - a climb
        row = structures.get(page.parents[cell]) if cell >= 0 else None
        if row and row.tag == "tr" and row.parent in dropped and not lines.aside[line]:
            columns.setdefault((row.parent, place[cell]), []).append(line)
    apart: dict[int, set[int]] = {}
    for (table, _), column in columns.items():
        words = sum(lines.words[line] for line in column)
        gain = sum(lines.words[line] * lines.gains[line] for line in column)
        if (
            gain < -APART * words
            and len({page.parents[element[line]] for line in column}) >= REPEATED
        ):
            apart.setdefault(table, set()).update(column)
            dropped[table] -= gain
    return {line for table, column in apart.items() if dropped[table] > 0 for line in column}


def _columns(page: Page) -> dict[int, int]:
    """For each cell of a table its place in its row."""
    place: dict[int, int] = {}
    cells: Counter[int] = Counter()
    for element, (tag, row) in enumerate(zip(page.tags, page.parents, strict=True)):
        if tag in ("td", "th"):
            place[element] = cells[row]
            cells[row] += 1
    return place


def tables_with_labels(page: Page, structures: Mapping[int, Structure]) -> set[int]:
    """The tables of labels with values, such as infoboxes: LABELS rows at least with a header cell and another."""
    if "th" not in page.tags:
        return set()
    cells = list(zip(page.tags, page.parents, strict=True))
    both = {row for tag, row in cells if tag == "th"} & {row for tag, row in cells if tag == "td"}
    rows = Counter(structures[row].parent for row in both if row in structures)
    return {table for table, number in rows.items() if number >= LABELS}


def keep_header_rows(structures: Mapping[int, Structure], kept: list[bool]) -> None:
    """Keep the first row of a table with as many cells as the next one if that stays: "Poster", "Date".

    All pages of a forum have the same, and by itself such a row is what pages share.
    """
    rows: dict[int, list[Structure]] = {}
    for structure in structures.values():
        if structure.tag == "tr" and len(structure.own) > 1:
            rows.setdefault(structure.parent, []).append(structure)
    for table, (header, *others) in rows.items():
        is_data = table >= 0 and not structures[table].is_open and others
        if (
            is_data
            and len(header.own) == len(others[0].own)
            and all(map(kept.__getitem__, others[0].own))
        ):
            for line in header.own:
                kept[line] = True
