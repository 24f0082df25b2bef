"""Styles that browsers give elements by themselves, and those of old attributes (HTML Standard, 15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.html.font_values import FONT_SIZES, color_of, legacy_size

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from dbce.html.font_values import Values

_BOLDER: Values = {"font-weight": "bolder"}
_SMALLER: Values = {"font-size": "smaller"}
_MONOSPACE: Values = {"monospace": True}
_ITALIC: Values = {"font-style": "italic"}
_UNDERLINED: Values = {"text-decoration-line": "underline"}
_STRUCK: Values = {"text-decoration-line": "line-through"}
_CONTROL: Values = {
    "font-size": 40 / 3,
    "font-style": "normal",
    "font-weight": 400,
    "color": "rgb(0, 0, 0)",
    "monospace": False,
}

DEFAULTS: dict[str, Values] = {
    **{
        f"h{level}": {"font-size": f"{size}em", "font-weight": 700}
        for level, size in enumerate((2, 1.5, 1.17, 1, 0.83, 0.67), start=1)
    },
    **dict.fromkeys(("b", "strong"), _BOLDER),
    "th": {"font-weight": 700},
    **dict.fromkeys(("i", "em", "cite", "dfn", "var", "address"), _ITALIC),
    **dict.fromkeys(
        ("code", "kbd", "samp", "tt", "pre", "listing", "xmp", "plaintext"), _MONOSPACE
    ),
    **dict.fromkeys(("u", "ins"), _UNDERLINED),
    **dict.fromkeys(("s", "strike", "del"), _STRUCK),
    **dict.fromkeys(("small", "sub", "sup"), _SMALLER),
    "big": {"font-size": "larger"},
    "rt": {"font-size": "0.5em"},
    "mark": {"color": "rgb(0, 0, 0)"},
    **dict.fromkeys(("button", "input", "select", "textarea", "option"), _CONTROL),
}
DEFAULTS["textarea"] = _CONTROL | _MONOSPACE

IN_QUIRKS: Values = {
    "font-size": 16.0,
    "font-style": "normal",
    "font-weight": 400,
}
"""The values that a table begins anew with where the page is laid out in quirks mode."""


def by_tag(element: Element, *, quirks: bool) -> Values:
    """The values that a browser gives an element by its tag."""
    tag = str(element.tag)
    if tag == "table" and quirks:
        return IN_QUIRKS
    if tag in ("abbr", "acronym") and element.get("title") is not None:
        return _UNDERLINED
    return DEFAULTS.get(tag, {})


def hints(element: Element, link: str) -> Values:
    """The values of an element's attributes, weaker than any rule; `link` is the color of links."""
    if element.tag == "a":
        return {"color": link, **_UNDERLINED} if element.get("href") is not None else {}
    if element.tag not in ("font", "body"):
        return {}
    values: Values = {}
    color_text = element.get("color" if element.tag == "font" else "text", "")
    if color := color_of(color_text):
        values["color"] = color
    size = legacy_size(element.get("size", "")) if element.tag == "font" else None
    if size is not None:
        values["font-size"] = FONT_SIZES[size]
    return values
