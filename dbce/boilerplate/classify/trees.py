"""Boosted trees as plain arrays: stored without pickle, loaded without running anything.

scikit-learn grows them. What it grew is copied into arrays, which say all there is to a prediction;
dbce.boilerplate.classify.walks makes it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sklearn.ensemble import HistGradientBoostingClassifier


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
    """Makes sure that a walk reads only what is there and ends, and that all walks go the same way.

    Children come after their parents, and thresholds are numbers.

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
    if np.isnan(trees.threshold[inner]).any():
        return False
    own = (np.arange(len(inner)) - np.repeat(trees.starts[:-1], sizes))[inner]
    last = np.repeat(sizes, sizes)[inner]
    children = np.stack([trees.left[inner], trees.right[inner]])
    return bool(((children > own) & (children < last)).all())
