"""Things of which a page has many alike: cards, rows, entries, posts.

A list of them may be what the page is for, or stand around it. Alike are elements that the same path
of tags, classes and ids leads to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify.forest import with_all_below

if TYPE_CHECKING:
    from dbce.boilerplate.classify.arrays import Floats
    from dbce.boilerplate.classify.forest import Forest
    from dbce.boilerplate.classify.lines import Lines

LEVELS = (0, 1, 2, 3, 5)
"""Ancestors of a line's holder that may be such a thing: itself, its parent, ..."""


def item_features(forest: Forest, lines: Lines) -> dict[str, Floats]:
    """Features of the things alike that each line is part of, by name.

    At each level: how many there are on the page, which share of its words they hold, how many words
    one of them has, and which share of them comes before this one.
    """
    page = lines.page
    elements = len(forest.parents)
    of_page = np.repeat(np.arange(len(forest.starts) - 1), np.diff(forest.starts))
    _, kind = np.unique(forest.path + of_page * len(forest.paths), return_inverse=True)
    own = np.bincount(lines.holder, lines.words, elements)
    (words,) = with_all_below(forest, own[np.newaxis].astype(np.float64))
    count, together = np.bincount(kind), np.bincount(kind, words)
    page_words = words[forest.starts[page]]
    order = np.argsort(kind, kind="stable")
    before = np.empty(elements, np.int64)
    before[order] = np.arange(elements) - np.repeat(np.cumsum(count) - count, count)
    found = {}
    element = lines.holder
    for level in range(max(LEVELS) + 1):
        if level in LEVELS:
            which = kind[element]
            found[f"up{level}_alike"] = count[which]
            found[f"up{level}_alike_share"] = together[which] / page_words
            found[f"up{level}_alike_words"] = together[which] / count[which]
            found[f"up{level}_alike_before"] = before[element] / count[which]
        element = forest.parents[element]
    return {name: values.astype(np.float32) for name, values in found.items()}
