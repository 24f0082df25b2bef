"""The captures of a block side by side: all that choosing neighbours among them needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.cross.translations import document
from dbce.boilerplate.cross.variants import NONE, Variants
from dbce.model import first_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from dbce.model import Hashes

    Numbers = NDArray[np.int64]

NOBODY = -1
"""Stands where the number of a capture is expected and there is none."""

ROWS = 128
"""Signatures that are compared with all others in one go; more do not fit a processor's cache."""


WIDTH = 63
"""Bits of a key that is never negative."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A capture of a block, without its text.

    `time` is in seconds since 1970; `text` is a digest of all the capture's words.
    """

    record_id: str
    surt: str
    time: int
    text: int
    signature: Hashes


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """Captures as columns, in the order of URL, time and record id; a capture is its place there.

    `urls` numbers the URLs, `ranks` the record ids, both in their order; URLs of translations have one number in
    `documents`. `alike[i, j]` is how many of the `permutations` values of two signatures are equal; `variants` are
    those among the URLs by their texts.
    """

    record_ids: tuple[str, ...]
    urls: Numbers
    documents: Numbers
    times: Numbers
    texts: Numbers
    ranks: Numbers
    alike: NDArray[np.unsignedinteger]
    permutations: int
    variants: Variants = NONE

    def __len__(self) -> int:
        return len(self.record_ids)

    def similar(self, cur: Numbers, other: Numbers) -> Numbers:
        """Number of equal values of their signatures; 0 where one is NOBODY."""
        equal = self.alike[cur, other].astype(np.int64)
        equal[(cur == NOBODY) | (other == NOBODY)] = 0
        return equal

    def of_one_document(self, cur: Numbers, others: Numbers) -> NDArray[np.bool_]:
        """True of those in each row of `others` that have the words of `cur` there, or are variants."""
        same_words: NDArray[np.bool_] = self.texts[others] == self.texts[cur][:, None]
        same_words |= self.documents[others] == self.documents[cur][:, None]
        return same_words | self.variants.among(self.urls[cur], self.urls[others])

    def variant_of(self) -> Numbers:
        """The capture of another URL that is the same document as each capture; NOBODY if none is.

        One with the very same words goes before one of the URL that shares most, and that before a translation;
        of several the nearest in time counts, the first of two.
        """
        nearest = np.full(len(self), NOBODY)
        number = np.arange(len(self))
        _, text = np.unique(self.texts, return_inverse=True)
        with_variant = np.isin(self.urls, self.variants.pairs >> 32)
        is_one = (self._urls_of(text) > 1) | (self._urls_of(self.documents) > 1) | with_variant
        for cur in np.flatnonzero(is_one).tolist():
            of_others = self.urls != self.urls[cur]
            others = number[(text == text[cur]) & of_others]
            if not len(others) and with_variant[cur]:
                others = number[self.urls == self.variants.of(int(self.urls[cur]))[0]]
            elif not len(others):
                others = number[(self.documents == self.documents[cur]) & of_others]
            nearest[cur] = others[np.argmin(self.apart(np.full(len(others), cur), others))]
        return nearest

    def _urls_of(self, group: Numbers) -> Numbers:
        """Number of URLs in each capture's group."""
        return np.bincount(np.unique((group << 32) | self.urls) >> 32)[group]

    def apart(self, cur: Numbers, other: Numbers) -> Numbers:
        """Seconds between the captures."""
        seconds: Numbers = np.abs(self.times[cur] - self.times[other])
        return seconds


def members_of(entries: Iterable[Entry]) -> Members:
    """The captures of a block, at least one, in whatever order they come."""
    ordered = sorted(entries, key=lambda entry: (entry.surt, entry.time, entry.record_id))
    record_ids = tuple(entry.record_id for entry in ordered)
    by_rank = sorted(range(len(ordered)), key=record_ids.__getitem__)
    ranks = np.empty(len(ordered), dtype=np.int64)
    ranks[by_rank] = np.arange(len(ordered))
    number = {surt: n for n, surt in enumerate(dict.fromkeys(entry.surt for entry in ordered))}
    document_of = {surt: document(surt) for surt in number}
    documents = {name: n for n, name in enumerate(dict.fromkeys(document_of.values()))}
    signatures = np.stack([entry.signature for entry in ordered])
    return Members(
        record_ids=record_ids,
        urls=np.array([number[entry.surt] for entry in ordered], dtype=np.int64),
        documents=np.array([documents[document_of[e.surt]] for e in ordered], dtype=np.int64),
        times=np.array([entry.time for entry in ordered], dtype=np.int64),
        texts=np.array([entry.text for entry in ordered], dtype=np.int64),
        ranks=ranks,
        alike=_alike(signatures),
        permutations=signatures.shape[1],
    )


def _alike(signatures: Hashes) -> NDArray[np.unsignedinteger]:
    """Number of values that each signature shares with each, in their places, shape (n, n).

    Captures meet in many buckets, nearly the same ones again and again: to compare all with all,
    column by column, costs less than to compare those that meet as often as they do.
    """
    count, permutations = signatures.shape
    # The values of each place numbered from 0 on: fewer bytes to compare than the values have.
    place = np.arange(permutations, dtype=np.uint64)[:, None] << np.uint64(32)
    numbers = first_numbers((place | signatures.T).ravel())[0].reshape(permutations, count)
    columns = (numbers - numbers[:, :1]).astype(np.min_scalar_type(count))
    alike = np.zeros((count, count), dtype=np.min_scalar_type(permutations))
    for start in range(0, count, ROWS):
        rows = slice(start, start + ROWS)
        part = np.zeros_like(alike[rows, start:])
        for column in columns:
            part += (column[rows, None] == column[start:]).view(np.uint8)
        alike[rows, start:] = part
        alike[start:, rows] = part.T
    return alike


def order(columns: Iterable[tuple[NDArray[np.int64], int]]) -> NDArray[np.int64]:
    """The rows in order of their columns, the first column first; equal rows stay as they are.

    A column is given with a bound: its values are at least -1 and below the bound. As many columns
    as fit go into one key, which costs less than a key each.
    """
    keys: list[NDArray[np.int64]] = []
    room = 0
    for values, bound in columns:
        bits = bound.bit_length()
        if bits > room:
            keys.append(values + 1)
            room = WIDTH - bits
        else:
            keys[-1] = (keys[-1] << bits) | (values + 1)
            room -= bits
    return np.lexsort(keys[::-1])
