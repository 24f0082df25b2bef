"""Style rules that do what browsers do without a full doctype (Quirks Mode Standard; HTML Standard 15.3).

The rules come before all others, so whatever the page says itself still wins, as it did over quirks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.visual.migrate.doctype import Mode
from dbce.visual.migrate.lines import heights_are_said, heights_of_their_own, pictures_alone
from dbce.visual.migrate.tables import cells
from dbce.visual.migrate.tree import Element, Text
from dbce.visual.migrate.values import pixels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.visual.migrate.sheet import Sheet
    from dbce.visual.migrate.tree import Node

TABLE = (
    "font-size:medium;font-weight:normal;font-style:normal;font-variant:normal;"
    "line-height:normal;white-space:normal;text-align:start"
)
"""Tables take nothing of this from around them."""

MARGINED = frozenset("p h1 h2 h3 h4 h5 h6 ul ol dl dir menu pre listing xmp blockquote".split())
"""Elements whose own margins vanish at the edges of a cell or the body."""


def compensate(
    root: Element, mode: Mode, sheet: Sheet, *, colour: str, sheets: Sequence[str]
) -> None:
    """Adds what keeps the layout of a page whose doctype asked for quirks.

    `colour` is its body's, "" if it is not known; `sheets` are its style sheets.
    """
    if mode is Mode.STANDARD:
        return
    pictures_alone(root, sheet)
    if not heights_are_said(root, sheets):
        heights_of_their_own(root, sheet)
    if mode is Mode.LIMITED:
        return
    shade = f";color:{colour}" if colour else ""
    sheet.add("table", TABLE + shade)
    sheet.add("form", "margin-bottom:1em")
    sheet.add('input:not([type="image"]),textarea', "box-sizing:border-box")
    _places_of_pictures(root, sheet)
    _margins_at_edges(root, sheet)
    _heights_of_cells(root)
    _widths_of_cells(root, sheet)
    _floating_pictures(root, sheet)
    _paragraphs_with_tables(root, sheet)
    _shares_of_height(root, sheet)


def _margins_at_edges(root: Element, sheet: Sheet) -> None:
    """Margins of the browser's own are none at the top of a body and a cell, and at a cell's bottom."""
    for holder in root.elements("body", "td", "th"):
        first = _substantial(holder.children)
        if first is not None and first.tag in MARGINED:
            sheet.style(first, "margin-top:0")
        last = _substantial(holder.children[::-1])
        if holder.tag != "body" and last is not None and last.tag in MARGINED:
            sheet.style(last, "margin-bottom:0")


def _substantial(nodes: list[Node]) -> Element | None:
    """The first node that shows anything, if it is an element."""
    for node in nodes:
        if isinstance(node, Text) and not node.is_blank:
            return None
        if isinstance(node, Element) and node.tag not in ("script", "style", "link", "meta"):
            return node
    return None


def _places_of_pictures(root: Element, sheet: Sheet) -> None:
    """A picture that is not there keeps its place if its size is said."""
    look = "display:inline-block;overflow:hidden"
    sheet.add("img[width][height]", look)
    for image in root.elements("img"):
        sizes = [image.attributes.get(name) for name in ("width", "height")]
        if None not in sizes and not all(re.fullmatch(r"\d+", size or "") for size in sizes):
            sheet.style(image, look)  # whose size will be a rule


def _heights_of_cells(root: Element) -> None:
    """The height of a cell has its padding in it; its width has not."""
    for table in root.elements("table"):
        padding = pixels(table.attributes.get("cellpadding"))
        padding = 1 if padding is None else padding
        border = 2 if (pixels(table.attributes.get("border")) or 0) > 0 else 0
        for cell in cells(table):
            if re.match(r"\s*\d+\s*(px)?\s*$", cell.attributes.get("height", "")):
                high = pixels(cell.attributes["height"]) or 0
                inside = max(0, high - 2 * padding - border)
                cell.attributes["height"] = str(inside)


def _widths_of_cells(root: Element, sheet: Sheet) -> None:
    """A cell that does not wrap and has a width in pixels wraps, and is no narrower than that."""
    for cell in root.elements("td", "th"):
        width = cell.attributes.get("width", "").strip()
        if "nowrap" in cell.attributes and re.fullmatch(r"[1-9]\d*(px)?", width):
            del cell.attributes["nowrap"]
            sheet.style(cell, f"min-width:{pixels(width)}px")


def _floating_pictures(root: Element, sheet: Sheet) -> None:
    for image in root.elements("img"):
        side = image.attributes.get("align", "").strip().lower()
        if side in ("left", "right"):
            other = {"left": "right", "right": "left"}[side]
            sheet.style(image, f"margin-{other}:3px")


def _paragraphs_with_tables(root: Element, sheet: Sheet) -> None:
    """A paragraph that holds a table ends before it elsewhere: it is a `div` that looks the same."""
    for table in list(root.elements("table")):
        for above in table.ancestors():
            if above.tag in ("td", "th", "caption", "button", "object", "marquee"):
                break
            if above.tag == "p":
                above.tag = "div"
                sheet.style(above, "margin-top:1em;margin-bottom:1em")


def _shares_of_height(root: Element, sheet: Sheet) -> None:
    """A share of the height of what has none is one of the window's."""
    for table in root.elements("table"):
        found = re.match(r"\s*(\d+)\s*%", table.attributes.get("height", ""))
        if found is None or any(one.tag in ("td", "th") for one in table.ancestors()):
            continue
        share = min(100, int(found[1])) / 100
        table.attributes.pop("height")
        sheet.style(table, f"height:calc({share:g} * (100vh - 16px))")
