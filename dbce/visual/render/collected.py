"""Data collected in the browser (collect.js), as values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from dbce.html import step
from dbce.visual import KEPT, Element, Rect, Style, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST = 2_000
"""Characters that are kept of an attribute; what is longer is an image written into its address."""

COLLECT = (
    files("dbce.visual.render").joinpath("collect.js").read_text(encoding="utf-8").rstrip()
    + f"({json.dumps(KEPT)}, {LONGEST})"
)
"""The expression whose value is what `read_collected` reads."""


@dataclass(frozen=True, slots=True)
class Collected:
    """Title, elements, styles and texts of a page, and what the texts' styles ask for as fonts, sorted.

    `title` is that of the document, "" if it has none. `is_quirks` says that it is laid out as browsers did before there were standards.
    """

    title: str
    elements: tuple[Element, ...]
    styles: tuple[Style, ...]
    texts: tuple[Text, ...]
    fonts: tuple[str, ...]
    is_quirks: bool


def read_collected(answer: str) -> Collected:
    """Read the browser's answer (JSON); the texts have no numbers yet."""
    found = json.loads(answer)
    return Collected(
        title=_written(found["title"]),
        elements=_elements(found["elements"]),
        styles=tuple(_style(values) for values in found["styles"]),
        texts=tuple(
            Text(parent, order, _written(text), tuple(Rect(*rect) for rect in rects), -1)
            for parent, order, text, rects in found["texts"]
        ),
        fonts=tuple(sorted(found["fonts"])),
        is_quirks=found["mode"] == "BackCompat",
    )


def _elements(rows: Sequence[Sequence[Any]]) -> tuple[Element, ...]:
    elements: list[Element] = []
    seen: dict[tuple[int, str], int] = {}
    for parent, order, tag, rect, style, attributes in rows:
        number = seen[parent, tag] = seen.get((parent, tag), 0) + 1
        above = elements[parent].xpath if parent >= 0 else "/html"
        own = step(tag)
        path = f"{above}/{own}[{number}]" if parent >= 0 else f"{above}/{own}"
        box = None if rect is None else Rect(*rect)
        kept = {name: _written(value) for name, value in attributes.items()}
        elements.append(Element(parent, order, tag, path, box, style, kept))
    return tuple(elements)


def _style(values: Sequence[Any]) -> Style:
    """A computed style; lengths come as "12.5px"."""
    top, right, bottom, left = map(_pixels, values[13:17])
    return Style._make([*values[:13], (top, right, bottom, left), *values[17:]])._replace(
        opacity=float(values[4]),
        font_size=_pixels(values[5]),
        font_weight=round(float(values[7])),
    )


def _pixels(length: str) -> float:
    return float(length.removesuffix("px"))


def _written(text: str) -> str:
    """A text without halves of characters, which scripts may leave and no table can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
