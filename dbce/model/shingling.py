"""Texts as rows of words: what two have in common whatever words they share, and however they set them."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dbce.model.hashing import hash_strings
from dbce.model.text_keys import alike, words_of

if TYPE_CHECKING:
    from dbce.model.values import Hashes

SHINGLE = 3
"""Words in a row that count as one: those of two articles on one matter are unlike, whatever words they share."""

_FACTOR = np.uint32(0x9E3779B1)
"""Odd, so that no word of a row is lost; 2**32 by the golden ratio."""


@lru_cache(maxsize=1)  # a text is asked for its digest and its shingles in a row
def folded(text: str) -> str:
    """Return a text with one form of what templates exchange, of letters and of capitals."""
    return unicodedata.normalize("NFKC", alike(text)).casefold()


def shingles(text: str) -> Hashes:
    """Return the hashes of all rows of SHINGLE words of a text, each once; of a shorter text that of all its words."""
    words = hash_strings(words_of(folded(text)))
    rows = max(1, len(words) - SHINGLE + 1) if len(words) else 0
    hashes = np.zeros(rows, np.uint32)
    for place in range(min(SHINGLE, len(words))):
        hashes = hashes * _FACTOR + words[place : place + rows]
    return np.unique(hashes)
