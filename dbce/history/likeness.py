"""Likeness of two captures of a URL: of their templates, and of their words where one may be cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import LCSseq

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.model import Hashes

REDESIGNED = 0.4
"""Template similarity below which a template is another one; chosen on pairs whose eras are known.

Between .3 and .5 the result moves by less than .01 (docs/changes.md).
"""

MISSING_END = 0.2
"""Share of the words that must be missing at the end of a page for it to be cut."""

_SAME = 0.7
"""Share of the words of a cut page that are words of the older one (docs/changes.md)."""

_NEARLY_ALL = 0.95
"""Share of these that must stand before the cut: a word of the end may be common by chance."""


def jaccard(left: NDArray[np.uint32], right: NDArray[np.uint32]) -> float:
    """Jaccard similarity of two sets, 0 to 1; 1 if both are empty."""
    sets = [np.unique(side) for side in (left, right)]
    both = len(np.unique(np.concatenate(sets)))
    return (sum(map(len, sets)) - both) / both if both else 1.0


def is_beginning(before: Hashes, after: Hashes) -> bool:
    """Return whether the words of a page are, but for few, the beginning of those that it had before.

    Of its words _SAME are among the older ones in the same order (longest common subsequence), and nearly
    all of these before the last MISSING_END of those.
    """
    if not len(after) or len(after) > (1 - MISSING_END) * len(before):
        return False
    same = [s for s in LCSseq.opcodes(before.tolist(), after.tolist()) if s.tag == "equal"]
    places = np.concatenate([[-1], *(np.arange(s.src_start, s.src_end) for s in same)])
    last = float(np.quantile(places, _NEARLY_ALL, method="lower"))
    return len(places) - 1 >= _SAME * len(after) and last < (1 - MISSING_END) * len(before)
