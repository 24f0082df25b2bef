"""The elements of many pages as one forest: what is asked of each is asked of all at once.

Pages of a template repeat themselves. What depends on nothing but the way from the root to an
element is worked out once for each distinct way, its path.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Ints
    from dbce.model import Page


LEVELS = (0, 1, 2, 3, 5)
"""Ancestors of a line's holder whose sums are features: itself, its parent, ..."""


class Path(NamedTuple):
    """The last step of a way from the root, and the number of the path above it, -1 for a root."""

    above: int
    tag: str
    classes: str
    id: str
    roles: str
    hides: bool


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Elements of several pages, page after page, each page in document order.

    Page i has the elements from `starts[i]` to `starts[i + 1]`. Arrays of shape (elements,): a
    root is its own parent; `path` is a place in `paths`, where each comes after the one above it.
    `tags` are the different tags of the paths, and `tag` the place of that of each path there.
    """

    starts: Ints
    parents: Ints
    depth: Ints
    path: Ints
    paths: tuple[Path, ...]
    tag: Ints
    tags: tuple[str, ...]


def plant(pages: Sequence[Page]) -> Forest:
    """The forest of some pages."""
    starts = offsets(len(page.tags) for page in pages)
    above = flat(page.parents for page in pages)
    parents = np.where(above < 0, 0, above) + np.repeat(starts[:-1], np.diff(starts))
    numbers: dict[tuple[int, str, str, str, str, bool], int] = {}
    path = flat(_number(page, numbers) for page in pages)
    paths = tuple(map(Path._make, numbers))
    depths: list[int] = []
    for step in paths:
        depths.append(depths[step.above] + 1 if step.above >= 0 else 0)
    tags: dict[str, int] = {}
    tag = np.array([tags.setdefault(step.tag, len(tags)) for step in paths])
    depth = np.array(depths, np.int64)[path]
    return Forest(starts, parents, depth, path, paths, tag, tuple(tags))


def _number(page: Page, numbers: dict[tuple[int, str, str, str, str, bool], int]) -> list[int]:
    """The number of the path of every element; paths not seen before get the next one."""
    own_numbers: list[int] = []
    columns = zip(
        page.parents, page.tags, page.classes, page.ids, page.roles, page.hidden, strict=True
    )
    for parent, tag, classes, id_, roles, hides in columns:
        key = (own_numbers[parent] if parent >= 0 else -1, tag, classes, id_, roles, hides)
        own_numbers.append(numbers.setdefault(key, len(numbers)))
    return own_numbers


def offsets(sizes: Iterable[int]) -> Ints:
    """The places where things of these sizes begin when they stand in a row, and the end of the last."""
    return np.cumsum([0, *sizes], dtype=np.int64)


def flat(columns: Iterable[Iterable[int]]) -> Ints:
    """Whole numbers of several pages as one array."""
    return np.fromiter(chain.from_iterable(columns), np.int64)


def by_tag(forest: Forest, of: Callable[[str], int]) -> Ints:
    """The value of a function of the tag of each path's last step; it is called once a tag."""
    return np.array([of(tag) for tag in forest.tags])[forest.tag]


def inherited(forest: Forest, own: Ints) -> Ints:
    """The flags that each path or one above it has; `own` are those of its last step."""
    of_paths: list[int] = []
    for path, flags in zip(forest.paths, own.tolist(), strict=True):
        of_paths.append(flags | of_paths[path.above] if path.above >= 0 else flags)
    return np.array(of_paths, dtype=np.int64)


def nearest(forest: Forest, elements: Ints, wanted: NDArray[np.bool_]) -> Ints:
    """The nearest wanted element of each of some elements, itself included; every root is wanted."""
    climbed = elements.copy()
    searching = np.flatnonzero(~wanted[climbed])
    while len(searching):
        climbed[searching] = forest.parents[climbed[searching]]
        searching = searching[~wanted[climbed[searching]]]
    return climbed


def with_all_below(forest: Forest, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of values, shape (columns, elements), over each element and all below it."""
    sums = values.copy()
    # Level by level from the deepest. In document order the children of one parent follow each
    # other on their level.
    order = np.argsort(forest.depth, kind="stable")
    levels = np.searchsorted(forest.depth[order], np.arange(forest.depth.max() + 2))
    for start, end in reversed([*pairwise(levels.tolist())][1:]):
        level = order[start:end]
        parents = forest.parents[level]
        first = np.flatnonzero(np.diff(parents, prepend=-1))
        sums[:, parents[first]] += np.add.reduceat(sums[:, level], first, axis=1)
    return sums
