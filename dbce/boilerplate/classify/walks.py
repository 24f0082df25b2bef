"""From the root of every tree to a leaf: the scores of lines.

Two walks give the same scores, to the last bit: a compiled one, which the wheel for Linux holds and any
installation with a C compiler makes (docs/adr/0017-one-compiled-part.md), and one of numpy.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dbce.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.trees import Trees

    Walk = Callable[[Floats], NDArray[np.float64]]

ROWS = 256
"""Rows that numpy walks at a time: what is held of them in all trees stays in the processor's cache."""

LEVELS = 4
"""Levels that numpy walks before it drops the rows that have come to a leaf, which costs as much as a level."""

NODE = np.dtype(
    [
        ("threshold", np.float32),
        ("feature", np.uint16),
        ("left", np.uint16),
    ]
)
"""A node as the compiled walk reads it: 8 bytes, so that a tree is little to load. The right child stands behind the left."""

MOST = 1 << 16
"""Features, counted twice, and nodes of a tree up to which that is enough."""


def raw_scores(trees: Trees, matrix: Floats) -> NDArray[np.float64]:
    """The log-odds of every row, before calibration; `matrix` is float32, shape (rows, features).

    The trees are sound (`check`): compiled code does not look whether what they name is there.
    """
    return _walk(trees)(matrix)


@lru_cache(maxsize=8)
def _walk(trees: Trees) -> Walk:
    return _compiled(trees) or _by_numpy(trees)


def _compiled(trees: Trees) -> Walk | None:
    """The walk in C; None where it was not compiled, is not wanted, or trees are too large for it."""
    source, left, starts = _side_by_side(trees)
    width = int(trees.feature.max(initial=0)) + 1
    compiled = kernel()
    if compiled is None or 2 * width > MOST or np.diff(starts).max(initial=0) > MOST:
        return None
    is_leaf = trees.feature[source] < 0
    nodes = np.zeros(len(source), dtype=NODE)
    # A leaf leads to itself: what takes NaN for less than all is at most infinite.
    nodes["threshold"] = np.where(is_leaf, np.float32(np.inf), trees.threshold[source])
    takes_nan = is_leaf | trees.missing_left[source]
    nodes["feature"] = np.maximum(trees.feature[source], 0) + np.where(takes_nan, width, 0)
    nodes["left"] = left
    packed = nodes.view(np.uint8)
    values = trees.value.astype(np.float64)[source]

    def walk(matrix: Floats) -> NDArray[np.float64]:
        score = np.full(len(matrix), trees.baseline[0])
        compiled.add_leaves(np.ascontiguousarray(matrix), width, starts, packed, values, score)
        return score

    return walk


def _side_by_side(trees: Trees) -> tuple[Ints, Ints, NDArray[np.int32]]:
    """(the node that stands at each place, the place of its left child in its tree, where trees begin), right behind left.

    A tree begins with its root, then come the children of one inner node after another. A leaf is its own left child.
    """
    inner = trees.feature >= 0
    count = len(trees.starts) - 1
    of_tree = np.repeat(np.arange(count), np.diff(trees.starts))
    inner_nodes = np.bincount(of_tree[inner], minlength=count)
    starts = np.append(0, np.cumsum(2 * inner_nodes + 1))
    before = np.append(0, np.cumsum(inner_nodes))
    left = 1 + 2 * (np.cumsum(inner) - 1 - before[of_tree])
    place = (starts[of_tree] + left)[inner]
    source = np.zeros(starts[-1], np.int64)
    source[starts[:-1]] = trees.starts[:-1]
    source[place] = (trees.left + _roots(trees))[inner]
    source[place + 1] = (trees.right + _roots(trees))[inner]
    own = np.arange(len(source)) - np.repeat(starts[:-1], np.diff(starts))
    return source, np.where(inner[source], left[source], own), starts.astype(np.int32)


def _children(trees: Trees) -> NDArray[np.int32]:
    """The right and the left child of every node, numbered within its tree; those of a leaf are itself.

    So a walk may go on at a leaf, and need not ask at every step whether it is at one.
    """
    own = np.arange(len(trees.feature), dtype=np.int32) - _roots(trees)
    leaf = trees.feature < 0
    return np.column_stack([np.where(leaf, own, trees.right), np.where(leaf, own, trees.left)])


def _roots(trees: Trees) -> NDArray[np.int32]:
    """The root of the tree that each node is in."""
    return np.repeat(trees.starts[:-1], np.diff(trees.starts))


def _by_numpy(trees: Trees) -> Walk:
    """The walk of all rows down all trees at once, level by level.

    NaN is at most nothing, so it goes right. A node that sends it left looks at a copy of its feature in
    which it is less than all.
    """
    width = int(trees.feature.max(initial=0)) + 1
    inner = trees.feature >= 0
    column = np.maximum(trees.feature, 0) + np.where(trees.missing_left, width, 0)
    children = (_children(trees) + _roots(trees)[:, None]).astype(np.intp).ravel()
    roots = trees.starts[:-1].astype(np.intp)
    values = trees.value.astype(np.float64)

    def leaves(matrix: Floats) -> NDArray[np.intp]:
        """The leaf that each row comes to in each tree, shape (trees, rows)."""
        count = len(matrix)
        copies = np.where(np.isnan(matrix), np.float32(-np.inf), matrix)
        looked_at = np.concatenate([matrix, copies], axis=1).T.ravel()
        offset = column.astype(np.intp) * count
        node, row = np.repeat(roots, count), np.tile(np.arange(count), len(roots))
        leaf, place = node.copy(), np.arange(len(node))
        while len(place):
            for _ in range(LEVELS):
                value = looked_at.take(offset.take(node) + row)
                left = value <= trees.threshold.take(node)
                node = children.take(2 * node + left)
            leaf[place] = node
            under_way = np.flatnonzero(inner.take(node))
            node, row, place = node[under_way], row[under_way], place[under_way]
        return leaf.reshape(len(roots), count)

    def walk(matrix: Floats) -> NDArray[np.float64]:
        score = np.full(len(matrix), trees.baseline[0])
        for start in range(0, len(matrix), ROWS):
            part = matrix[start : start + ROWS, :width]
            added = np.vstack([score[start : start + ROWS], values.take(leaves(part))])
            # Tree after tree, as the compiled walk adds: `sum` would add in pairs, and round otherwise.
            score[start : start + ROWS] = np.add.accumulate(added)[-1]
        return score

    return walk
