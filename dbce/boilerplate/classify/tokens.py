"""Hashed tokens of many lines, laid out for sums over them, and the part of them that a model knows.

Many lines of a page have the same tokens. Where a model has met little of a page, its names and the phrases
of its language, what it learned of these says little, and what it learned of structure, and what other
pages show, has to decide.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np

from dbce.boilerplate.classify import formulas as f
from dbce.boilerplate.classify.formulas import Axis, Formula
from dbce.boilerplate.classify.lines import Doubles, Floats, Ints, Lines
from dbce.kernel import compiled

NAMES = (0.2, 0.6)
"""Share of a page's names that have a weight: up to which nothing is known, from which on all is.

Words like "header" are anywhere. Of nine tenths of the pages of a set that nothing was learned from, more
are known than the second.
"""

PHRASES = (0.0, 0.3)
"""Shares of known phrases between which a page becomes known; low, since most phrases are rare."""


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """Sets of tokens, one after another; several lines may share a set.

    `row` is which one each line has; `token` are the tokens of all, `owner` which one each is of; there are `count`.
    """

    row: Ints
    token: Ints
    owner: Ints
    count: int

    def sums(self, weights: Floats, near: int = 0) -> Doubles:
        """Over the tokens of each line, shape (4, lines): weights, those of tokens from `near` on, tokens with a weight, and all."""
        of_sets = np.zeros((4, self.count))
        compiled.sum_weights(self.token, self.owner, weights, near, of_sets)
        return of_sets.take(self.row, axis=1)

    def line_tokens(self) -> list[tuple[int, ...]]:
        ends = np.cumsum(np.bincount(self.owner, minlength=self.count))[:-1]
        sets = [tuple(each.tolist()) for each in np.split(self.token, ends)]
        return [sets[row] for row in self.row.tolist()]


def distinct(of_lines: Iterable[tuple[int, ...]]) -> Tokens:
    numbers: dict[tuple[int, ...], int] = {}
    row = [numbers.setdefault(tokens, len(numbers)) for tokens in of_lines]
    sizes = [len(tokens) for tokens in numbers]
    return Tokens(
        row=np.array(row, dtype=np.int64),
        token=np.fromiter(chain.from_iterable(numbers), np.int64),
        owner=np.repeat(np.arange(len(sizes)), sizes),
        count=len(sizes),
    )


def familiarity(names: Doubles, phrases: Doubles, starts: Ints) -> Doubles:
    """Degree to which each page is known, 0 to 1, shape (pages,), by the sums of its lines' names and phrases."""
    degree = np.ones(len(starts))
    for (*_, known, sizes), (low, high) in ((names, NAMES), (phrases, PHRASES)):
        # The share of tokens with a weight, as the mean over the lines that have tokens.
        shares = np.add.reduceat(known / np.maximum(sizes, 1), starts)
        share = shares / np.maximum(np.add.reduceat(sizes > 0, starts), 1)
        degree *= ((share - low) / (high - low)).clip(0, 1)
    return degree


# Class and id names around a line, as hashed tokens.
#
# Names like "comment" or "sidebar" recur on the web. None is listed here: a model learns a weight
# for each hash, and only for those that occur on several sites (dbce.train).

NAME_SLOTS = 16384
"""Number of hashes: the lower half for names anywhere above a line, the upper half for near ones."""

NEAR_SLOTS = NAME_SLOTS // 2  # first hash of the upper half
SCORES = ("names", "names_near", "names_beside_prose")  # features that the names around a line give
NEAR = 3  # so many elements up from the line, its names count once more, as near ones


def name_tokens(lines: Lines) -> Tokens:
    forest = lines.forest
    paths, of_lines = forest.paths, forest.path[lines.holder]
    is_wanted = np.zeros(len(paths), np.bool_)
    is_wanted[of_lines] = True
    wanted, row = np.flatnonzero(is_wanted), (is_wanted.cumsum() - 1)[of_lines]
    columns = [paths.classes, paths.ids, paths.roles]
    if "-" in " ".join(paths.tags):
        columns.append([tag if "-" in tag else "" for tag in paths.tags])
    sizes = np.empty(len(wanted), np.int64)
    hashes = compiled.hash_names(columns, paths.above, wanted, NEAR, sizes)
    token = np.frombuffer(hashes, np.int32).astype(np.int64)
    return Tokens(row, token, np.arange(len(wanted)).repeat(sizes), len(wanted))


def name_scores(array: str) -> tuple[Formula, ...]:
    """Scores of the names around each line, by the sums in an array; higher for content.

    They are the sum of all weights; that of near names; and the first, less its mean over the page's prose, since
    sites differ in how they name what is around everything.
    """
    score, near = (f.load(array, Axis.LINES, row) for row in range(2))
    prose = f.load("prose", Axis.LINES)
    total = f.page_total(prose)
    usual = f.page_total(score * prose) / f.where(total > 0, total, 1)
    return score, near, score - usual


# Short texts that recur on the web, as hashed tokens: "Share", "Leave a reply", "Add to cart".
#
# What stands on many sites is boilerplate more often than not, as what stands on many pages of
# one site is. None is listed here: a model learns a weight for each hash that occurs on several
# sites (dbce.train), and what it has not met weighs nothing, whatever the language.

PHRASE_SLOTS = 1 << 20
"""Number of hashes: so many that a phrase hardly ever has the weight of another."""

SHORT = 120  # characters up to which all words of a line count; of a longer one the first two
MOST = 12  # words up to which all of them count
HEAD = 40  # characters in which the first two words are looked for


def phrase_tokens(lines: Lines) -> Tokens:
    count = len(lines.holder)
    token, sizes = np.empty((MOST + 2) * count, np.int64), np.empty(count, np.int64)
    limits = SHORT, MOST, HEAD, PHRASE_SLOTS
    number = compiled.hash_phrases(lines.folded, lines.bounds, limits, token, sizes)
    line = np.arange(count)
    return Tokens(line, token[:number].copy(), line.repeat(sizes), count)
