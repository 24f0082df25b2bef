"""The chance of a line to be a heading: a logistic regression, whose weights are kept beside it."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from dbce.visual.headings.lines.features import FEATURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

WEIGHTS = "weights.json"


@lru_cache(maxsize=1)
def weights() -> tuple[NDArray[np.float64], float]:
    """The weight of each of FEATURES, and the intercept (docs/headings.md says what taught them)."""
    known = json.loads(files(__package__).joinpath(WEIGHTS).read_text(encoding="utf-8"))
    return np.array([known["weights"][name] for name in FEATURES]), float(known["intercept"])


def chances(rows: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """The chance of each line, of its features."""
    own, intercept = weights()
    logits = np.array(rows, np.float64).reshape(-1, len(own)) @ own + intercept
    return 1 / (1 + np.exp(-logits))
