"""Hashed tokens of many lines, laid out for sums over them: many lines of a page have the same ones."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from dbce.boilerplate.classify.arrays import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """What different lines have, each once, in a row.

    `row` is which one each line has, shape (lines,); `token` are the tokens of all, one after another,
    and `owner` which one each is of, both of shape (tokens,); there are `count` of them.
    """

    row: Ints
    token: Ints
    owner: Ints
    count: int

    def sums(self, values: ArrayLike) -> NDArray[np.float64]:
        """For each line the sum of what its tokens have, given for each of `token`."""
        return np.asarray(np.bincount(self.owner, values, self.count)[self.row], np.float64)


def distinct(of_lines: Iterable[tuple[int, ...]]) -> Tokens:
    """The tokens of lines."""
    numbers: dict[tuple[int, ...], int] = {}
    row = [numbers.setdefault(one, len(numbers)) for one in of_lines]
    sizes = [len(one) for one in numbers]
    return Tokens(
        row=np.array(row, dtype=np.int64),
        token=np.fromiter(chain.from_iterable(numbers), np.int64),
        owner=np.repeat(np.arange(len(numbers)), sizes),
        count=len(numbers),
    )
