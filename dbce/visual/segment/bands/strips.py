"""Parts in bands, one below another, or in columns, side by side."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from dbce.visual.segment.bands.parts import together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from dbce.visual import Rect
    from dbce.visual.segment.bands.parts import Part, Parts

ACROSS, DOWN = 0, 1
"""Along which axis strips follow each other; its place in a rectangle, that of the length is 2 on."""


def strips(parts: Parts, held: Sequence[Part], axis: int, slack: float) -> list[Part]:
    """Parts that lie beside each other along an axis, those that overlap by more than `slack` together.

    What is positioned hinders no cut, if there is anything else: it goes where its centre is.
    """
    in_flow = [part for part in held if not parts.is_positioned(part)] or held
    cuts = _cuts(((p.rect[axis], p.rect[axis + 2]) for p in in_flow), slack)
    found: list[list[Part]] = [[] for _ in range(len(cuts) + 1)]
    for part in held:
        found[bisect_right(cuts, part.rect[axis] + part.rect[axis + 2] / 2)].append(part)
    return [together(strip) for strip in found if strip]


def _cuts(spans: Iterable[tuple[float, float]], slack: float) -> list[float]:
    """Return the middles of the gaps between spans, which are shortened by half of `slack` at each end."""
    found = []
    reached: float | None = None
    for start, length in sorted(spans):
        shortened = min(slack, length) / 2
        low, high = start + shortened, start + length - shortened
        if reached is not None and low >= reached:
            found.append((low + reached) / 2)
        reached = high if reached is None else max(reached, high)
    return found


def joined(held: Sequence[Part], axis: int, is_slight: Callable[[Part], bool]) -> list[Part]:
    """Strips of which each slight one is joined to its shorter neighbour, the first of equal ones."""
    groups = [[part] for part in held]
    wholes = list(held)
    n = 0
    while n < len(wholes):
        if len(wholes) == 1 or not is_slight(wholes[n]):
            n += 1
            continue
        beside = [m for m in (n - 1, n + 1) if 0 <= m < len(wholes)]
        n = min(n, min(beside, key=lambda m: (wholes[m].rect[axis + 2], m)))
        groups[n] += groups.pop(n + 1)
        wholes[n] = _sum(wholes[n], wholes.pop(n + 1))
    return [together(group) for group in groups]


def _sum(a: Part, b: Part) -> Part:
    """Rectangle and content of two, without what they are made of."""
    return together((a, b))._replace(members=())


def nearest(strip: Sequence[Part], rect: Rect) -> int:
    """The place of the part whose centre is nearest to that of a rectangle; of equal ones the first."""
    x, y = rect.x + rect.w / 2, rect.y + rect.h / 2

    def distance(n: int) -> float:
        other = strip[n].rect
        return abs(other.x + other.w / 2 - x) + abs(other.y + other.h / 2 - y)

    return min(range(len(strip)), key=lambda n: (distance(n), n))
