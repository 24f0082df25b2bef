"""MinHash signatures of template tokens, and their bands."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.signature.tokens import RECIPES, path_hashes
from dbce.model import hash_strings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from dbce.model import Hashes, Page

SCHEME = "affine32"
"""datasketch's permutation scheme. Pinned: its default changed with version 2."""

FILE = "permutations.npz"
"""The default's permutations; scripts/setup/permutations.py writes them."""
RECALL = 0.95
"""Two pages whose similarity is just the threshold meet in a bucket with this probability."""


def signature(page: Page, recipe: str, num_perm: int, seed: int) -> Hashes:
    """The page's signature: num_perm values (uint32).

    The share of equal values of two signatures estimates the Jaccard similarity of the two pages'
    token sets (Broder 1997), with a standard error of at most 0.5 / sqrt(num_perm).
    """
    hashes = path_hashes(page) if recipe == "paths" else None
    if hashes is None:
        hashes = hash_strings(list(RECIPES[recipe](page)))
    return minima(hashes, permutations(num_perm, seed % 2**32))


def minima(hashes: Hashes, permuted_by: NDArray[np.uint32]) -> Hashes:
    """The least hash by each permutation, as datasketch's MinHash has it (scheme `affine32`)."""
    # The finaliser of MurmurHash3, so that the bits that the permutations leave together are unlike.
    mixed = (hashes ^ (hashes >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    mixed = (mixed ^ (mixed >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    mixed ^= mixed >> np.uint32(16)
    factors, shifts = permuted_by
    permuted = mixed[:, None] * factors + shifts  # modulo 2**32, the number of hashes
    least: Hashes = permuted.min(axis=0, initial=np.uint32(2**32 - 1))
    return least


@cache
def permutations(num_perm: int, seed: int) -> NDArray[np.uint32]:
    """Factor and shift of each permutation, as datasketch makes them: shape (2, num_perm).

    Those of the default are stored, since datasketch imports SciPy, which takes half a second.
    """
    permuted_by, its_seed = stored_permutations()
    is_stored = (num_perm, seed) == (permuted_by.shape[1], its_seed)
    return permuted_by if is_stored else made(num_perm, seed)


@cache
def stored_permutations() -> tuple[NDArray[np.uint32], int]:
    """The permutations that are stored, and their seed."""
    with (
        files("dbce.boilerplate.signature").joinpath(FILE).open("rb") as stream,
        np.load(stream, allow_pickle=False) as stored,
    ):
        return stored["permutations"], int(stored["seed"])


def made(num_perm: int, seed: int) -> NDArray[np.uint32]:
    """The same, made anew."""
    from datasketch import MinHash

    permuted_by = MinHash(num_perm=num_perm, seed=seed, scheme=SCHEME).permutations
    return np.asarray(permuted_by, dtype=np.uint32)


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
