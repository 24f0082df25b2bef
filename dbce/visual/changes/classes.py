"""What kind of change there is between two snapshots."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from dbce.visual.changes.compare import Compared
    from dbce.visual.changes.snapshot import Snapshot

REDESIGNED = 0.4
"""Template similarity below which a template is another one (docs/changes.md)."""

CUT = 0.2
"""Share of the words that must be missing at the end of a page for it to be cut."""

_SAME = 0.95
"""Share of the words of a cut page that are those at the beginning of the older one, one by one."""


class Change(StrEnum):
    """The kinds of change, what outweighs others first."""

    GONE = "gone"
    EQUAL = "equal"
    REDESIGN = "redesign"
    CONTENT = "content"
    BOILERPLATE = "boilerplate only"


def kind(new: Snapshot, found: Compared, score: float, kept: bool | None) -> Change:
    """What became of a page that is not equal; `kept` says whether the next snapshot looks like it."""
    if new.gone:
        return Change.GONE
    if found.template < REDESIGNED and kept is not False:
        return Change.REDESIGN
    return Change.CONTENT if score < 0 else Change.BOILERPLATE


def is_cut(old: Snapshot, new: Snapshot) -> bool:
    """Whether a page breaks off: the crawl's fault, not a change. It begins as before and ends early."""
    before, after = old.blocks.words, new.blocks.words
    if new.truncated and not old.truncated:
        return True
    if not len(after) or len(after) > (1 - CUT) * len(before):
        return False
    return float(np.mean(before[: len(after)] == after)) >= _SAME
