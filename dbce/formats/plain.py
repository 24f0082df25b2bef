"""The content of a page as plain text: one line a paragraph, the lines of code as they stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.formats.part import Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

POWER = re.compile(r"[+\-\u2212]?\d")
"""Beginning of a superscript that would read as digits of the number that it stands at."""


def plain_text(blocks: Iterable[Part]) -> str:
    """The text of blocks that hold no others, as `plain_line` gives it."""
    return "\n".join(map(plain_line, blocks))


def plain_line(block: Part) -> str:
    """The text of a paragraph, a heading or code; line breaks in it are kept, formulas are TeX."""
    if block.tag == "pre":
        return "\n".join(line.rstrip() for line in _inside(block.children).split("\n")).strip("\n")
    return _inside(block.children)


def _inside(children: Sequence[Part | str]) -> str:
    text = ""
    for child in children:
        own = child if isinstance(child, str) else _inside(child.children)
        if isinstance(child, Part) and child.tag == "br":
            own = "\n"
        elif isinstance(child, Part) and child.tag == "sup" and text[-1:].isdigit():
            own = f"^{own}" if POWER.match(own) else own
        text += own
    return text
