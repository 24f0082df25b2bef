"""Log-odds as probabilities, as SciPy gives them to the last bit.

SciPy takes a third of a second to import. The exponential is that of the C library, as SciPy's is: numpy's own
differs in the last bit from one processor to another.
"""

from __future__ import annotations

import sys
from math import exp, log, log1p
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEVER = -log(sys.float_info.max)
"""Log-odds below which the odds against are too large for a number."""


def expit(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability of each log-odds: 1 / (1 + exp(-x))."""
    return np.array([0.0 if x < NEVER else 1 / (1 + exp(-x)) for x in log_odds.tolist()])


def log_expit(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithm of each probability."""
    return np.array([x - log1p(exp(x)) if x < 0 else -log1p(exp(-x)) for x in log_odds.tolist()])
