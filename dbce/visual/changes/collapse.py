"""Pages that collapse: next to nothing of the older text is left, and little stands in its place.

Such a page is gone for now, whatever its template. What it is instead, its words may say (`dbce.quality`); the
return of the old text shows that it was no redesign, however much stood in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.quality import OLD, has_collapsed

if TYPE_CHECKING:
    from dbce.model import Hashes
    from dbce.visual.changes.snapshot import Snapshot

AWAY = 0.3
"""Share of the older page's words at most that one which was away for a while has: any two long texts of a language
have some in common. Chosen on pairs with pages of other sites in their midst (docs/changes.md)."""

RETURNED = 0.5
"""Share of the older page's words that the next snapshot must have for the text to be back."""


def is_collapsed(old: Snapshot, new: Snapshot, later: Snapshot | None) -> bool:
    """Return whether the text of a page collapsed since the older snapshot.

    Where the later snapshot has the old text again, a page of any length has that has little of it.
    """
    before, after = old.blocks.words, new.blocks.words
    if new.truncated or len(before) < OLD:
        return False
    kept = shared(before, after)
    was_away = kept <= AWAY * len(before) and bool(is_back(old, later))
    return was_away or has_collapsed(len(after), kept, len(before))


def is_back(old: Snapshot, later: Snapshot | None) -> bool | None:
    """Return whether a later snapshot has the text of an older one again; None without one."""
    if later is None:
        return None
    before = old.blocks.words
    return shared(before, later.blocks.words) >= RETURNED * len(before)


def shared(left: Hashes, right: Hashes) -> int:
    """Number of words that two texts have in common, as multisets."""
    known, number = np.unique(np.concatenate((left, right)), return_inverse=True)
    sides = number[: len(left)], number[len(left) :]
    counts = [np.bincount(side, minlength=len(known)) for side in sides]
    return int(np.minimum(*counts).sum())
