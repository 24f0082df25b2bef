"""Stable hashes: the same on every machine, in every process, at every run."""

import hashlib
import unicodedata
import uuid
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dbce.kernel import compiled
from dbce.model.values import Hashes
from dbce.model.words import WORD, unify_signs

NAMESPACE = uuid.UUID("8f6e1b9c-5d0a-5f3e-9c51-0d8c1f1f7a42")
"""Namespace of all ids that this project makes (UUIDv5, RFC 9562)."""


def stable_id(*parts: str) -> str:
    """A URN made of the parts alone: equal parts, equal id."""
    return uuid.uuid5(NAMESPACE, "\x1f".join(parts).encode(errors="backslashreplace").decode()).urn


def hash_strings(strings: Sequence[str]) -> Hashes:
    """One 32-bit hash a string (SipHash, fixed key, the lower half), in one call.

    Two of a page's thousand words collide once in about 10,000 pages, and then only matter when they stand at the same
    place of two pages: cheaper than twice the size of every sketch.
    """
    hashes = np.empty(len(strings), np.uint32)
    compiled.hash_texts(list(strings), hashes)
    return hashes


def first_alike(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Place of the first key that is the same, for each key."""
    firsts = np.empty(len(keys), np.int64)
    compiled.first_alike(keys, firsts)
    return firsts


def first_numbers(values: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """(number of each value, from 0 in the order in which they first occur; the values so numbered)."""
    firsts = first_alike(values.astype(np.int64))
    is_first = firsts == np.arange(len(values))
    return (np.cumsum(is_first) - 1)[firsts], values[is_first]


def as_numbers(*rows: Iterable[Hashable]) -> list[list[int]]:
    """Rows of things as rows of numbers, equal ones for equal things, which are quicker to align."""
    numbers: dict[Hashable, int] = {}
    return [[numbers.setdefault(value, len(numbers)) for value in row] for row in rows]


def digest64(data: bytes) -> int:
    """A signed 64-bit digest of bytes (BLAKE2b), as a Parquet or Spark integer holds it."""
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big", signed=True)


SHINGLE = 3  # words in a row that count as one: two articles on one matter share hardly any
_FACTOR = np.uint32(0x9E3779B1)  # odd, so that no word of a row is lost; 2**32 by the golden ratio


@lru_cache(maxsize=1)  # a text is asked for its digest and its shingles in a row
def fold_text(text: str) -> str:
    """Return a text with one form of what templates exchange, of letters and of capitals."""
    return unicodedata.normalize("NFKC", unify_signs(text)).casefold()


def shingle_hashes(text: str) -> Hashes:
    """Return the hash of each row of SHINGLE words of a text; that of all words of a shorter text, none without words."""
    raw = fold_text(text).encode("utf-8", "surrogatepass")
    words = np.empty(len(raw) // 2 + 1, np.uint32)  # a word takes two bytes with its gap
    words = words[: compiled.hash_runs(raw, WORD.findall, words)]
    rows = max(1, len(words) - SHINGLE + 1) if len(words) else 0
    hashes = np.zeros(rows, np.uint32)
    for place in range(min(SHINGLE, len(words))):
        hashes = hashes * _FACTOR + words[place : place + rows]
    return hashes


def shingles(text: str) -> Hashes:
    """Return the hashes of all rows of SHINGLE words of a text, each once."""
    return np.unique(shingle_hashes(text))
