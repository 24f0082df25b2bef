"""Probability that the content changed: logistic regressions, whose numbers come with dbce.

`scripts/experiments/change_scores.py` learns them and writes the file; scikit-learn is not needed to apply them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, tanh
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "chances.json"
"""The numbers, beside this module."""

STRUCTURE = "structure"

MODES = (STRUCTURE, "image", "hybrid")
"""Sources by which a change is told: verdicts and tables, the pictures of the rendered pages, or both."""


@dataclass(frozen=True, slots=True)
class ChangeModel:
    """A logistic regression on standardised features.

    `slope` and `shift` calibrate: of pairs as they are in snapshots of years, where more than half of
    them have equal content, they make of the log-odds, which take both for equally frequent, a
    probability (Platt, 1999).
    """

    names: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    coefficients: tuple[float, ...]
    intercept: float
    slope: float
    shift: float

    def log_odds(self, features: Mapping[str, float]) -> float:
        """That the content changed, both being equally frequent; 0 is undecided."""
        terms = zip(self.names, self.means, self.scales, self.coefficients, strict=True)
        return self.intercept + sum(
            weight * (features[name] - mean) / scale for name, mean, scale, weight in terms
        )

    def score(self, features: Mapping[str, float]) -> float:
        """From -1, other content, to 1, the same."""
        return -tanh(self.log_odds(features) / 2)

    def probability(self, features: Mapping[str, float]) -> float:
        """That the content changed, calibrated, 0 to 1."""
        return 1 / (1 + exp(-(self.slope * self.log_odds(features) + self.shift)))


@cache
def chances(mode: str) -> ChangeModel:
    """The numbers of a mode (MODES)."""
    stored = json.loads(files("dbce.visual.changes").joinpath(FILE).read_text(encoding="utf-8"))
    return of_numbers(stored[mode])


def of_numbers(stored: Mapping[str, object]) -> ChangeModel:
    """The regression in an object of the file."""
    plain = {k: tuple(v) if isinstance(v, list) else v for k, v in stored.items()}
    return ChangeModel(**plain)  # type: ignore[arg-type]  # JSON has no types
