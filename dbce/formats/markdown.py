"""Content as Markdown: CommonMark, with the tables of GitHub."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.formats.part import HEADINGS, Part, lone_line, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

AROUND = {"em": "*", "strong": "**", "del": "~~"}
# An underscore within a word means nothing in CommonMark, nor does an ampersand that begins no entity.
SIGNS = re.compile(r"[\\`*\[\]<~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
CLOSING = re.compile(r"(?<!\\)((?:\\\\)*)#$")  # a sign that would end a heading and is not escaped
START = re.compile(r"(?m)^(?:(\d{1,9})([.)])(?=\s|$)|([#>+=-]))")
BREAK = "\\\n"


def as_markdown(blocks: Iterable[Part]) -> str:
    """The blocks, parted by empty lines."""
    return "\n\n".join(text for text in map(_block, blocks) if text)


def _block(part: Part) -> str:
    match part.tag:
        case "ul" | "ol":
            return _list(part)
        case "dl":
            return _terms(part)
        case "table":
            return _table(part)
        case "pre":
            return _code_block(part)
        case "blockquote":
            return _indented(_inside(part), "> ", "> ")
        case tag if tag in HEADINGS:
            text = _line(part.children).replace(BREAK, " ")
            closed = CLOSING.sub(r"\1\\#", text)
            return f"{'#' * int(tag[1])} {closed}"
    return _line(part.children)


def _inside(part: Part) -> str:
    return as_markdown(child for child in part.children if isinstance(child, Part))


def _list(part: Part) -> str:
    items = [child for child in part.children if isinstance(child, Part)]
    tight = all(lone_line(item.children) is not None or _is_nested(item) for item in items)
    texts = []
    for number, item in enumerate(items, start=1):
        sign = f"{number}. " if part.tag == "ol" else "- "
        inside = _inside(item)
        if _is_nested(item):
            inside = inside.replace("\n\n", "\n", 1)
        texts.append(_indented(inside, sign, " " * len(sign)))
    return ("\n" if tight else "\n\n").join(texts)


def _is_nested(item: Part) -> bool:
    """True if an item is a line with a list below it."""
    return [child.tag for child in item.children if isinstance(child, Part)] in (
        ["p", "ul"],
        ["p", "ol"],
    )


def _terms(part: Part) -> str:
    """A list of terms: each strong, its definitions below, for Markdown has no other."""
    texts = []
    for item in part.children:
        if isinstance(item, Part):
            line = lone_line(item.children)
            inside = _inside(item)
            texts.append(f"**{inside}**" if item.tag == "dt" and line and _plain(line) else inside)
    return "\n\n".join(text for text in texts if text)


def _plain(line: Sequence[Part | str]) -> bool:
    return all(isinstance(part, str) for part in line)


def _table(part: Part) -> str:
    rows = [
        [_cell(cell) for cell in row.children if isinstance(cell, Part)]
        for row in part.children
        if isinstance(row, Part)
    ]
    rule = ["---"] * len(rows[0])
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))


def _cell(cell: Part) -> str:
    texts = (_line(block.children) for block in cell.children if isinstance(block, Part))
    return "<br>".join(texts).replace(BREAK, "<br>").replace("|", "\\|")


def _code_block(part: Part) -> str:
    text = "".join(map(str, part.children)).strip("\n")
    fence = "`" * max(3, 1 + _longest(text))
    return f"{fence}{part.link}\n{text}\n{fence}"


def _longest(text: str) -> int:
    """The length of the longest row of backticks."""
    return max(map(len, re.findall("`+", text)), default=0)


def _indented(text: str, first: str, others: str) -> str:
    lines = text.split("\n")
    rest = (f"{others}{line}" if line else others.rstrip() for line in lines[1:])
    return "\n".join([f"{first}{lines[0]}", *rest])


def _line(parts: Sequence[Part | str]) -> str:
    """The text of a paragraph; what would begin a block at the start of a line is escaped."""
    return START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", _inline(parts))


def _inline(parts: Sequence[Part | str]) -> str:
    text = ""
    for part, after in zip(parts, (*parts[1:], ""), strict=True):
        if isinstance(part, str):
            text += SIGNS.sub(r"\\\g<0>", part)
            continue
        if part.tag == "a" and text.endswith("!"):
            text = f"{text[:-1]}\\!"  # else it would be an image
        text += _markup(part, text[-1:], after)
    return text


def _markup(part: Part, before: str, after: Part | str) -> str:
    """An inline part between a character and what follows it."""
    if part.tag == "br":
        return BREAK
    if part.tag == "code":
        return _code(text_of(part.children))
    inside = _inline(part.children)
    if part.tag == "img":
        return f"![{inside}]({_link(part.link)})"
    if part.tag == "a":
        return f"[{inside}]({_link(part.link)})"
    sign = AROUND.get(part.tag)
    behind = after[:1] if isinstance(after, str) else "*" if after.tag in AROUND else ""
    beside = [character for character in (before, behind) if character]
    if sign and not any(character.isalnum() or character in "*~_" for character in beside):
        first, last = inside[:1], inside[-1:]
        if first.isalnum() and (last.isalnum() or last in ".!?)"):
            return f"{sign}{inside}{sign}"
    # CommonMark sees no emphasis within words and beside other signs.
    return f"<{part.tag}>{inside}</{part.tag}>"


def _code(text: str) -> str:
    fence = "`" * (1 + _longest(text))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _link(link: str) -> str:
    return re.sub(r"[()<>\\]", lambda m: f"%{ord(m[0]):02X}", link)
