"""Kind of change between two snapshots."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import LCSseq

if TYPE_CHECKING:
    from dbce.visual.changes.compare import Compared
    from dbce.visual.changes.snapshot import Snapshot

REDESIGNED = 0.4
"""Template similarity below which a template is another one; chosen on pairs whose eras are known.

Between .3 and .5 the result moves by less than .01 (docs/changes.md).
"""

CUT = 0.2
"""Share of the words that must be missing at the end of a page for it to be cut."""

_SAME = 0.7
"""Share of the words of a cut page that are words of the older one (docs/changes.md)."""

_NEARLY_ALL = 0.95
"""Share of these that must stand before the cut: a word of the end may be common by chance."""


class Change(StrEnum):
    """The kinds of change, what outweighs others first."""

    GONE = "gone"
    EQUAL = "equal"
    REDESIGN = "redesign"
    CONTENT = "content"
    BOILERPLATE = "boilerplate only"


def kind(new: Snapshot, found: Compared, score: float, kept: bool | None) -> Change:
    """Return the kind of change of a page that differs; `kept` is what `is_kept` returns."""
    if new.gone:
        return Change.GONE
    if found.template < REDESIGNED and kept is not False:
        return Change.REDESIGN
    return Change.CONTENT if score < 0 else Change.BOILERPLATE


def is_cut(old: Snapshot, new: Snapshot) -> bool:
    """Return whether a page breaks off, the crawl's fault and no change: it is the beginning of the older one.

    Of its words _SAME are in the older one in the same order (longest common subsequence), and nearly all
    of these before the last CUT of that. A few that the server wrote anew, such as a date, stand between.
    """
    before, after = old.blocks.words, new.blocks.words
    if new.truncated and not old.truncated:
        return True
    if not len(after) or len(after) > (1 - CUT) * len(before):
        return False
    same = [s for s in LCSseq.opcodes(before.tolist(), after.tolist()) if s.tag == "equal"]
    places = np.concatenate([[-1], *(np.arange(s.src_start, s.src_end) for s in same)])
    last = float(np.quantile(places, _NEARLY_ALL, method="lower"))
    return len(places) - 1 >= _SAME * len(after) and last < (1 - CUT) * len(before)
