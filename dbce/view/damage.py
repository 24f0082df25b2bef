"""Damaged captures of a run, as the view lists them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from dbce.output import capture_qualities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.output import CaptureQuality
    from dbce.storage import Folder
    from dbce.view.tables import Row

SHOWN = 1_000
"""Damaged captures that a page lists."""


@lru_cache(maxsize=2)
def _damaged_captures(folder: Folder) -> tuple[CaptureQuality, ...]:
    """Return the damaged captures, by site, URL and time: a run that is finished has the same ones at every visit."""
    return tuple(captured for captured in capture_qualities(folder) if captured.damage)


def kinds(folder: Folder) -> list[tuple[str, int]]:
    """Return the number of damaged captures of each kind, most first."""
    counts = Counter(str(one.damage.kind) for one in _damaged_captures(folder) if one.damage)
    return sorted(counts.items(), key=lambda of: (-of[1], of[0]))


def damaged_rows(folder: Folder, kind: str, most: int | None = SHOWN) -> Sequence[Row]:
    """Return the first damaged captures, of a kind or ("") of any; None is all."""
    rows = [
        {
            "damage": str(one.damage.kind),
            "reason": one.damage.evidence,
            "fetch_time": one.time,
            "url": one.url,
            "record_id": one.record_id,
        }
        for one in _damaged_captures(folder)
        if one.damage and kind in ("", str(one.damage.kind))
    ]
    return rows[:most]
