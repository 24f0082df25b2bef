"""Terminal blocks that lie over one another: reported, never cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.visual import Rect, Segmentation

MORE_THAN = 2.0
"""Pixels in each direction from which on two blocks overlap; borders and rounding give less."""


def overlapping(
    segmentation: Segmentation, more_than: float = MORE_THAN
) -> tuple[tuple[int, int], ...]:
    """Pairs of places in `segmentation.terminal`, the lesser first, sorted."""
    return overlaps([block.rect for block in segmentation.terminal], more_than)


def overlaps(rects: Sequence[Rect], more_than: float = MORE_THAN) -> tuple[tuple[int, int], ...]:
    """Pairs of places of rectangles that lie over one another, the lesser first, sorted."""
    found = []
    reaching: list[int] = []  # those whose bottom is below the line that sweeps down
    for n in sorted(range(len(rects)), key=lambda n: (rects[n].y, n)):
        x, y, w, h = rects[n]
        reaching = [m for m in reaching if rects[m].y + rects[m].h - y > more_than]
        found += [
            (min(m, n), max(m, n))
            for m in reaching
            if h > more_than
            and min(x + w, rects[m].x + rects[m].w) - max(x, rects[m].x) > more_than
        ]
        reaching.append(n)
    return tuple(sorted(found))
