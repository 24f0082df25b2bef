"""A page drawn from its boxes, styles and texts, for people to look at where no picture of it was taken."""

from __future__ import annotations

import re
from bisect import bisect_right
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.visual import Element, Rect, RenderedPage, Style, Text

SHOWN = frozenset("canvas embed iframe img input object picture select svg textarea video".split())
"""Elements that are a frame in the drawing: what they show is in no table."""

BASELINE = 0.78
"""Share of a line's height that is above the feet of its letters, about that of all common fonts."""

NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML may have, and browsers refuse a drawing for."""


def wireframe(page: RenderedPage) -> bytes:
    """Return an SVG image of a page: backgrounds, frames for pictures, and its texts line by line.

    It needs no other file and runs nothing. Later elements are over earlier ones, whatever their z-index.
    """
    width, height = page.size
    drawn = sorted([*_elements(page), *_texts(page)])
    shapes = "".join(shape for _, shape in drawn)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>'
        f"{shapes}</svg>\n"
    )
    return svg.encode()


def _elements(page: RenderedPage) -> Iterator[tuple[int, str]]:
    for element in page.elements:
        style = page.styles[element.style]
        if element.rect and _is_seen(style) and (look := _look(element, style)):
            yield element.order, f"<rect {_place(element.rect)} {look}/>"


def _look(element: Element, style: Style) -> str:
    if element.tag in SHOWN:
        return 'fill="#eee" stroke="#999"'
    return f'fill="{escape(style.background_color)}"' if _is_opaque(style.background_color) else ""


def _texts(page: RenderedPage) -> Iterator[tuple[int, str]]:
    for text in page.texts:
        style = page.styles[page.elements[text.parent].style]
        if text.rects and _is_seen(style):
            look = (
                f'font-size="{style.font_size:g}" font-weight="{style.font_weight}" '
                f'font-style="{escape(style.font_style)}" fill="{escape(style.color)}"'
            )
            lines = "".join(_line(rect, words) for rect, words in _set(text) if words)
            yield text.order, f"<g {look}>{lines}</g>"


def _set(text: Text) -> Iterator[tuple[Rect, str]]:
    """The lines of a text with their words, which go by the lines' widths: where lines broke is not stored."""
    words = NOT_XML.sub("", text.text).split()
    ends = list(accumulate(rect.w for rect in text.rects))
    letters = sum(map(len, words)) or 1
    of_line: list[list[str]] = [[] for _ in ends]
    before = 0
    for word in words:
        middle = (before + len(word) / 2) / letters * ends[-1]
        of_line[min(bisect_right(ends, middle), len(ends) - 1)].append(word)
        before += len(word)
    for rect, line in zip(text.rects, of_line, strict=True):
        yield rect, " ".join(line)


def _line(rect: Rect, words: str) -> str:
    x, y, w, h = rect
    place = f'x="{x:g}" y="{y + BASELINE * h:g}" textLength="{max(w, 1):g}"'
    return f'<text {place} lengthAdjust="spacingAndGlyphs">{escape(words)}</text>'


def _place(rect: Rect) -> str:
    x, y, w, h = (f"{value:g}" for value in rect)
    return f'x="{x}" y="{y}" width="{w}" height="{h}"'


def _is_seen(style: Style) -> bool:
    return style.visibility == "visible" and style.opacity > 0


def _is_opaque(color: str) -> bool:
    return bool(color) and color != "transparent" and not color.replace(" ", "").endswith(",0)")
