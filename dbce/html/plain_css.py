"""The rules of a style sheet, taken apart at the speed of regular expressions.

The pieces are those of `dbce.html.css_prefilter`. What is not asked for is passed over many rules at a time, and of the rest
selectors and declarations are handed out as text: those of most rules are so plain that no parser need see them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dbce.html.css_prefilter import (
    COMMENT,
    DECLARATION,
    DECLARED,
    PIECE,
    TEXT,
    has_long_number,
    pattern,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

SPACE = r"[ \t\n\r\f]*+"
IDENT = r"-?[A-Za-z_][A-Za-z0-9_-]*+"

_UNITS = rf"(?:{TEXT}\{{(?:{TEXT}\}}|(?:{TEXT}\{{{TEXT}\}})*+{TEXT}\}}))*+"
"""Rules, and blocks of rules, as far as they are whole."""

_LEADING = rf"(?:{SPACE}(?:{COMMENT}|@[a-zA-Z-]++{DECLARED}*+;))*+{SPACE}"
"""Comments, and at-rules without a block, in front of a rule."""

_AT_BLOCK = r"@(?P<name>-?[a-zA-Z][a-zA-Z-]*+)(?P<prelude>(?=[ \t\n\r\f({])[^;{]*+)\{"

_HOLDS_MORE = re.compile(r"[\"'()\[\]\\/]")
"""What a semicolon can stand in that ends no declaration."""

PLAIN = re.compile(
    rf"{SPACE}({IDENT}){SPACE}:{SPACE}(?:({IDENT}){SPACE}(![ \t\n\r\f]*important{SPACE})?;?\Z)?",
    re.IGNORECASE,
)
"""The name of a declaration and, if it is a word alone, its value and the mark of importance."""


class PlainRule(NamedTuple):
    """A rule as text: the conditions of the `@media` around it, its selectors, the declarations that were asked for."""

    media: tuple[str, ...]
    prelude: str
    declarations: list[str]


class NestedRule(NamedTuple):
    """A rule in which more than declarations stand, or an escape: the parser has to see it."""

    media: tuple[str, ...]
    css: str


class UnusualError(Exception):
    """The sheet holds something for which the whole of it has to be parsed."""


def plain_rules(css: str, wanted: re.Pattern[str]) -> Iterator[PlainRule | NestedRule]:
    """The rules of a sheet with declarations that `wanted` finds something in, outside of at-rules but `@media`.

    Raises:
        UnusualError: an end is missing, a number is too long, an at-rule is written in an odd way, comments of SGML.
    """
    if has_long_number(css):
        raise UnusualError
    levels: list[str | None] = []  # the conditions of open `@media`; None of what is not read
    is_spoiled = False  # a brace too many is part of the next rule
    at = 0
    while (found := wanted.search(css, at)) is not None:
        if css.find("}", at, found.start()) >= 0 and (units := _units_end(css, at, found)) > at:
            at, is_spoiled = units, False
        piece = pattern(PIECE).match(css, at)
        if piece is None:
            raise UnusualError
        at = piece.end()
        if piece["end"]:
            is_spoiled = not levels
            levels = levels[:-1]
            continue
        if not (piece["rule"] or piece["begin"]):
            return
        prelude = _prelude(piece["rule"] or piece[0])
        is_read = not is_spoiled and None not in levels
        media = tuple(level for level in levels if level is not None)
        if piece["rule"]:
            declarations = _declarations(piece, wanted) if is_read else []
            if declarations and not prelude.startswith("@"):
                yield PlainRule(media, prelude[:-1], declarations)
        elif prelude.startswith("@") or not is_read:
            levels.append(_condition(prelude) if is_read else None)
        else:
            at = _end_of_block(css, at)
            yield NestedRule(media, css[piece.start() : at])
        is_spoiled = False


def _units_end(css: str, at: int, found: re.Match[str]) -> int:
    """The place behind all that is whole in front of what was found."""
    units = pattern(_UNITS).match(css, at, found.start())
    return units.end() if units else at


def _prelude(text: str) -> str:
    """What stands in front of a block and belongs to it, with the brace."""
    if "<!--" in text or "-->" in text:
        raise UnusualError
    leading = pattern(_LEADING).match(text)
    return text[leading.end() :] if leading else text


def _condition(prelude: str) -> str | None:
    """The condition of `@media`, None of other at-rules."""
    rule = pattern(_AT_BLOCK).fullmatch(prelude)
    if rule is None:
        raise UnusualError
    return rule["prelude"] if rule["name"].lower() == "media" else None


def _end_of_block(css: str, at: int) -> int:
    """The place behind a block, of one behind its first brace."""
    depth = 1
    while depth:
        piece = pattern(PIECE).match(css, at)
        if piece is None or not (piece["rule"] or piece["begin"] or piece["end"]):
            raise UnusualError
        depth += (piece["begin"] is not None) - (piece["end"] is not None)
        at = piece.end()
    return at


def _declarations(rule: re.Match[str], wanted: re.Pattern[str]) -> list[str]:
    """The declarations of a rule that may be wanted."""
    first, end = rule.end("rule"), rule.end() - 1
    block = rule.string[first:end]
    if _HOLDS_MORE.search(block):
        every = pattern(DECLARATION).findall(rule.string, first, end)
    else:
        every = block.split(";")
    return [each for each in every if wanted.search(each)]
