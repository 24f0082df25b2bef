"""Texts that are the same: a digest of all that is said, and a signature by which nearly the same ones are found.

Both are made of the main text by a recipe that never changes (docs/formats.md), so that those of different runs can be compared.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.signature.minhash import bands_and_rows, minima, stored_permutations
from dbce.model import folded, shingles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from dbce.model import Hashes

PERMUTATIONS = 64
"""Values of a signature: 256 bytes, and a standard error of the similarity of .06 at most."""

_AT_ONCE = 1 << 14
"""Shingles that are permuted at once: 4 MB."""


def text_digest(text: str) -> str | None:
    """Return the SHA-256 of a text as texts are compared, None of one without anything to be seen.

    White space, capitals, and forms of quotation marks, dashes and letters (NFKC) make no difference.
    """
    key = "".join(folded(text).split())
    if not key:
        return None
    return f"sha256:{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}"


def text_signature(text: str) -> bytes | None:
    """Return the MinHash of the shingles of a text, 64 numbers of 32 bits, little end first; None of one without words."""
    hashes = shingles(text)
    if not len(hashes):
        return None
    parts = [
        minima(hashes[start : start + _AT_ONCE], _permutations())
        for start in range(0, len(hashes), _AT_ONCE)
    ]
    least: Hashes = np.minimum.reduce(parts)
    return least.astype("<u4").tobytes()


@cache
def _permutations() -> NDArray[np.uint32]:
    """The first of those that are stored, whatever a run's own settings are."""
    return stored_permutations()[0][:, :PERMUTATIONS]


def text_bands(signature: bytes, threshold: float) -> Iterator[tuple[int, bytes]]:
    """Yield (band number, key) of a signature; texts of at least that similarity share one with a chance of 95 %."""
    count, rows = bands_and_rows(threshold, PERMUTATIONS)
    width = 4 * rows
    for band in range(count):
        yield band, signature[band * width : (band + 1) * width]


def text_similarity(one: str, other: str) -> float:
    """Return the Jaccard similarity of the shingles of two texts, 0 to 1."""
    a, b = shingles(one), shingles(other)
    shared = len(np.intersect1d(a, b, assume_unique=True))
    return shared / max(1, len(a) + len(b) - shared)
