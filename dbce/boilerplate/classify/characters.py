"""What kind of characters a text has: counted on all lines of a batch at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Ints

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
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    # Few characters of all that there are occur in a text: each is looked at once.
    table = np.zeros(codes.max(initial=0) + 1, dtype=np.uint8)
    for code in np.flatnonzero(np.bincount(codes)).tolist():
        table[code] = sum(1 << bit for bit, holds in enumerate(_IS) if holds(chr(code)))
    found: NDArray[np.uint8] = table[codes]
    return found


def counts(chosen: NDArray[np.bool_], bounds: Ints) -> Ints:
    """How many characters are chosen in each text; text i goes from `bounds[i]` to the next."""
    return np.diff(np.searchsorted(np.flatnonzero(chosen), bounds))


def word_starts(kinds_: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """The characters that begin a word: what white space or the text's begin stands before."""
    space = (kinds_ & SPACE) > 0
    found = ~space
    found[1:] &= space[:-1]
    return found
