"""Kinds of characters in texts, and the characters that words are told by."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Ints

Number = TypeVar("Number", np.uint8, np.uint32)

_IS: tuple[Callable[[str], object], ...] = (
    str.isspace,
    str.isdigit,
    str.isupper,
    frozenset(".!?…。！？").__contains__,
    frozenset(",;、，").__contains__,
    frozenset(".!?…:。！？\"”’')]").__contains__,
    re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]").match,
    str.isalnum,
)

SPACE, DIGIT, CAPITAL, STOP, COMMA, ENDING, UNSPACED, ALPHANUMERIC = (
    1 << bit for bit in range(len(_IS))
)
"""Kinds of characters: white space; digits; capitals; ends of sentences; commas and the like; what
a finished line ends with; characters of scripts that put no spaces between words; letters and digits."""


def kinds(text: str) -> NDArray[np.uint8]:
    """The kinds of every character of a text, as a sum of bits."""
    return _looked_up(text, _kinds, np.uint8)


def counts(chosen: NDArray[np.bool_], bounds: Ints) -> Ints:
    """Number of the chosen characters in each text; text i goes from `bounds[i]` to the next."""
    return np.diff(np.searchsorted(np.flatnonzero(chosen), bounds))


def word_starts(of_characters: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """The characters that begin a word: what white space or the text's begin stands before."""
    space = (of_characters & SPACE) > 0
    starts = ~space
    starts[1:] &= space[:-1]
    return starts


FOLDED_SPACE, FOLDED_WORD, FOLDED_LETTER = 1 << 21, 1 << 22, 1 << 23
"""Bits of a folded character above those of its code: white space; what `\\w` stands for; that without digits and _."""

ODD = ("\u03a3", "\u0130")
"""Characters that another one may tell how to write small, or that then are two; Python itself knows best."""

_WORD = re.compile(r"\w")
_LETTER = re.compile(r"[^\W\d_]")


def folded(text: str) -> NDArray[np.uint32] | None:
    """The code of every character, in lower case, and what it is to a word, as the compiled part takes texts.

    None where the text has ODD characters.
    """
    if any(odd in text for odd in ODD):
        return None
    return _looked_up(text, _folded, np.uint32)


def _looked_up(text: str, of: Callable[[int], int], kind: type[Number]) -> NDArray[Number]:
    """A value of the code of every character; few of all that there are occur in a text: each is looked at once."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    occurs = np.zeros(codes.max(initial=0) + 1, dtype=np.bool_)
    occurs[codes] = True
    table = np.zeros(len(occurs), kind)
    for code in np.flatnonzero(occurs).tolist():
        table[code] = of(code)
    values: NDArray[Number] = table[codes]
    return values


@lru_cache(maxsize=20_000)
def _kinds(code: int) -> int:
    return sum(1 << bit for bit, holds in enumerate(_IS) if holds(chr(code)))


@lru_cache(maxsize=20_000)
def _folded(code: int) -> int:
    small = chr(code).lower()
    bits = FOLDED_SPACE * small.isspace()
    bits |= FOLDED_WORD * (_WORD.match(small) is not None)
    bits |= FOLDED_LETTER * (_LETTER.match(small) is not None)
    return ord(small) | bits
