"""Likeness of the templates of two captures of a URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

REDESIGNED = 0.4
"""Template similarity below which a template is another one; chosen on pairs whose eras are known.

Between .3 and .5 the result moves by less than .01 (docs/changes.md).
"""


def jaccard(left: NDArray[np.uint32], right: NDArray[np.uint32]) -> float:
    """Jaccard similarity of two sets, 0 to 1; 1 if both are empty."""
    sets = [np.unique(side) for side in (left, right)]
    both = len(np.unique(np.concatenate(sets)))
    return (sum(map(len, sets)) - both) / both if both else 1.0
