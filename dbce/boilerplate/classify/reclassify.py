"""Reclassification: a page learns from the runs that bit patterns decide (thesis, section 2.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dbce.boilerplate.classify.thesis_features import run_features
from dbce.model import CONTENT, INVALID

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.model import Hashes, Page


@dataclass(frozen=True, slots=True)
class _Recipe:
    layers: int  # groups in the feature vector: the run's own, its parent's, its grandparent's
    forest: bool = False


RECIPES = {
    "T003": _Recipe(layers=1),
    "T004": _Recipe(layers=2),
    "T005": _Recipe(layers=3),
    "T006": _Recipe(layers=3, forest=True),
}
"""The thesis' test cases that learn (section 4.2)."""

NEIGHBOURS = 5
"""Examples that k-nearest neighbours asks (thesis, listing 4.1), and the fewest to learn from."""

TREES = 10
"""Trees of the random forest (thesis, listing 4.2)."""


def run_starts(bits: NDArray[np.uint8], ends: Hashes) -> NDArray[np.int64]:
    """The first word of every text run: where a text node begins, or the bits change."""
    changes = np.diff(bits, prepend=bits[:1]) != 0
    changes[0] = True
    changes[ends[:-1]] = True
    return np.flatnonzero(changes)


def reclassified(
    page: Page,
    starts: NDArray[np.int64],
    ends: Hashes,
    labels: NDArray[np.uint8],
    *,
    method: str,
    seed: int,
) -> NDArray[np.float64] | None:
    """The probability of content of every text run, those included that were learned from.

    Above one half a run is content. None, and the pattern labels stand, where there is nothing to
    learn from: fewer than five examples, or one class only, once equal vectors of both classes are
    taken out.

    Args:
        page: the page; it has text.
        starts: the first word of every run among all words of the page.
        ends: the end of every text node among them.
        labels: of every run, by the patterns of one cross; what is not invalid is an example.
        method: one of RECIPES.
        seed: of the forest.
    """
    recipe = RECIPES[method]
    features = run_features(page, starts, ends, recipe.layers)
    examples = _examples(features, labels)
    kinds = np.unique(labels[examples])
    if len(kinds) < 2 or len(examples) < NEIGHBOURS:
        return None
    model = _forest(seed) if recipe.forest else _nearest()
    model.fit(features[examples], labels[examples] == CONTENT)
    return np.asarray(model.predict_proba(features)[:, 1], dtype=np.float64)


def _examples(features: NDArray[np.float64], labels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Decided runs whose features no run of the other class has too."""
    decided = np.flatnonzero(labels != INVALID)
    kinds: dict[bytes, set[int]] = {}
    keys = [row.tobytes() for row in features[decided]]
    for key, label in zip(keys, labels[decided].tolist(), strict=True):
        kinds.setdefault(key, set()).add(label)
    agreed = np.array([len(kinds[key]) == 1 for key in keys], dtype=np.bool_)
    return decided[agreed]


def _nearest() -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    # The tree, as in the thesis' day: brute force, today's choice for so many features, loses the
    # small ones to rounding beside a class hash of ten digits.
    return KNeighborsClassifier(NEIGHBOURS, weights="uniform", algorithm="kd_tree", p=2)


def _forest(seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(
        TREES, criterion="gini", bootstrap=True, random_state=seed % 2**32
    )
