"""How much of what is around a line other pages have too.

A menu repeats and stands among what repeats; an entry of a glossary that is on eight pages stands
among others that are not. And where nearly all of a page repeats, repeating says little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dbce.boilerplate.classify.forest import with_all_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.forest import Forest
    from dbce.boilerplate.classify.lines import Lines

LEVELS = (0, 1, 2, 3, 5)
"""Ancestors of a line's holder: itself, its parent, ..."""

REPETITION = ("place_shared", "page_shared", "page_prose_shared", "page_own")
"""Names of the features that are not of a level."""


def repetition_features(
    forest: Forest, lines: Lines, shared: Floats, prose: Floats
) -> dict[str, Floats]:
    """Means of how widely lines are shared, weighed by words, by name; NaN on pages that nothing was compared with.

    Over the elements around the line, level by level; over all lines at its place; over the page, its
    prose, and what the page has in common with fewer than half of the others, as a share of it.
    """
    elements = len(forest.parents)
    known = ~np.isnan(shared)
    share = np.where(known, shared, 0)
    words = known * lines.words
    sums = [np.bincount(lines.holder, values, elements) for values in (share * lines.words, words)]
    above, below = with_all_below(forest, np.stack(sums).astype(np.float64))
    found: dict[str, NDArray[np.float64]] = {}
    element = lines.holder
    for level in range(max(LEVELS) + 1):
        if level in LEVELS:
            found[f"up{level}_shared"] = _ratio(above[element], below[element])
        element = forest.parents[element]
    page = lines.page
    _, place = np.unique(forest.path[lines.holder] + page * len(forest.paths), return_inverse=True)
    for name, group, weight in (
        ("place_shared", place, words),
        ("page_shared", page, words),
        ("page_prose_shared", page, known * prose),
    ):
        found[name] = _share(group, share * weight, weight)
    rare = np.where(known, shared, 1) < 1 / 2
    found["page_own"] = _share(page, words * rare, words)
    return {name: values.astype(np.float32) for name, values in found.items()}


def _share(group: Ints, part: Floats, whole: Floats) -> Any:
    """For each line the sum of `part` over its group, as a share of that of `whole`."""
    return _ratio(np.bincount(group, part), np.bincount(group, whole))[group]


def _ratio(part: Any, whole: Any) -> Any:
    return np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)
