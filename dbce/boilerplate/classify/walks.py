"""From the root of every tree to a leaf: the scores of lines.

Three walks give the same scores, to the last bit. Ours is compiled where a compiler was when dbce was
installed (docs/adr/0017-one-compiled-part.md). Without it that of scikit-learn's older boosted trees does
it as fast, but is no public part of it and takes a second to import; and without that numpy.
"""

from __future__ import annotations

import os
from functools import lru_cache
from itertools import pairwise
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats
    from dbce.boilerplate.classify.trees import Trees

    Walk = Callable[[Floats], NDArray[np.float64]]

SWITCH = "DBCE_COMPILED"
"""Environment variable; `no` has dbce do without its compiled part."""

ROWS = 1024
"""So many rows are walked at a time: what they hold stays in the processor's cache."""

NODE = np.dtype(
    [
        ("threshold", np.float32),
        ("feature", np.int32),
        ("missing_left", np.int32),
        ("children", np.int32, 2),
    ]
)
"""A node as the compiled walk reads it: children right and left; those of a leaf are itself."""


def raw_scores(trees: Trees, matrix: Floats) -> NDArray[np.float64]:
    """The log-odds of every row, before calibration; `matrix` is float32, shape (rows, features).

    The trees are sound (`check`): compiled code does not look whether what they name is there.
    """
    return _walk(trees)(matrix)


@lru_cache(maxsize=8)
def _walk(trees: Trees) -> Walk:
    return _compiled(trees) or _by_sklearn(trees) or _interpreted(trees)


def _compiled(trees: Trees) -> Walk | None:
    if os.environ.get(SWITCH) == "no":
        return None
    try:
        from dbce.boilerplate.classify.walk import add_leaves
    except ImportError:
        return None
    leaf = trees.feature < 0
    own = np.arange(len(leaf)) - np.repeat(trees.starts[:-1], np.diff(trees.starts))
    nodes = np.zeros(len(leaf), dtype=NODE)
    nodes["threshold"] = trees.threshold
    nodes["feature"] = np.where(leaf, 0, trees.feature)
    nodes["missing_left"] = trees.missing_left
    nodes["children"][:, 0] = np.where(leaf, own, trees.right)
    nodes["children"][:, 1] = np.where(leaf, own, trees.left)
    packed = nodes.view(np.uint8)
    values = trees.value.astype(np.float64)

    def walk(matrix: Floats) -> NDArray[np.float64]:
        score = np.full(len(matrix), trees.baseline[0])
        add_leaves(np.ascontiguousarray(matrix), trees.starts, packed, values, score)
        return score

    return walk


def _by_sklearn(trees: Trees) -> Walk | None:
    """The walk of scikit-learn's older boosted trees: all trees in one call, without a test for NaN.

    NaN is at most nothing, so it goes right. A node that sends it left looks at a copy of its
    feature in which it is less than all.
    """
    try:
        from sklearn.ensemble._gradient_boosting import predict_stages
        from sklearn.tree._tree import NODE_DTYPE, Tree
    except ImportError:
        return None
    nodes = _as_nodes(trees, NODE_DTYPE)
    if nodes is None:
        return None
    values = trees.value.astype(np.float64).reshape(-1, 1, 1)
    width = 2 * int(trees.feature.max(initial=0)) + 2
    stages = []
    for start, end in pairwise(trees.starts.tolist()):
        tree = Tree(width, np.ones(1, dtype=np.intp), 1)
        own = {"nodes": nodes[start:end], "values": values[start:end]}
        tree.__setstate__({"max_depth": end - start, "node_count": end - start, **own})
        stages.append(SimpleNamespace(tree_=tree))
    one_a_stage = np.array(stages, dtype=np.object_).reshape(-1, 1)

    def walk(matrix: Floats) -> NDArray[np.float64]:
        score = np.full((len(matrix), 1), trees.baseline[0])
        for start in range(0, len(matrix), ROWS):
            rows = np.repeat(matrix[start : start + ROWS], 2, axis=1)
            copies = rows[:, 1::2]
            copies[np.isnan(copies)] = -np.inf
            predict_stages(one_a_stage, rows, 1.0, score[start : start + ROWS])
        return score[:, 0]

    return walk


def _as_nodes(trees: Trees, kind: np.dtype[np.void]) -> NDArray[np.void] | None:
    """The nodes as scikit-learn keeps them, each feature beside its copy; None if it has changed."""
    leaf = trees.feature < 0
    columns: Mapping[str, NDArray[np.generic]] = {
        "left_child": np.where(leaf, -1, trees.left),
        "right_child": np.where(leaf, -1, trees.right),
        "feature": 2 * trees.feature + trees.missing_left,
        "threshold": trees.threshold,
    }
    if not columns.keys() <= set(kind.names or ()):
        return None
    nodes = np.zeros(len(leaf), dtype=kind)
    for name, column in columns.items():
        nodes[name] = column
    return nodes


def _interpreted(trees: Trees) -> Walk:
    def walk(matrix: Floats) -> NDArray[np.float64]:
        score = np.full(len(matrix), trees.baseline[0])
        for start in trees.starts[:-1].tolist():
            score += _walk_one(trees, start, matrix)
        return score

    return walk


def _walk_one(trees: Trees, start: int, matrix: Floats) -> Floats:
    node = np.full(len(matrix), start)
    rows = np.arange(len(matrix))
    while len(rows):
        at = node[rows]
        feature = trees.feature[at]
        inner = feature >= 0
        rows, at, feature = rows[inner], at[inner], feature[inner]
        value = matrix[rows, feature]
        missing = np.isnan(value)
        left = np.where(missing, trees.missing_left[at], value <= trees.threshold[at])
        node[rows] = start + np.where(left, trees.left[at], trees.right[at])
    values: Floats = trees.value[node]
    return values
