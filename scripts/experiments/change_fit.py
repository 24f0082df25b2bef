"""Learns the logistic regressions of `dbce.visual.changes.history`; it alone needs scikit-learn."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from dbce.visual.changes.history import MODES, MOST, STRUCTURE, STRUCTURE_FEATURE, ChangeModel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

INNER = 5
"""Folds, of sites, that the calibration is learned on."""

STRENGTH = 1.0
"""Inverse of the regularisation (scikit-learn's C); its default, and never tuned."""

Learned = dict[str, ChangeModel]


def learn(pairs: pd.DataFrame, names: Mapping[str, Sequence[str]]) -> Learned:
    """The regressions of all modes, of pairs as `change_pairs.pairs` has them.

    `names` are the features of modes structure and image; hybrid has those of image and what mode
    structure says, for few pairs are rendered and many are not. Equal pairs teach nothing.
    """
    some = pairs[~pairs["equal"]]
    found = {STRUCTURE: fit(some, list(names[STRUCTURE]))}
    seen = some[some["rendered"]]
    if len(seen):
        both = seen.assign(
            **{STRUCTURE_FEATURE: log_odds(found[STRUCTURE], seen).clip(-MOST, MOST)}
        )
        found["image"] = fit(both, list(names["image"]))
        found["hybrid"] = fit(both, [*names["image"], STRUCTURE_FEATURE])
    return found


def log_odds(numbers: ChangeModel, pairs: pd.DataFrame) -> pd.Series:
    """Return the log odds that a regression gives each pair."""
    features = pairs[list(numbers.names)].to_numpy(float)
    standard = (features - np.array(numbers.means)) / np.array(numbers.scales)
    return pd.Series(numbers.intercept + standard @ np.array(numbers.coefficients), pairs.index)


def fit(pairs: pd.DataFrame, names: list[str]) -> ChangeModel:
    """A regression of whether the content changed on some features, calibrated on folds of sites."""
    features, changed = pairs[names].to_numpy(float), pairs["content"].to_numpy(bool)
    scaler, model = _model(features, changed)
    said = np.empty(len(pairs))
    sites = pairs["site"].to_numpy()
    for rest, held_out in GroupKFold(min(INNER, len(set(sites)))).split(features, groups=sites):
        of_rest, other = _model(features[rest], changed[rest])
        said[held_out] = other.decision_function(of_rest.transform(features[held_out]))
    platt = LogisticRegression().fit(said[:, None], changed)
    return ChangeModel(
        names=tuple(names),
        means=tuple(map(_short, scaler.mean_)),
        scales=tuple(map(_short, scaler.scale_)),
        coefficients=tuple(map(_short, model.coef_[0])),
        intercept=_short(model.intercept_[0]),
        slope=_short(platt.coef_[0][0]),
        shift=_short(platt.intercept_[0]),
    )


def _model(
    features: NDArray[np.float64], changed: NDArray[np.bool_]
) -> tuple[StandardScaler, LogisticRegression]:
    scaler = StandardScaler().fit(features)
    model = LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=1000)
    return scaler, model.fit(scaler.transform(features), changed)


def _short(value: float) -> float:
    return round(float(value), 5)


def stored(learned: Learned) -> dict[str, dict[str, object]]:
    """As the file `chances.json` has them."""
    return {mode: asdict(learned[mode]) for mode in MODES if mode in learned}
