"""A style sheet without what does not matter, found at the speed of regular expressions.

A parser in Python takes 2 us for a character, and the sheets of a page have up to 250,000 of them. So
only declarations of a few properties go there, with the selectors and the at-rules around them.
"""

from __future__ import annotations

import re
from functools import cache

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
