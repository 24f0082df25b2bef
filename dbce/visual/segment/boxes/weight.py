"""The weight of a block: its normalised size, 0 to 10. One name, four formulas."""

from __future__ import annotations

import math
from collections.abc import Callable

from dbce.visual import Rect

Size = tuple[float, float]
Weigh = Callable[[Rect, Size], float]


def half_up(value: float) -> int:
    """Rounded as JavaScript does: .5 upwards (Python rounds it to the even neighbour)."""
    return math.floor(value + 0.5)


def area(rect: Rect, size: Size) -> float:
    """The share of the page's area (Sanoja 2015, 2.1, with pND = 100): 0 to 10."""
    return 10 * rect.w * rect.h / (size[0] * size[1])


def cells(rect: Rect, size: Size) -> float:
    """The cells of a grid of 10 x 10 that its size fills (code 1.1, May 2014): .1 to 10."""
    return math.ceil(10 * rect.w / size[0]) * math.ceil(10 * rect.h / size[1]) / 10


def corner(rect: Rect, size: Size) -> float:
    """Mean of w - x and h - y in tenths of the page (code 1.1, September 2014): it may be negative."""
    x, y, w, h = _percent(rect, size)
    return half_up(((w - x) + (h - y)) / 2 / 10)


def sides(rect: Rect, size: Size) -> float:
    """Mean of width and height in tenths of the page (code 1.1.1): 0 to 10."""
    _, _, w, h = _percent(rect, size)
    return half_up((w + h) / 2 / 10)


def _percent(rect: Rect, size: Size) -> tuple[int, int, int, int]:
    """Each length as whole percents of the page's, rounded first as the code does."""
    width, height = size
    return (
        half_up(100 * rect.x / width),
        half_up(100 * rect.y / height),
        half_up(100 * rect.w / width),
        half_up(100 * rect.h / height),
    )


WEIGHTS: dict[str, Weigh] = {"area": area, "cells": cells, "corner": corner, "sides": sides}
"""The four by name."""
