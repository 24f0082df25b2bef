"""Framesets as a grid of `iframe` elements; the frames' pages are pages by themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.visual.migrate.values import pixels

if TYPE_CHECKING:
    from dbce.visual.migrate.sheet import Sheet
    from dbce.visual.migrate.tree import Element

GAP = 6
"""Pixels between frames that say nothing of it, in browsers."""

KEPT = ("marginheight", "marginwidth", "noresize", "scrolling", "bordercolor", "border")


def replace_frames(root: Element, sheet: Sheet) -> int:
    """Makes a body of the outermost frameset of a page, if it has one; the number of frames."""
    outer = root.find("frameset")
    if outer is None:
        return 0
    frames = list(outer.elements("frame"))
    for inner in list(outer.elements("frameset")):
        _grid(inner, sheet, is_outer=inner is outer)
    for frame in frames:
        _frame(frame, sheet)
    sheet.add("html", "height:100%")
    return len(frames)


def _grid(frameset: Element, sheet: Sheet, *, is_outer: bool) -> None:
    said = frameset.attributes
    columns, rows = (_tracks(said.pop(name, "")) for name in ("cols", "rows"))
    bare = said.pop("frameborder", "1").lower() in ("0", "no")
    width = pixels(said.get("border", said.pop("framespacing", None)))
    gap = 0 if bare else GAP if width is None else width
    for name in KEPT:
        if name in said:
            said[f"data-{name}"] = said.pop(name)
    frameset.tag = "body" if is_outer else "div"
    size = "margin:0;height:100%" if is_outer else "min-width:0;min-height:0"
    tracks = f"grid-template-columns:{columns};grid-template-rows:{rows}"
    sheet.style(frameset, f"display:grid;{size};overflow:hidden;{tracks};gap:{gap}px")


def _tracks(said: str) -> str:
    """A list of lengths (HTML Standard 2.3.4.6) as the tracks of a grid."""
    return " ".join(map(_track, said.split(","))) if said.strip() else "minmax(0,1fr)"


def _track(said: str) -> str:
    found = re.match(r"\s*(\d*(?:\.\d+)?)\s*(%|\*)?", said)
    number, unit = (found[1], found[2]) if found else ("", None)
    if unit == "*" or not number:
        return f"minmax(0,{number or 1}fr)"
    return f"{float(number):g}{unit or 'px'}"


def _frame(frame: Element, sheet: Sheet) -> None:
    frame.tag = "iframe"
    for name in (*KEPT, "frameborder", "longdesc"):
        if name in frame.attributes:
            frame.attributes[f"data-{name}"] = frame.attributes.pop(name)
    sheet.style(frame, "border:0;width:100%;height:100%")
