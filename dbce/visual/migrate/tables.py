"""Attributes of tables that say how their cells look, and of a body how links do."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dbce.visual.migrate.sheet import colour, pixels
from dbce.visual.migrate.tree import DomElement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.visual.migrate.sheet import Sheet

OF_TABLES = ("cellpadding", "rules")
"""Attributes of tables that are about their cells."""

LINKS = {"link": "a:link", "vlink": "a:visited", "alink": "a:active"}


def replace_for_others(root: DomElement, sheet: Sheet) -> Counter[str]:
    """Makes rules of attributes that say how other elements look; how many there were of each."""
    counts: Counter[str] = Counter()
    for table in root.elements("table"):
        _of_table(table, sheet, counts)
    body = root.find("body") or DomElement("body")
    for name, selector in LINKS.items():
        shade = colour(body.attributes.get(name))
        if shade:
            sheet.add(selector, f"color:{shade}")
        if body.attributes.pop(name, None) is not None:
            counts[name] += 1
    return counts


def _of_table(table: DomElement, sheet: Sheet, counts: Counter[str]) -> None:
    padding = pixels(table.attributes.get("cellpadding"))
    border = table.attributes.get("border")
    rules = table.attributes.get("rules", "").lower()
    framed = border is not None and pixels(border) != 0
    for cell in cells(table):
        if padding is not None:
            sheet.style(cell, f"padding:{padding}px")
        if rules in RULES:
            sheet.style(cell, RULES[rules])
        elif framed:
            sheet.style(cell, "border:1px inset")
    if rules in RULES:
        sheet.style(table, "border-collapse:collapse;border-style:hidden")
    for name in OF_TABLES:
        if table.attributes.pop(name, None) is not None:
            counts[name] += 1


RULES = {
    "none": "border:1px none",
    "rows": "border:1px none",
    "groups": "border:1px none",
    "cols": "border:1px none;border-left-style:solid;border-right-style:solid",
    "all": "border:1px solid",
}
"""Borders of cells for each value of `rules` (HTML Standard 15.3.9)."""


def cells(table: DomElement) -> Iterator[DomElement]:
    """The cells of a table, without those of tables in it."""
    for part in table:
        if part.tag in ("thead", "tbody", "tfoot", "tr"):
            yield from cells(part)
        elif part.tag in ("td", "th"):
            yield part
