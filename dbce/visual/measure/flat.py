"""A page's segmentation as it is measured: the blocks that hold no others, normalised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from dbce.visual.measure.normalise import Booleans, NormalBlock


@dataclass(frozen=True, slots=True)
class Flat:
    """A flat segmentation, gold or computed.

    `algorithm` names what made it. `importance` has each block's share in the sum over all. `words`
    are those of the page as its maker counted them. `size` is (width, height) of the page in CSS pixels.
    `copied`: it is stored as an algorithm's, and seems to be the gold itself.
    """

    algorithm: str
    size: tuple[float, float]
    words: int
    blocks: tuple[NormalBlock, ...]
    importance: tuple[float, ...]
    copied: bool = False

    def important(self, tolerance: float) -> Booleans:
        """Flag of each block: True if its importance is larger than `tolerance`."""
        return np.array([share > tolerance for share in self.importance], np.bool_)
