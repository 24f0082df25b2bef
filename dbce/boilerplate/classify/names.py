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

from dbce.boilerplate.classify.tokens import Tokens, of_sets
from dbce.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.forest import Forest
    from dbce.boilerplate.classify.lines import Lines

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


def name_tokens(forest: Forest, lines: Lines) -> Tokens:
    """The hashes of the name parts of the elements around each line, sorted."""
    wanted, row = np.unique(forest.path[lines.holder], return_inverse=True)
    paths = forest.paths
    columns = [paths.classes, paths.ids, paths.roles]
    if any("-" in tag for tag in forest.tags):
        columns.append([tag if "-" in tag else "" for tag in paths.tags])
    hashed = _hashed_in_c(columns, paths.above, wanted)
    if hashed is None:
        return of_sets(_hashed(columns, paths.above.tolist(), wanted.tolist()), row)
    return Tokens(row, *hashed, len(wanted))


def _hashed_in_c(columns: list[list[str]], above: Ints, wanted: Ints) -> tuple[Ints, Ints] | None:
    """(the hashes of all wanted paths, the place of the path of each); None where Python has to hash them."""
    if (compiled := kernel()) is None:
        return None
    sizes = np.empty(len(wanted), np.int64)
    try:
        hashes = compiled.hash_names(columns, above, wanted, NEAR, sizes)
    except UnicodeEncodeError:  # half a surrogate pair
        return None
    token = np.frombuffer(hashes, np.int32).astype(np.int64)
    return token, np.repeat(np.arange(len(wanted)), sizes)


def _hashed(
    columns: Sequence[Sequence[str]], above: Sequence[int], wanted: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """The same of each wanted path in Python."""
    around: dict[int, frozenset[int]] = {-1: frozenset()}
    own: dict[int, frozenset[int]] = {}
    for path in _with_those_above(above, wanted):
        parts = own[path] = _parts(" ".join([column[path] for column in columns]))
        higher = around[above[path]]
        around[path] = higher if parts <= higher else higher | parts
    for path in wanted:
        near = frozenset().union(*_nearest(above, own, path))
        yield (*sorted(around[path]), *[NEAR_SLOTS + hash_ for hash_ in sorted(near)])


def _with_those_above(above: Sequence[int], paths: Iterable[int]) -> list[int]:
    """Some paths and all above them, in order: those above come first."""
    with_those: set[int] = set()
    for path in paths:
        while path >= 0 and path not in with_those:
            with_those.add(path)
            path = above[path]  # noqa: PLW2901 - a climb
    return sorted(with_those)


def _nearest(
    above: Sequence[int], own: Mapping[int, frozenset[int]], path: int
) -> Iterator[frozenset[int]]:
    for _ in range(NEAR):
        if path >= 0:
            yield own[path]
            path = above[path]


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
