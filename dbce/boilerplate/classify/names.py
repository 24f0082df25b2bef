"""Class and id names around a line, as hashed tokens.

Names like "comment" or "sidebar" recur on the web. None is listed here: a model learns a weight for
each hash, and only for those that occur on several sites (dbce.train).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.forest import Forest, Path
    from dbce.boilerplate.classify.lines import Lines
    from dbce.boilerplate.classify.tokens import Tokens

NAME_SLOTS = 16384
"""Number of hashes: the lower half for names anywhere above a line, the upper half for near ones."""

NEAR_SLOTS = NAME_SLOTS // 2
"""The first hash of the upper half."""

SCORES = ("names", "names_near", "names_beside_prose")
"""Features that the names around a line give."""

NEAR = 3
"""So many elements up from the line, its names count once more, as near ones."""

_CAMEL = re.compile(r"([a-z])([A-Z])")
_LETTERS = re.compile(rb"[a-z]{2,}")


def name_tokens(forest: Forest, lines: Lines) -> list[tuple[int, ...]]:
    """The hashes of the name parts of the elements around each line, sorted."""
    paths = forest.path[lines.holder].tolist()
    around: dict[int, frozenset[int]] = {-1: frozenset()}
    own: dict[int, frozenset[int]] = {}
    for number in _with_those_above(forest.paths, set(paths)):
        path = forest.paths[number]
        own_name = path.tag if "-" in path.tag else ""
        parts = own[number] = _parts(f"{path.classes} {path.id} {path.roles} {own_name}")
        above = around[path.above]
        around[number] = above if parts <= above else above | parts
    of_path = {}
    for path in set(paths):
        near = frozenset().union(*_nearest(forest.paths, own, path))
        of_path[path] = (*sorted(around[path]), *[NEAR_SLOTS + hash_ for hash_ in sorted(near)])
    return [of_path[path] for path in paths]


def _with_those_above(paths: Sequence[Path], numbers: set[int]) -> list[int]:
    """The numbers of some paths and of all paths above them, in order: those above come first."""
    numbers_above: set[int] = set()
    for number in numbers:
        while number >= 0 and number not in numbers_above:
            numbers_above.add(number)
            number = paths[number].above  # noqa: PLW2901 - a climb
    return sorted(numbers_above)


def _nearest(
    paths: Sequence[Path], own: Mapping[int, frozenset[int]], number: int
) -> Iterator[frozenset[int]]:
    for _ in range(NEAR):
        if number >= 0:
            yield own[number]
            number = paths[number].above


@lru_cache(maxsize=5_000)  # a larger one knew hardly more of what a run meets again
def _parts(names: str) -> frozenset[int]:
    """The hashes of the parts of some names: "commentList" has two."""
    lower = names.lower()
    if lower != names:
        lower = _CAMEL.sub(r"\1 \2", names).lower()
    parts = _LETTERS.findall(lower.encode("utf-8", "replace"))
    return frozenset([crc32(part) % NEAR_SLOTS for part in parts])


def name_scores(
    tokens: Tokens,
    weights: Floats,
    prose: Floats,
    starts: Sequence[int] | Ints = (0,),
) -> Floats:
    """Scores of the names around each line, higher for content, shape (lines, len(SCORES)).

    The columns: the sum of all weights; that of near names; and the first, less its mean over the
    page's prose, since sites differ in how they name what is around everything. `prose` is how much
    prose each line is; pages begin at the lines `starts`.
    """
    weight = weights[tokens.token]
    score = tokens.sums(weight)
    score_near = tokens.sums(weight * (tokens.token >= NEAR_SLOTS))
    page = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(score)))
    total = np.bincount(page, prose)
    usual = np.bincount(page, score * prose) / np.where(total > 0, total, 1)
    return np.column_stack([score, score_near, score - usual[page]]).astype(np.float32)
