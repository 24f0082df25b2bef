"""Boosted trees as plain arrays: stored without pickle, loaded without running anything.

scikit-learn grows them. What it grew is copied into arrays, which say all there is to a prediction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dbce.boilerplate.classify.lines import Doubles, Floats, Ints, offsets
from dbce.kernel import compiled

if TYPE_CHECKING:
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
    baseline: Doubles


KINDS = {
    **dict.fromkeys(("starts", "left", "right"), np.int32),
    **dict.fromkeys(("threshold", "value"), np.float32),
    "feature": np.int16,
    "missing_left": np.bool_,
    "baseline": np.float64,
}
"""Types of the arrays, by name."""


def from_sklearn(classifier: HistGradientBoostingClassifier) -> Trees:
    nodes = [of_class[0].nodes for of_class in classifier._predictors]  # noqa: SLF001 - no public way
    all_nodes = np.concatenate(nodes)
    leaf = all_nodes["is_leaf"].astype(np.bool_)
    columns = {
        "starts": offsets(map(len, nodes)),
        "feature": np.where(leaf, -1, all_nodes["feature_idx"]),
        # Rounded down, so that a float32 value at most the threshold stays so.
        "threshold": _rounded_down(all_nodes["num_threshold"]),
        "missing_left": all_nodes["missing_go_to_left"],
        **{name: all_nodes[name] for name in ("left", "right", "value")},
        "baseline": np.ravel(classifier._baseline_prediction),  # noqa: SLF001
    }
    return _make_trees(columns)


def _make_trees(columns: Mapping[str, ArrayLike]) -> Trees:
    return Trees(**{name: np.asarray(columns[name], kind) for name, kind in KINDS.items()})


def constant(log_odds: float) -> Trees:
    return _make_trees(dict.fromkeys(KINDS, ()) | {"starts": [0], "baseline": [log_odds]})


def _rounded_down(values: Doubles) -> NDArray[np.float32]:
    rounded = values.astype(np.float32)
    above = rounded.astype(np.float64) > values
    return np.where(above, np.nextafter(rounded, np.float32(-np.inf)), rounded)


def arrays(trees: Trees) -> dict[str, Any]:
    return {name: getattr(trees, name) for name in KINDS}


def check(trees: Trees, features: int) -> None:
    """Make sure that a walk reads only what is there and ends, and that all walks go the same way (else a ValueError)."""
    if not (_has_its_shapes(trees) and _leads_on(trees, features)):
        raise ValueError("its trees are not what they must be")


def _has_its_shapes(trees: Trees) -> bool:
    nodes = trees.feature.size
    sizes = dict.fromkeys(KINDS, nodes) | {"starts": trees.starts.size, "baseline": 1}
    kinds = {name: (values.dtype, values.shape) for name, values in arrays(trees).items()}
    return kinds == {name: (kind, (sizes[name],)) for name, kind in KINDS.items()} and (
        (*trees.starts[:1], *trees.starts[-1:]) == (0, nodes)
    )


def _leads_on(trees: Trees, features: int) -> bool:
    sizes = np.diff(trees.starts)
    if (sizes < 1).any() or (sizes > MOST).any() or features > MOST:
        return False
    if (trees.feature >= features).any():
        return False
    inner = trees.feature >= 0
    if np.isnan(np.where(inner, trees.threshold, trees.value)).any():
        return False
    places = (np.arange(len(inner)) - np.repeat(trees.starts[:-1], sizes))[inner]
    last = np.repeat(sizes, sizes)[inner]
    children = np.stack([trees.left[inner], trees.right[inner]])
    return bool(((children > places) & (children < last)).all())


# From the root of every tree to a leaf: the scores of lines.

NODE = np.dtype([("threshold", np.float32), ("feature", np.uint16), ("left", np.uint16)])
"""A node as it is walked: 8 bytes, so that a tree is little to load. The right child stands behind the left."""

BLOCK = 16  # rows that compiled code leads down a tree together (dbce/kernel/walk.pxi)

MOST = (1 << 11) - 1
"""Features, and nodes of a tree, up to which that is enough; `dbce train` makes trees of 127 nodes at most."""


def raw_scores(matrix: Floats, *forests: Trees) -> Doubles:
    """Log-odds of every row by each forest, before calibration, shape (forests, rows).

    `matrix` is float32, shape (rows, features). The trees are sound (`check`): compiled code does not look
    whether what they name is there.
    """
    scores = np.repeat([of.baseline for of in forests], len(matrix), axis=1)
    compiled.add_leaves(np.ascontiguousarray(matrix.T), *_pack(forests), scores)
    return scores


@lru_cache(maxsize=8)
def _pack(forests: tuple[Trees, ...]) -> tuple[int, Ints, Ints, NDArray[np.uint8]]:
    """(number of features, where forests begin, where trees begin, all nodes as bytes)."""
    trees = _one_forest(forests)
    source, left, starts = _side_by_side(trees)
    width = int(trees.feature.max(initial=0)) + 1
    is_leaf = trees.feature[source] < 0
    nodes = np.zeros(len(source), dtype=NODE)
    # A leaf leads to itself: what is less than all is at most its value.
    nodes["threshold"] = np.where(is_leaf, trees.value[source], trees.threshold[source])
    column = trees.feature[source] + np.where(trees.missing_left[source], width, 0)
    nodes["feature"] = BLOCK * np.where(is_leaf, 2 * width, column)
    nodes["left"] = left
    bounds = offsets(len(of.starts) - 1 for of in forests)
    return width, bounds, starts, nodes.view(np.uint8)


def _one_forest(forests: Sequence[Trees]) -> Trees:
    """The trees of all as one forest."""
    columns = {name: np.concatenate([getattr(of, name) for of in forests]) for name in KINDS}
    sizes = np.concatenate([np.diff(of.starts) for of in forests])
    return _make_trees(columns | {"starts": offsets(sizes)})


def _side_by_side(trees: Trees) -> tuple[Ints, Ints, Ints]:
    """(the node at each place, the place of its left child in its tree, where trees begin), right behind left.

    A tree begins with its root, then come the children of one inner node after another. A leaf is its own left child.
    """
    inner = trees.feature >= 0
    count = len(trees.starts) - 1
    of_tree = np.repeat(np.arange(count), np.diff(trees.starts))
    inner_nodes = np.bincount(of_tree[inner], minlength=count)
    starts = offsets(2 * inner_nodes + 1)
    before = offsets(inner_nodes)
    left = 1 + 2 * (np.cumsum(inner) - 1 - before[of_tree])
    place = (starts[of_tree] + left)[inner]
    source = np.zeros(starts[-1], np.int64)
    source[starts[:-1]] = trees.starts[:-1]
    roots = trees.starts[of_tree]
    source[place] = (trees.left + roots)[inner]
    source[place + 1] = (trees.right + roots)[inner]
    leaves = np.arange(len(source)) - np.repeat(starts[:-1], np.diff(starts))
    return source, np.where(inner[source], left[source], leaves), starts


# Log-odds as probabilities, as SciPy gives them to the last bit.
#
# SciPy takes a third of a second to import. The exponential is that of the C library, as SciPy's
# is: numpy's own differs in the last bit from one processor to another.


def expit(log_odds: Doubles) -> Doubles:
    """Probability of each log-odds: 1 / (1 + exp(-x))."""
    chances = np.empty(len(log_odds))
    compiled.expit(np.ascontiguousarray(log_odds), chances)
    return chances


def log_expit(log_odds: Doubles) -> Doubles:
    logarithms = np.empty(len(log_odds))
    compiled.log_expit(np.ascontiguousarray(log_odds), logarithms)
    return logarithms
