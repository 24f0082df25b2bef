"""CSS values of the font and color of text: parsed from declarations, computed, and the defaults of browsers."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tinycss2.color3 import parse_color

from dbce.html import HtmlElement, legacy_font_size
from dbce.visual.headings.selectors import spaceless

Values = dict[str, str | float | bool]
"""Declared values, by the fields of a computed style."""


class ComputedStyle(NamedTuple):
    """Computed style of text, as `getComputedStyle` gives it; lengths in pixels.

    `text_decoration` are the lines that the element itself draws. `monospace`: the browser's own font
    for code, which is smaller.
    """

    font_size: float
    font_style: str
    font_weight: int
    text_decoration: str
    color: str
    monospace: bool


INITIAL = ComputedStyle(16.0, "normal", 400, "none", "rgb(0, 0, 0)", monospace=False)
"""Initial style of a page in browsers."""

FIELDS = {
    "font": ("font_size", "font_style", "font_weight", "monospace"),
    "font-size": ("font_size",),
    "font-style": ("font_style",),
    "font-weight": ("font_weight",),
    "font-family": ("monospace",),
    "text-decoration": ("text_decoration",),
    "text-decoration-line": ("text_decoration",),
    "color": ("color",),
}
"""Fields of a computed style by the property that sets them."""

FONT_SIZES = (10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0)  # pixels of `<font size=1>` to 7
KEYWORDS = dict(
    zip(
        "xx-small x-small small medium large x-large xx-large xxx-large".split(),
        (9.0, *FONT_SIZES),
        strict=True,
    )
)
PIXELS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4}
PIXELS |= {"q": 96 / 101.6, "vw": 12.8, "vh": 8.0}  # of a window of 1280 x 800
STYLES = frozenset({"normal", "italic", "oblique"})
WEIGHTS = {"normal": 400, "bold": 700}
LINES = frozenset({"underline", "overline", "line-through", "blink"})
MONOSPACE = 13 / 16  # default size of fonts for code, as a share of that of other fonts
WIDE = frozenset({"inherit", "initial", "unset"})


def declared_values(name: str, tokens: Sequence[Any]) -> Values:
    """Return the values of a declaration; empty if browsers would ignore it."""
    words = spaceless(tokens)
    if not words:
        return {}
    if len(words) == 1 and words[0].type == "ident" and words[0].lower_value in WIDE:
        return dict.fromkeys(FIELDS[name], words[0].lower_value)
    match name:
        case "font":
            return _font(words)
        case "font-family":
            return {"monospace": _is_monospace(words)}
        case "text-decoration" | "text-decoration-line":
            return _lines(words)
        case "color":
            color = color_of(words[0])
            return {"color": color} if color else {}
    value = {"font-size": _size, "font-style": _style, "font-weight": _weight}[name](words[0])
    return dict.fromkeys(FIELDS[name], value) if value is not None and len(words) == 1 else {}


def computed_style(parent: ComputedStyle, values: Values, root_size: float) -> ComputedStyle:
    """Return the computed style of an element from that of its parent and its declared values."""
    wide = {name: _wide(parent, name, value) for name, value in values.items()}
    style: dict[str, Any] = parent._asdict() | {"text_decoration": "none"} | wide
    size, weight, is_code = (wide.get("font_size"), wide.get("font_weight"), style["monospace"])
    style["font_size"] = _pixels(parent, size, root_size, monospace=is_code)
    style["font_weight"] = _computed_weight(parent.font_weight, weight)
    if style["color"] == "currentcolor":
        style["color"] = parent.color
    return ComputedStyle(**style)


def color_of(value: Any) -> str:
    """Return a color as `getComputedStyle` writes it; "" if it is invalid."""
    color = parse_color(value)
    if color is None and isinstance(value, str) and re.fullmatch(r"[0-9a-fA-F]{6}", value.strip()):
        color = parse_color(f"#{value.strip()}")
    if color is None:
        return ""
    if isinstance(color, str):
        return "currentcolor"
    red, green, blue = (round(255 * part) for part in color[:3])
    if color.alpha == 1:
        return f"rgb({red}, {green}, {blue})"
    short = round(color.alpha, 2)  # browsers store a byte, and write the fewest digits for it
    alpha = short if int(short * 255 + 0.5) == round(color.alpha * 255) else round(color.alpha, 3)
    return f"rgba({red}, {green}, {blue}, {alpha:g})"


def _wide(parent: ComputedStyle, name: str, value: str | float | bool) -> str | float | bool:
    """Return a value, resolved if it is a keyword of all properties, such as `inherit`."""
    if value == "inherit" or (value == "unset" and name != "text_decoration"):
        return getattr(parent, name)  # type: ignore[no-any-return]
    return getattr(INITIAL, name) if value in ("initial", "unset") else value


def _pixels(parent: ComputedStyle, size: Any, root_size: float, *, monospace: bool) -> float:
    """Return a font size in pixels; relative sizes change between the font for code and others."""
    factor = 1.0
    if monospace != parent.monospace:
        factor = MONOSPACE if monospace else 1 / MONOSPACE
    if size is None:
        return parent.font_size * factor
    if not isinstance(size, str):
        return float(size)
    if size in KEYWORDS:
        return KEYWORDS[size] * (MONOSPACE if monospace else 1.0)
    if size in ("smaller", "larger"):
        return parent.font_size * factor * (1.2 if size == "larger" else 1 / 1.2)
    number, unit = re.fullmatch(r"(.*?)(em|ex|rem|%)", size).groups()  # type: ignore[union-attr]
    if unit == "rem":
        return float(number) * root_size
    return float(number) * parent.font_size * factor * {"em": 1.0, "ex": 0.5, "%": 0.01}[unit]


def _computed_weight(outer: int, weight: Any) -> int:
    if weight is None:
        return outer
    if weight == "bolder":
        return 400 if outer < 350 else 700 if outer < 550 else 900
    if weight == "lighter":
        return min(outer, 100) if outer < 550 else 400 if outer < 750 else 700
    return int(weight)


def _font(words: Sequence[Any]) -> Values:
    """Return the values of the shorthand `font`, which resets those that it leaves out."""
    values: Values = {"font_style": "normal", "font_weight": 400}
    for place, word in enumerate(words):
        style, weight = _style(word), _weight(word)
        if style is not None and style != "normal":
            values["font_style"] = style
        elif weight is not None and weight != 400:
            values["font_weight"] = weight
        elif (size := _size(word)) is not None:
            values["font_size"] = size
            has_line_height = words[place + 1 : place + 2] == ["/"]
            values["monospace"] = _is_monospace(words[place + (3 if has_line_height else 1) :])
            return values
    return {}


def _is_monospace(words: Sequence[Any]) -> bool:
    return [getattr(word, "lower_value", "") for word in words] == ["monospace"]


def _size(word: Any) -> str | float | None:
    if word.type == "ident":
        keyword = word.lower_value
        return keyword if keyword in KEYWORDS or keyword in ("smaller", "larger") else None
    if word.type == "percentage" and word.value >= 0:
        return f"{word.value}%"
    if word.type == "number" and word.value == 0:
        return 0.0
    if word.type != "dimension" or word.value < 0:
        return None
    unit = word.lower_unit
    if unit in ("em", "ex", "rem"):
        return f"{word.value}{unit}"
    return word.value * PIXELS[unit] if unit in PIXELS else None


def _style(word: Any) -> str | None:
    return word.lower_value if word.type == "ident" and word.lower_value in STYLES else None


def _weight(word: Any) -> str | int | None:
    if word.type == "number" and word.is_integer and 1 <= word.value <= 1000:
        return int(word.value)
    if word.type != "ident":
        return None
    keyword = word.lower_value
    return keyword if keyword in ("bolder", "lighter") else WEIGHTS.get(keyword)


def _lines(words: Iterable[Any]) -> Values:
    keywords = [word.lower_value for word in words if word.type == "ident"]
    lines = [line for line in keywords if line in LINES]
    return {"text_decoration": " ".join(lines) or "none"}


# Default styles of elements in browsers, and those of old attributes (HTML Standard, 15).
#

_MONOSPACE: Values = {"monospace": True}
_UNDERLINED: Values = {"text_decoration": "underline"}
_CONTROL: Values = INITIAL._asdict() | {"font_size": 40 / 3}
DEFAULTS: dict[str, Values] = {
    **{
        f"h{level}": {"font_size": f"{size}em", "font_weight": 700}
        for level, size in enumerate((2, 1.5, 1.17, 1, 0.83, 0.67), start=1)
    },
    **{tag: {"font_weight": "bolder"} for tag in ("b", "strong")},
    "th": {"font_weight": 700},
    **{tag: {"font_style": "italic"} for tag in ("i", "em", "cite", "dfn", "var", "address")},
    **dict.fromkeys("code kbd samp tt pre listing xmp plaintext".split(), _MONOSPACE),
    **dict.fromkeys(("u", "ins"), _UNDERLINED),
    **{tag: {"text_decoration": "line-through"} for tag in ("s", "strike", "del")},
    **{tag: {"font_size": "smaller"} for tag in ("small", "sub", "sup")},
    "big": {"font_size": "larger"},
    "rt": {"font_size": "0.5em"},
    "mark": {"color": "rgb(0, 0, 0)"},
    **dict.fromkeys(("button", "input", "select", "textarea", "option"), _CONTROL),
}
DEFAULTS["textarea"] = _CONTROL | _MONOSPACE


def by_tag(element: HtmlElement, *, quirks: bool) -> Values:
    tag = str(element.tag)
    if tag == "table" and quirks:  # which does not inherit these
        return {"font_size": 16.0, "font_style": "normal", "font_weight": 400}
    if tag in ("abbr", "acronym") and element.get("title") is not None:
        return _UNDERLINED
    return DEFAULTS.get(tag, {})


def hints(element: HtmlElement, link: str) -> Values:
    """Return the values of an element's attributes, weaker than any rule; `link` is the color of links."""
    if element.tag == "a":
        return {"color": link, **_UNDERLINED} if element.get("href") is not None else {}
    if element.tag not in ("font", "body"):
        return {}
    values: Values = {}
    color_text = element.get("color" if element.tag == "font" else "text", "")
    if color := color_of(color_text):
        values["color"] = color
    size = legacy_font_size(element.get("size", "")) if element.tag == "font" else None
    if size is not None:
        values["font_size"] = FONT_SIZES[size - 1]
    return values
