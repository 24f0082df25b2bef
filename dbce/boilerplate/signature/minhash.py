"""MinHash signatures of template tokens, and their bands."""

from __future__ import annotations

from copy import copy
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.signature.tokens import RECIPES
from dbce.model import hash_strings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from datasketch import MinHash

    from dbce.model import Hashes, Page

SCHEME = "affine32"
"""datasketch's permutation scheme. Pinned: its default changed with version 2."""

RECALL = 0.95
"""Two pages whose similarity is just the threshold meet in a bucket with this probability."""


@cache
def _empty(num_perm: int, seed: int) -> MinHash:
    from datasketch import MinHash  # imports SciPy, and half of all commands sign nothing

    # Making the permutations is the expensive part of a MinHash; a shallow copy shares them, and an
    # update gives it values of its own. The tokens come as hashes already: nothing is left to hash.
    return MinHash(num_perm=num_perm, seed=seed % 2**32, scheme=SCHEME, hashfunc=int)


def signature(page: Page, recipe: str, num_perm: int, seed: int) -> Hashes:
    """The page's signature: num_perm values (uint32).

    The share of equal values of two signatures estimates the Jaccard similarity of the two pages'
    token sets (Broder 1997), with a standard error of at most 0.5 / sqrt(num_perm).
    """
    minhash = copy(_empty(num_perm, seed))
    minhash.update_batch(hash_strings(list(RECIPES[recipe](page))).tolist())
    return np.asarray(minhash.hashvalues, dtype=np.uint32)


@cache
def bands_and_rows(threshold: float, num_perm: int) -> tuple[int, int]:
    """(b, r): the most selective banding that still brings similar pages together.

    Two pages of similarity s share at least one of b bands of r rows with probability
    1 - (1 - s**r)**b (Leskovec et al., Mining of Massive Datasets, section 3.4). Taken is the
    largest r for which that is at least RECALL at the threshold.
    """
    for rows in range(num_perm, 1, -1):
        bands = num_perm // rows
        if 1 - (1 - threshold**rows) ** bands >= RECALL:
            return bands, rows
    return num_perm, 1


def bands(values: Hashes, threshold: float) -> Iterator[tuple[int, bytes]]:
    """(band number, key) of each band; pages with an equal pair are in one bucket."""
    count, rows = bands_and_rows(threshold, len(values))
    for band in range(count):
        yield band, values[band * rows : (band + 1) * rows].tobytes()
