"""Sorting by several small numbers at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

WIDTH = 63
"""Bits of a key that is never negative."""


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
