"""Learns the regressions of `dbce.visual.changes.history`, and the SVM of Pagelyzer; it alone needs scikit-learn."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from dbce.visual.changes.history import (
    MODES,
    MOST,
    PAGELYZER,
    STRUCTURE,
    STRUCTURE_FEATURE,
    ChangeModel,
)
from dbce.visual.changes.pagelyzer import OTHER_NUMBER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

INNER = 5
"""Folds, of sites, that the calibration is learned on."""

STRENGTH = 1.0
"""Inverse of the regularisation (scikit-learn's C); its default, and never tuned."""

MARGIN = 1e5
"""C of the linear SVM of Pagelyzer (release of June 2014)."""

STEPS = 1_000_000
"""Iterations after which the SVM is taken as it is: without scales it may never settle."""

OF_PAGELYZER = dict(
    zip(
        PAGELYZER,
        (("colours: ",), ("delta: ",), ("cosine: ",), ("colours: ", "cosine: ")),
        strict=True,
    )
)
"""How the names of the features of its modes begin."""

Learned = dict[str, ChangeModel]


def learn(pairs: pd.DataFrame, names: Mapping[str, Sequence[str]]) -> Learned:
    """The regressions of all modes, of pairs as `change_pairs.pairs` has them.

    `names` are the features of modes structure and image; hybrid has those of image and what mode
    structure says, for few pairs are rendered and many are not. Equal pairs teach nothing.
    """
    differing = pairs[~pairs["equal"]]
    found = {STRUCTURE: fit(differing, list(names[STRUCTURE]))}
    seen = differing[differing["rendered"]]
    if len(seen):
        both = seen.assign(
            **{STRUCTURE_FEATURE: log_odds(found[STRUCTURE], seen).clip(-MOST, MOST)}
        )
        if names["image"]:
            found["image"] = fit(both, list(names["image"]))
            found["hybrid"] = fit(both, [*names["image"], STRUCTURE_FEATURE])
        elif OTHER_NUMBER in seen:
            found |= {mode: fit_svm(seen, kinds) for mode, kinds in OF_PAGELYZER.items()}
    return found


def log_odds(numbers: ChangeModel, pairs: pd.DataFrame) -> pd.Series:
    """Return the log odds that a regression gives each pair."""
    features = pairs[list(numbers.names)].to_numpy(float)
    standard = (features - np.array(numbers.means)) / np.array(numbers.scales)
    odds = pd.Series(numbers.intercept + standard @ np.array(numbers.coefficients), pairs.index)
    return odds.mask(pairs[numbers.rule] > 0, 1.0) if numbers.rule else odds


def fit(pairs: pd.DataFrame, names: list[str]) -> ChangeModel:
    """A regression of whether the content changed on some features, calibrated on folds of sites."""
    features, changed = pairs[names].to_numpy(float), pairs["content"].to_numpy(bool)
    scaler, model = _model(features, changed)
    decisions = np.empty(len(pairs))
    sites = pairs["site"].to_numpy()
    for rest, held_out in GroupKFold(min(INNER, len(set(sites)))).split(features, groups=sites):
        of_rest, other = _model(features[rest], changed[rest])
        decisions[held_out] = other.decision_function(of_rest.transform(features[held_out]))
    platt = LogisticRegression().fit(decisions[:, None], changed)
    return ChangeModel(
        names=tuple(names),
        means=tuple(map(_short, scaler.mean_)),
        scales=tuple(map(_short, scaler.scale_)),
        coefficients=tuple(map(_short, model.coef_[0])),
        intercept=_short(model.intercept_[0]),
        slope=_short(platt.coef_[0][0]),
        shift=_short(platt.intercept_[0]),
    )


def fit_svm(pairs: pd.DataFrame, kinds: tuple[str, ...]) -> ChangeModel:
    """Pagelyzer's linear SVM on plain features whose names begin so; calibrated on the pairs themselves.

    Where blocks are counted, pairs with other numbers of them teach nothing: they are other pages.
    """
    names = [name for name in pairs.columns if name.startswith(kinds)]
    rule = OTHER_NUMBER if "cosine: " in kinds else ""
    deciding = pairs[pairs[rule] == 0] if rule else pairs
    features, changed = deciding[names].to_numpy(float), deciding["content"].to_numpy(bool)
    model = SVC(kernel="linear", C=MARGIN, max_iter=STEPS).fit(features, changed)
    margins = model.decision_function(features)
    platt = LogisticRegression().fit(margins[:, None], changed)
    return ChangeModel(
        names=tuple(names),
        means=(0.0,) * len(names),
        scales=(1.0,) * len(names),
        coefficients=tuple(map(_short, model.coef_[0])),
        intercept=_short(model.intercept_[0]),
        slope=_short(platt.coef_[0][0]),
        shift=_short(platt.intercept_[0]),
        is_margin=True,
        rule=rule,
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
