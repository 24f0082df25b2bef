"""Obsolete elements, each replaced by its modern equivalent (HTML Standard 16.2).

Framesets become a grid of `iframe` elements; the frames' pages are separate pages.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial

from dbce.html import legacy_font_size
from dbce.visual.migrate.repairs import become_inline, may_hold_blocks
from dbce.visual.migrate.tree import UNFOLDED, DomElement, Sheet, colour, length, pixels

RENAMED = {"acronym": "abbr", "dir": "ul", "strike": "s"} | dict.fromkeys(
    ("listing", "xmp", "plaintext"), "pre"
)
"""Elements with an equivalent of the same look."""

INLINE = {
    "big": "font-size:larger",
    "blink": "",
    "nobr": "white-space:nowrap",
    "tt": "font-family:monospace",
    "rb": "",
    "rtc": "",
}
"""Elements that become a `span` with a look."""

SIZES = ("x-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large")
"""CSS sizes of the sizes of `font`; there is no 0."""

EMPTY = frozenset({"basefont", "nextid", "spacer"})
"""Elements without contents that browsers no longer render."""


def replace_elements(root: DomElement, sheet: Sheet) -> Counter[str]:
    """Replace all obsolete elements of a page; return the number of each."""
    counts: Counter[str] = Counter()
    for element in list(root.elements(*CHANGES)):
        counts[element.tag] += 1
        CHANGES[element.tag](element, sheet)
    return counts


def _retag(element: DomElement, sheet: Sheet, tag: str, look: str = "") -> None:
    element.tag = tag
    sheet.style(element, look)


def _font(element: DomElement, sheet: Sheet) -> None:
    font = {name: element.attributes.pop(name, None) for name in ("size", "color", "face")}
    look = []
    if font["face"]:
        look.append(f"font-family:{_families(font['face'])}")
    if (size := legacy_font_size(font["size"] or "")) is not None:
        look.append(f"font-size:{SIZES[size]}")
    if (shade := colour(font["color"])) is not None:
        look.append(f"color:{shade}")
    become_inline(element, sheet, ";".join(look))


def _families(face: str) -> str:
    names = (re.sub(r"[\"'\\<>{};\s]+", " ", name).strip() for name in face.split(","))
    generic = {"serif", "sans-serif", "monospace", "cursive", "fantasy"}
    return ",".join(name if name.lower() in generic else f'"{name}"' for name in names if name)


def _marquee(element: DomElement, sheet: Sheet) -> None:
    """Replace it by a box of the same size with text that does not move."""
    pop = element.attributes.pop
    look = ["display:inline-block", "overflow:hidden", "text-align:start"]
    look.append(f"width:{length(pop('width', None)) or '-webkit-fill-available'}")
    if height := length(pop("height", None)):
        look.append(f"height:{height}")
    if shade := colour(pop("bgcolor", None)):
        look.append(f"background-color:{shade}")
    element.set_aside(("behavior", "direction", "loop", "scrollamount", "scrolldelay", "truespeed"))
    become_inline(element, sheet)
    sheet.style(element, ";".join(look))


def _multicol(element: DomElement, sheet: Sheet) -> None:
    """Make it inline: browsers no longer support its columns."""
    element.set_aside(("cols", "gutter", "width"))
    become_inline(element, sheet)


def _applet(element: DomElement, _: Sheet) -> None:
    element.attributes.setdefault("type", "application/x-java-applet")
    element.set_aside(("code", "codebase", "archive", "object", "alt", "mayscript"))
    element.tag = "object"


def _bgsound(element: DomElement, _: Sheet) -> None:
    _move_to_body(element)
    element.tag = "audio"
    for name in ("balance", "volume", "delay"):
        element.attributes.pop(name, None)
    if element.attributes.pop("loop", "") in ("-1", "infinite"):
        element.attributes["loop"] = ""


def _isindex(element: DomElement, sheet: Sheet) -> None:
    """Make it a form with a hidden field: browsers only render its contents."""
    action = element.attributes.pop("action", "")
    prompt = element.attributes.pop("prompt", "This is a searchable index. Enter search keywords: ")
    element.attributes["data-was"] = element.tag
    element.tag = "form"
    if action:
        element.attributes["action"] = action
    field = DomElement("input", {"name": "isindex", "aria-label": prompt.strip(), "hidden": ""})
    element.insert(0, field)
    sheet.style(element, "display:inline;margin:0")


def _keygen(element: DomElement, _: Sheet) -> None:
    element.attributes["data-was"] = element.tag
    element.tag = "input"
    element.attributes["disabled"] = ""
    element.set_aside(("challenge", "keytype", "keyparams"))
    element.attributes["hidden"] = ""


def _move_to_body(element: DomElement) -> None:
    """Move an element out of the head, if its replacement must not be there."""
    *chain, root = element, *element.ancestors()
    if any(ancestor.tag == "head" for ancestor in chain):
        body = next(child for child in root if child.tag in ("body", "frameset"))
        body.insert(0, element)


def _hide(element: DomElement, _: Sheet) -> None:
    """Replace an element that browsers no longer show by a hidden one."""
    _move_to_body(element)
    is_empty = element.tag in EMPTY
    names = [name for name in element.attributes if name not in ("id", "class", "title")]
    element.set_aside(names if is_empty else ())
    element.attributes |= {"data-was": element.tag, "hidden": ""}
    element.tag = "div" if not is_empty and may_hold_blocks(element.parent) else "span"


CHANGES: dict[str, Callable[[DomElement, Sheet], None]] = {
    **{old: partial(_retag, tag=new) for old, new in RENAMED.items()},
    **{tag: partial(become_inline, look=look) for tag, look in INLINE.items()},
    **dict.fromkeys((*UNFOLDED, *EMPTY), _hide),
    "font": _font,
    "center": partial(_retag, tag="div", look="text-align:-webkit-center"),
    "marquee": _marquee,
    "multicol": _multicol,
    "applet": _applet,
    "bgsound": _bgsound,
    "isindex": _isindex,
    "keygen": _keygen,
}
"""Replacement of each obsolete element but framesets (`replace_frames`)."""

GAP = 6  # pixels between frames by default in browsers

KEPT = ("marginheight", "marginwidth", "noresize", "scrolling", "bordercolor", "border")


def replace_frames(root: DomElement, sheet: Sheet) -> int:
    """Replace the outermost frameset of a page by a body, if it has one; return the number of frames."""
    outer = root.find("frameset")
    if outer is None:
        return 0
    frames = list(outer.elements("frame"))
    for inner in list(outer.elements("frameset")):
        _grid(inner, sheet, is_outer=inner is outer)
    for frame in frames:
        frame.tag = "iframe"
        frame.set_aside((*KEPT, "frameborder", "longdesc"))
        sheet.style(frame, "border:0;width:100%;height:100%")
    sheet.add("html", "height:100%")
    return len(frames)


def _grid(frameset: DomElement, sheet: Sheet, *, is_outer: bool) -> None:
    attributes = frameset.attributes
    columns, rows = (_tracks(attributes.pop(name, "")) for name in ("cols", "rows"))
    bare = attributes.pop("frameborder", "1").lower() in ("0", "no")
    width = pixels(attributes.get("border", attributes.pop("framespacing", None)))
    gap = 0 if bare else GAP if width is None else width
    frameset.set_aside(KEPT)
    frameset.tag = "body" if is_outer else "div"
    size = "margin:0;height:100%" if is_outer else "min-width:0;min-height:0"
    tracks = f"grid-template-columns:{columns};grid-template-rows:{rows}"
    sheet.style(frameset, f"display:grid;{size};overflow:hidden;{tracks};gap:{gap}px")


def _tracks(raw: str) -> str:
    """Return a list of lengths (HTML Standard 2.3.4.6) as the tracks of a grid."""
    return " ".join(map(_track, raw.split(","))) if raw.strip() else "minmax(0,1fr)"


def _track(raw: str) -> str:
    track = re.match(r"\s*(\d*(?:\.\d+)?)\s*(%|\*)?", raw)
    number, unit = (track[1], track[2]) if track else ("", None)
    if unit == "*" or not number:
        return f"minmax(0,{number or 1}fr)"
    return f"{float(number):g}{unit or 'px'}"
