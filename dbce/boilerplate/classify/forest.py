"""The elements of many pages as one forest: what is asked of each is asked of all at once.

Pages of a template repeat themselves. What depends on nothing but the way from the root to an
element is worked out once for each distinct way, its path.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from dbce.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Ints
    from dbce.model import Page

    Columns = tuple[Sequence[Any], ...]

LEVELS = (0, 1, 2, 3, 5)
"""Ancestors of a line's holder whose sums are features: itself, its parent, ..."""


@dataclass(frozen=True, slots=True, eq=False)
class Paths:
    """Ways from the root, each as its last step and the number of the path above it, -1 for a root.

    Each comes after the one above it.
    """

    above: Ints
    tags: list[str]
    classes: list[str]
    ids: list[str]
    roles: list[str]
    hides: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.tags)


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Elements of several pages, page after page, each page in document order.

    Page i has the elements from `starts[i]` to `starts[i + 1]`. Arrays of shape (elements,): a
    root is its own parent; `path` is a place in `paths`. `tags` are the different tags of the paths, and `tag` the
    place of that of each path there; `levels` are the paths of each depth, from below the roots on.
    """

    starts: Ints
    parents: Ints
    depth: Ints
    path: Ints
    paths: Paths
    tag: Ints
    tags: tuple[str, ...]
    levels: tuple[Ints, ...]


def plant(pages: Sequence[Page]) -> Forest:
    """The forest of some pages."""
    starts = offsets(len(page.tags) for page in pages)
    above = flat(page.parents for page in pages)
    parents = np.where(above < 0, 0, above) + np.repeat(starts[:-1], np.diff(starts))
    path, depth, paths = _numbered(pages, int(starts[-1]))
    tags: dict[str, int] = {}
    tag = np.array([tags.setdefault(each, len(tags)) for each in paths.tags])
    order = np.argsort(depth, kind="stable")
    levels = np.split(order, np.cumsum(np.bincount(depth))[:-1])[1:]
    return Forest(starts, parents, depth[path], path, paths, tag, tuple(tags), tuple(levels))


def _numbered(pages: Sequence[Page], elements: int) -> tuple[Ints, Ints, Paths]:
    """(the path of every element of all pages, the depth of every path, the paths), as they are met first."""
    columns = [
        (page.tags, page.classes, page.ids, page.roles, page.hidden, page.parents) for page in pages
    ]
    if (compiled := kernel()) is None:
        path, of_paths = _numbered_one_by_one(columns)
    else:
        path = np.empty(elements, np.int64)
        of_paths = compiled.number_paths(columns, path)
    above, depth, tags, classes, ids, roles, hides = of_paths
    paths = Paths(np.array(above), tags, classes, ids, roles, np.array(hides))
    return path, np.array(depth), paths


def _numbered_one_by_one(pages: Iterable[Columns]) -> tuple[Ints, tuple[list[Any], ...]]:
    """The same where nothing is compiled: paths of all elements, and columns of the different paths."""
    numbers: dict[tuple[Any, ...], int] = {}
    depths: list[int] = []
    of_all: list[int] = []
    for *columns, parents in pages:
        own_numbers: list[int] = []
        for *step, parent in zip(*columns, parents, strict=True):
            above = own_numbers[parent] if parent >= 0 else -1
            number = numbers.setdefault((above, *step), len(numbers))
            if number == len(depths):
                depths.append(depths[above] + 1 if above >= 0 else 0)
            own_numbers.append(number)
        of_all += own_numbers
    above, *steps = map(list, zip(*numbers, strict=True))
    return np.array(of_all), (above, depths, *steps)


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
    of_paths = own.astype(np.int64)
    for level in forest.levels:
        of_paths[level] |= of_paths[forest.paths.above[level]]
    return of_paths


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
