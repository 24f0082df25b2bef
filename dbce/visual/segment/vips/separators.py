"""Separators of visual blocks, and how visible they are (Cai et al., MSR-TR-2003-79, 4.2)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from dbce.visual.segment.boxes import separators as strips

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.visual.segment.vips.blocks import VisualBlock

THICKNESS = ((35.0, 8), (25.0, 6), (15.0, 4), (8.0, 2), (0.0, 1))
"""Points for a separator thicker than so many pixels (rule 1; steps of JVIPS)."""

EACH = 2
"""Points of each other rule."""

LEAST, MOST = 1, 10

TOUCHING = 2.0
"""Pixels from a separator within which a block is beside it."""


class Cut(NamedTuple):
    """All separators of one direction among some blocks.

    `weights` has one weight for each separator, `parts` the blocks before, between and behind them.
    """

    weights: tuple[int, ...]
    parts: tuple[list[VisualBlock], ...]

    @property
    def heaviest(self) -> int:
        """The greatest weight, 0 without separators."""
        return max(self.weights, default=0)

    def at(self, weight: int) -> list[list[VisualBlock]]:
        """The blocks between separators of a weight."""
        groups = [list(self.parts[0])]
        for its, part in zip(self.weights, self.parts[1:], strict=True):
            if its == weight:
                groups.append([])
            groups[-1] += part
        return groups


def rows(blocks: list[VisualBlock], lines: Sequence[float]) -> Cut:
    """Horizontal separators; `lines` are the heights of rules (hr), sorted."""
    return _cut(blocks, lines, start=1, size=3)


def columns(blocks: list[VisualBlock]) -> Cut:
    """Vertical separators."""
    return _cut(blocks, (), start=0, size=2)


def _cut(blocks: list[VisualBlock], lines: Sequence[float], start: int, size: int) -> Cut:
    found = strips((b.rect[start], b.rect[size]) for b in blocks)
    parts: tuple[list[VisualBlock], ...] = tuple([] for _ in range(len(found) + 1))
    middles = [(low + high) / 2 for low, high in found]
    for block in blocks:
        parts[bisect_right(middles, block.rect[start] + block.rect[size] / 2)].append(block)
    weights = []
    for n, (low, high) in enumerate(found):
        before = [b for b in parts[n] if b.rect[start] + b.rect[size] > low - TOUCHING]
        behind = [b for b in parts[n + 1] if b.rect[start] < high + TOUCHING]
        crossed = bisect_left(lines, low) < bisect_right(lines, high)
        weights.append(_weight(high - low, before, behind, crossed=crossed, fonts=start == 1))
    return Cut(tuple(weights), parts)


def _weight(
    thickness: float,
    before: list[VisualBlock],
    behind: list[VisualBlock],
    *,
    crossed: bool,
    fonts: bool,
) -> int:
    """Rules 1 to 5: thickness, a rule in it, other backgrounds; if horizontal, fonts and likeness."""
    weight = next((points for above, points in THICKNESS if thickness > above), 0)
    weight += EACH * crossed
    weight += EACH * ({b.look[2] for b in before} != {b.look[2] for b in behind})
    if fonts:
        same = {b.look[:2] for b in before} == {b.look[:2] for b in behind}
        weight += EACH * (not same)
        weight -= EACH * (same and all(b.is_text for b in before + behind))
    return min(max(weight, LEAST), MOST)
