"""Boosted trees as plain arrays: stored without pickle, loaded without running anything.

scikit-learn grows them. What it grew is copied into arrays, which say all there is to a prediction.
Compiled code of its own walks them where it can be had (it is no public part of scikit-learn);
otherwise numpy does, with the same result, more slowly.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import pairwise
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray
    from sklearn.ensemble import HistGradientBoostingClassifier

    from dbce.boilerplate.classify.arrays import Floats

    Walk = Callable[[Floats], NDArray[np.float64]]

ROWS = 1024
"""So many rows are walked at a time: what they hold stays in the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """All nodes of all trees, tree by tree; children are numbered within their tree.

    Tree i holds the nodes from `starts[i]` to `starts[i + 1]`. A node sends a row to `left` if its
    `feature` is at most `threshold`, or missing (NaN) and `missing_left`; a leaf has feature -1 and
    adds its `value` to the raw score (log-odds), which begins at `baseline`.
    """

    starts: NDArray[np.int32]
    feature: NDArray[np.int16]
    threshold: NDArray[np.float32]
    missing_left: NDArray[np.bool_]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float32]
    baseline: NDArray[np.float64]


def from_sklearn(classifier: HistGradientBoostingClassifier) -> Trees:
    """The trees of a fitted classifier of two classes."""
    nodes = [of_class[0].nodes for of_class in classifier._predictors]  # noqa: SLF001 - no public way
    all_nodes = np.concatenate(nodes)
    leaf = all_nodes["is_leaf"].astype(np.bool_)
    return Trees(
        starts=np.cumsum([0, *map(len, nodes)]).astype(np.int32),
        feature=np.where(leaf, -1, all_nodes["feature_idx"]).astype(np.int16),
        # Rounded down, so that a float32 value at most the threshold stays so.
        threshold=_rounded_down(all_nodes["num_threshold"]),
        missing_left=all_nodes["missing_go_to_left"].astype(np.bool_),
        left=all_nodes["left"].astype(np.int32),
        right=all_nodes["right"].astype(np.int32),
        value=all_nodes["value"].astype(np.float32),
        baseline=np.asarray(classifier._baseline_prediction, dtype=np.float64).ravel(),  # noqa: SLF001
    )


def _rounded_down(values: NDArray[np.float64]) -> NDArray[np.float32]:
    rounded = values.astype(np.float32)
    above = rounded.astype(np.float64) > values
    return np.where(above, np.nextafter(rounded, np.float32(-np.inf)), rounded)


def arrays(trees: Trees) -> dict[str, Any]:
    """The arrays by name, as they are stored."""
    return {field.name: getattr(trees, field.name) for field in fields(trees)}


def check(trees: Trees, features: int) -> None:
    """Makes sure that a walk reads only what is there and ends: children come after their parents.

    Raises:
        ValueError: it would not.
    """
    if not (_has_its_shapes(trees) and _leads_on(trees, features)):
        raise ValueError("its trees are not what they must be")


def _has_its_shapes(trees: Trees) -> bool:
    kinds = {name: (values.dtype, values.shape) for name, values in arrays(trees).items()}
    nodes, ends = (trees.feature.size,), (0, trees.feature.size)
    return (
        kinds
        == {
            "starts": (np.int32, (trees.starts.size,)),
            "feature": (np.int16, nodes),
            "threshold": (np.float32, nodes),
            "missing_left": (np.bool_, nodes),
            "left": (np.int32, nodes),
            "right": (np.int32, nodes),
            "value": (np.float32, nodes),
            "baseline": (np.float64, (1,)),
        }
        and (*trees.starts[:1], *trees.starts[-1:]) == ends
    )


def _leads_on(trees: Trees, features: int) -> bool:
    sizes = np.diff(trees.starts)
    if (sizes < 1).any() or (trees.feature >= features).any():
        return False
    inner = trees.feature >= 0
    own = (np.arange(len(inner)) - np.repeat(trees.starts[:-1], sizes))[inner]
    last = np.repeat(sizes, sizes)[inner]
    children = np.stack([trees.left[inner], trees.right[inner]])
    return bool(((children > own) & (children < last)).all())


def raw_scores(trees: Trees, matrix: Floats) -> NDArray[np.float64]:
    """The log-odds of every row, before calibration; `matrix` is float32, shape (rows, features)."""
    return _walk(trees)(matrix)


@lru_cache(maxsize=8)
def _walk(trees: Trees) -> Walk:
    return _compiled(trees) or _interpreted(trees)


def _compiled(trees: Trees) -> Walk | None:
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
