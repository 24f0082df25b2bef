"""Style sheets at the speed of regular expressions: what does not matter left out, rules taken apart, media queries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

# A style sheet without what does not matter, found at the speed of regular expressions.
#
# A parser in Python takes 2 us for a character, and the sheets of a page have up to 250,000 of
# them. So only declarations of a few properties go there, with the selectors and the at-rules
# around them.

# What may stand between braces, so that no brace is missed and none counted that is quoted. Every
# repetition is possessive: time is linear. What fits nowhere leaves the sheet as it is.
_PLAIN = r"[^;{}()\[\]\"'\\/]++|/(?!\*)"
_QUOTED = r"\"(?:[^\"\\\n\r\f]|\\[^\n\r\f])*+\"|'(?:[^'\\\n\r\f]|\\[^\n\r\f])*+'"
COMMENT = r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/"
_ESCAPED = r"\\[^\n\r\f0-9A-Za-z]"
# An escaped letter may be one of a name; not of a function's, which may be `url`.
_SPELT = r"\\[0-9A-Za-z][^;{}()\[\]\"'\\/:,]*+(?!\()"
_ATOM = f"{_PLAIN}|{_QUOTED}|{COMMENT}|{_ESCAPED}"

# An address in `url(...)` has signs of its own, unless it is quoted.
_URL = r"(?<=[uU][rR][lL])\((?:[^{}()\[\]\"'\\/]|/(?!\*))*+\)"
_OPEN = r"(?:(?<![uU][rR][lL])\(|(?<=[uU][rR][lL])\([ \t\n\r\f]*+(?=[\"']))"
_INSIDE = f"{_ATOM}|{_SPELT}|;"
_BRACKETS = rf"{_URL}|\[(?:{_INSIDE})*+\]"
_DEEPER = _BRACKETS
for _level in range(7):  # calc(((100vw - min(var(--a), 1vw)) / 2)) has four
    _DEEPER = rf"{_BRACKETS}|{_OPEN}(?:{_INSIDE}|{_DEEPER})*+\)"

DECLARED = f"(?:{_ATOM}|{_DEEPER})"
DECLARATION = f"{DECLARED}*+;?"
TEXT = f"(?:{DECLARED}|;)*+"
PIECE = (
    rf"(?P<rule>{TEXT}\{{){TEXT}\}}|(?:{DECLARED}|{_SPELT}|;)*+(?:(?P<begin>\{{)|(?P<end>\}})|\Z)"
)

_AT_RULE = re.compile(r"[ \t\n\r\f]*+@(?P<name>-?[a-zA-Z][a-zA-Z-]*+)(?=[ \t\n\r\f({])[^;{]*+\{")
"""The piece that begins an at-rule, if it holds nothing else."""

_DIGITS = re.compile(r"[0-9]{3}")
_LONG_NUMBER = re.compile(r"(?<![0-9])[0-9]{4000}")
"""Python does not take one of 4,300 digits, and then the parser gives up the whole sheet."""


def has_long_number(css: str) -> bool:
    """True if the parser gives up the whole sheet for a number."""
    # A number as long has digits at three places in a row of these: to look for it at once takes as long as all else.
    return _DIGITS.search(css[::1000]) is not None and _LONG_NUMBER.search(css) is not None


@cache
def pattern(of: str) -> re.Pattern[str]:
    """One of these patterns, compiled when the first sheet asks for it, which takes as long as a page."""
    return re.compile(of)


def prefiltered(css: str, wanted: re.Pattern[str]) -> str:
    """The sheet without the declarations that `wanted` finds nothing in, and without rules left empty.

    The parser finds the same declarations of what is wanted in it, with the same selectors, in the
    same order and `@media`; other at-rules are not read. A sheet with something unusual comes back as
    it is.
    """
    if has_long_number(css):
        return css
    kept: list[str] = []
    at = depth = 0
    unread = None  # the depth at which an at-rule stands that nobody reads, while inside of it
    is_stray = False
    next_wanted = wanted.search(css)
    next_piece = pattern(PIECE).match
    while at < len(css):
        piece = next_piece(css, at)
        if piece is None:
            return css
        if unread is None and not is_stray and _is_unread(piece):
            unread = depth
        if unread is None:
            is_wanted = next_wanted is not None and next_wanted.start() < piece.end()
            _add(kept, piece, is_stray, wanted if is_wanted else None)
        depth += (piece["begin"] is not None) - (piece["end"] is not None)
        if unread is not None and depth <= unread:
            unread = None
        is_stray = depth < 0  # a brace too many is part of the next rule, and spoils it
        depth = max(depth, 0)
        at = piece.end()
        if next_wanted is not None and next_wanted.start() < at:
            next_wanted = wanted.search(css, at)
    return "".join(kept)


def _is_unread(piece: re.Match[str]) -> bool:
    """True if the piece is an at-rule of declarations, or begins one other than `@media`."""
    rule = _AT_RULE.fullmatch(piece["rule"] or piece[0])
    return rule is not None and (piece["rule"] is not None or rule["name"].lower() != "media")


def _add(
    kept: list[str], piece: re.Match[str], is_stray: bool, wanted: re.Pattern[str] | None
) -> None:
    """Adds what may matter of a piece; nothing does of a rule if `wanted` is None."""
    if is_stray:
        kept[-1] += piece[0]
    elif piece["rule"]:
        kept += (piece["rule"], *_of_block(piece, wanted), "}") if wanted else ()
    elif piece[0].strip() == "}" and kept and _AT_RULE.fullmatch(kept[-1]):
        kept.pop()  # nothing is left of the at-rule that ends
    else:
        kept.append(piece[0])


def _of_block(rule: re.Match[str], wanted: re.Pattern[str]) -> list[str]:
    """The declarations of a rule that may be wanted."""
    declarations = pattern(DECLARATION).findall(rule.string, rule.end("rule"), rule.end() - 1)
    return [each for each in declarations if wanted.search(each)]


# Media queries: those that hold on a screen of 1280 x 800 pixels, in the hands of nobody in
# particular.

WINDOW = {"width": 1280.0, "height": 800.0}
PIXELS = {"px": 1.0, "em": 16.0, "rem": 16.0}
USER = {
    "orientation": "landscape",
    "hover": "hover",
    "pointer": "fine",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
}


def holds(media: Sequence[Any]) -> bool:
    """True if a list of media queries holds; an empty one does."""
    tokens = spaceless(media)
    return not tokens or any(map(_query_holds, split(tokens)))


def split(tokens: Sequence[Any]) -> list[list[Any]]:
    """The tokens between the commas."""
    parts: list[list[Any]] = [[]]
    for part in tokens:
        if part == ",":
            parts.append([])
        else:
            parts[-1].append(part)
    return parts


def spaceless(tokens: Iterable[Any]) -> list[Any]:
    return [token for token in tokens if token.type != "whitespace"]


def _query_holds(query: Sequence[Any]) -> bool:
    words = {token.lower_value for token in query if token.type == "ident"}
    features = [token.content for token in query if token.type == "() block"]
    holds: bool = words <= {"all", "screen", "and", "only", "not"} and all(
        map(_feature_holds, features)
    )
    return holds is not ("not" in words)


def _feature_holds(content: Sequence[Any]) -> bool:
    """True if the condition between parentheses holds, such as `min-width: 600px`."""
    tokens = spaceless(content)
    if len(tokens) != 3 or tokens[0].type != "ident" or tokens[1] != ":":
        return False
    name, value = tokens[0].lower_value, tokens[2]
    bound, _, dimension = name.replace("-device-", "-").partition("-")
    if dimension not in WINDOW or bound not in {"min", "max"}:
        return bool(value.type == "ident" and value.lower_value == USER.get(name))
    if value.type != "dimension" or value.lower_unit not in PIXELS:
        return False
    pixels: float = value.value * PIXELS[value.lower_unit]
    return WINDOW[dimension] >= pixels if bound == "min" else WINDOW[dimension] <= pixels


# The rules of a style sheet, taken apart at the speed of regular expressions.
#
# The pieces are those of `dbce.html.css`. What is not asked for is passed over many
# rules at a time, and of the rest selectors and declarations are handed out as text: those of
# most rules are so plain that no parser need see them.

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
