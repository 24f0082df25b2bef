"""Words of a text as they are compared: their hashes, and what makes a change of each matter."""

from __future__ import annotations

import re
from enum import IntFlag
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from dbce.metadata import MONTHS
from dbce.model import WORD, hash_strings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.model import Hashes

_END = "\0"
"""Separator of texts: no text has it (dbce.html.parse)."""

_OF_PROSE = re.compile(rf"{_END}|{WORD.pattern}")
_OF_CODE = re.compile(rf"{_OF_PROSE.pattern}|[^\w\s]")
"""In code a sign is a word: `- 20` is not `+ 20`."""


class WordTrait(IntFlag):
    """Properties of a word that say how much it matters when it changes."""

    NUMBER = 1
    DATE = 2
    NAME = 4
    NEGATION = 8
    SIGN = 16


NEGATIONS = frozenset(
    "no not never none nor neither without cannot isn aren wasn weren don doesn didn couldn wouldn shouldn "
    "nicht kein keine keinen keiner nie niemals ohne ne pas jamais sans aucun aucune nunca sin ningún non mai "
    "senza nessun niet geen nooit zonder não sem nenhum inte ingen inget aldrig utan ikke aldri uden nie bez "
    "nigdy не нет без никогда 不 没 無 非 未".split()
)
"""Words that turn a sentence round, in the languages that archives have most of; with n't, the part before it."""


class TextWords(NamedTuple):
    """The words of some texts: their hashes, their traits (WordTrait), and where those of each text end."""

    hashes: Hashes
    traits: NDArray[np.uint8]
    ends: NDArray[np.int64]


def text_words(texts: Sequence[str], code: Sequence[str] = ()) -> TextWords:
    """The words of some texts, in lower case, and of some texts that are code behind them."""
    pieces = _OF_PROSE.findall(_END.join([*texts, ""])) + _OF_CODE.findall(_END.join([*code, ""]))
    encoded = pa.array(pieces, pa.string()).dictionary_encode()
    distinct, numbers = encoded.dictionary.to_pylist(), encoded.indices.to_numpy()
    hashes = hash_strings([word.lower() for word in distinct])[numbers]
    traits = np.array([_trait(word) for word in distinct], np.uint8)[numbers]
    is_end = hashes == hash_strings([_END])[0]
    stops = np.flatnonzero(is_end)
    return TextWords(hashes[~is_end], traits[~is_end], stops - np.arange(len(stops)))


def _trait(word: str) -> int:
    lower = word.lower()
    return (
        WordTrait.NUMBER * (word[0].isdigit() or word[-1].isdigit())
        | WordTrait.DATE * (lower in MONTHS)
        | WordTrait.NAME * word[0].isupper()
        | WordTrait.SIGN * (not (word[0].isalnum() or word[0] == "_"))
        | WordTrait.NEGATION * (lower in NEGATIONS)
    )


def word_hashes(texts: Sequence[str]) -> tuple[Hashes, NDArray[np.int64]]:
    """The hashes of the words of some texts, and where those of each end, as `words`."""
    found = text_words(texts)
    return found.hashes, found.ends


def words(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """The lower-cased words of some texts, and where those of each end.

    A word is a run of letters, digits and underscores; a Chinese character is one.
    """
    pieces = _OF_PROSE.findall(_END.join([*texts, ""]).lower())
    stops = [place for place, word in enumerate(pieces) if word == _END]
    return [w for w in pieces if w != _END], [stop - n for n, stop in enumerate(stops)]


SOME = 4
"""Words from which on a text is known in another: one of fewer is in many by chance."""


def is_within(words: Hashes, others: Hashes) -> bool:
    """Return whether words stand one after another among others."""
    one, all_of_them, width = words.tobytes(), others.tobytes(), words.itemsize
    place = all_of_them.find(one)
    while place > 0 and place % width:  # a hash may begin inside of another one by chance
        place = all_of_them.find(one, place + 1)
    return place >= 0
