"""Hashed tokens of many lines, laid out for sums over them, and the part of them that a model knows.

Many lines of a page have the same tokens. Where a model has met little of a page, its names and the phrases
of its language, what it learned of these says little, and what it learned of structure, and what other
pages show, has to decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from dbce.boilerplate.classify.arrays import Floats, Ints


NAMES = (0.2, 0.6)
"""Share of a page's names that have a weight: up to which nothing is known, from which on all is.

Words like "header" are anywhere. Of nine tenths of the pages of a set that nothing was learned from, more
are known than the second.
"""

PHRASES = (0.0, 0.3)
"""The same of its phrases; most of any language are rare."""


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The sets of tokens that lines have, in a row; several lines may have one.

    `row` is which one each line has, shape (lines,); `token` are the tokens of all, one after another,
    and `owner` which one each is of, both of shape (tokens,); there are `count` of them.
    """

    row: Ints
    token: Ints
    owner: Ints
    count: int

    def sums(self, values: ArrayLike) -> NDArray[np.float64]:
        """The sum over the tokens of each line of a value that is given for each of `token`."""
        return np.asarray(np.bincount(self.owner, values, self.count)[self.row], np.float64)

    def of_lines(self) -> list[tuple[int, ...]]:
        """The tokens of each line."""
        ends = np.cumsum(np.bincount(self.owner, minlength=self.count))[:-1]
        sets = [tuple(each.tolist()) for each in np.split(self.token, ends)]
        return [sets[row] for row in self.row.tolist()]


def distinct(of_lines: Iterable[tuple[int, ...]]) -> Tokens:
    """The tokens of lines, each set once."""
    numbers: dict[tuple[int, ...], int] = {}
    row = [numbers.setdefault(tokens, len(numbers)) for tokens in of_lines]
    return of_sets(numbers, np.array(row, dtype=np.int64))


def of_sets(sets: Iterable[tuple[int, ...]], row: Ints) -> Tokens:
    """The tokens of lines that have these sets."""
    in_a_row = list(sets)
    sizes = [len(tokens) for tokens in in_a_row]
    return Tokens(
        row=row,
        token=np.fromiter(chain.from_iterable(in_a_row), np.int64),
        owner=np.repeat(np.arange(len(sizes)), sizes),
        count=len(sizes),
    )


def familiarity(
    names: Tokens, phrases: Tokens, weights: tuple[Floats, Floats], starts: Ints
) -> NDArray[np.float64]:
    """Degree to which each page is known, 0 to 1, shape (pages,), by the weights of names and phrases.

    The tokens are those of the lines of all pages, which begin at the lines `starts`.
    """
    of_names, of_phrases = weights
    by_names = _scaled(_share(names, of_names, starts), NAMES)
    return by_names * _scaled(_share(phrases, of_phrases, starts), PHRASES)


def _share(tokens: Tokens, weights: Floats, starts: Ints) -> NDArray[np.float64]:
    """The share of the tokens of each page that have a weight, the mean of its lines that have some."""
    sizes = tokens.sums(np.ones(len(tokens.token)))
    share = tokens.sums(weights[tokens.token] != 0) / np.maximum(sizes, 1)
    return np.add.reduceat(share, starts) / np.maximum(np.add.reduceat(sizes > 0, starts), 1)


def _scaled(share: NDArray[np.float64], of: tuple[float, float]) -> NDArray[np.float64]:
    low, high = of
    return np.clip((share - low) / (high - low), 0, 1)
