"""Blocks on a page of one size, so that segmentations by several browsers can be compared.

T is Sanoja, Web Page Segmentation, Evaluation and Applications, 2015. T 3.2.2 stretches every page to
ND x ND; its printed formula has the page's x for the block's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dbce.visual import Rect

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]

ND = 100.0
"""Width and height of a normalised page (T 3.2.2)."""


class NormalBlock(NamedTuple):
    """A block: its edges in units of a page of ND x ND, and how many elements and words it has."""

    left: float
    top: float
    right: float
    bottom: float
    elements: int
    words: int


def normalise(
    rect: Rect, size: tuple[float, float], elements: int = 0, words: int = 0
) -> NormalBlock:
    """A block of a page of some size (width, height); lengths of both in the same unit.

    Where a page has no width or height, nothing in it has.
    """
    across, down = (ND / length if length > 0 else 0.0 for length in size)
    return NormalBlock(
        rect.x * across,
        rect.y * down,
        (rect.x + rect.w) * across,
        (rect.y + rect.h) * down,
        elements,
        words,
    )


def corners(blocks: Iterable[NormalBlock]) -> Floats:
    """Left, top, right and bottom of blocks, one row each; 0 x 4 where there is none."""
    return np.array([block[:4] for block in blocks], np.float64).reshape(-1, 4)
