"""Content as HTML, and nothing else: no classes, no styles, no scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from dbce.formats.part import CELLS, ITEMS, Part, lone_line

if TYPE_CHECKING:
    from collections.abc import Iterable

ATTRIBUTE = {"a": "href", "img": "src"}


def as_html(blocks: Iterable[Part]) -> str:
    """The blocks, one a line."""
    return "\n".join(map(_element, blocks))


def _element(part: Part | str) -> str:
    if isinstance(part, str):
        return escape(part, quote=False)
    if part.tag == "br":
        return "<br>"
    if part.tag == "img":
        return f'<img src="{escape(part.link)}" alt="{escape("".join(map(str, part.children)))}">'
    inside = "".join(map(_element, _children(part)))
    if part.tag == "pre":
        language = f' class="language-{escape(part.link)}"' if part.link else ""
        return f"<pre><code{language}>{inside}</code></pre>"
    link = f' {ATTRIBUTE[part.tag]}="{escape(part.link)}"' if part.tag in ATTRIBUTE else ""
    return f"<{part.tag}{link}>{inside}</{part.tag}>"


def _children(part: Part) -> tuple[Part | str, ...]:
    """The children; of an item or cell with one paragraph only its line."""
    line = lone_line(part.children) if part.tag in (*ITEMS, *CELLS) else None
    return part.children if line is None else line
