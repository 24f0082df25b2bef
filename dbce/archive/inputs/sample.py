"""A sample of captures that is the same whatever the inputs' order: those with the smallest ranks."""

from __future__ import annotations

import heapq
from array import array
from dataclasses import dataclass, field

UNRANKED = -(2**63)
"""Below every other rank: stays in a sample until its record says where it belongs."""


class Draw:
    """The `size` smallest of the ranks that are offered, each counted once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._negated: list[int] = []  # a heap: the largest of the smallest comes first
        self._taken: set[int] = set()

    def offer(self, rank: int) -> bool:
        """Takes a rank into account; whether it may be in the sample, as far as one knows.

        One that is not known takes nobody's place.
        """
        if rank == UNRANKED or rank in self._taken:
            return True
        if len(self._negated) < self._size:
            heapq.heappush(self._negated, -rank)
        elif rank < -self._negated[0]:
            self._taken.remove(-heapq.heapreplace(self._negated, -rank))
        else:
            return False
        self._taken.add(rank)
        return True

    @property
    def cutoff(self) -> int:
        """The largest rank in the sample; `UNRANKED` where nothing was offered."""
        return -self._negated[0] if self._negated else UNRANKED


@dataclass(slots=True)
class RankedOffsets:
    """Offsets of wanted captures in one file, and their ranks; eight bytes each."""

    offsets: array[int] = field(default_factory=lambda: array("q"))
    ranks: array[int] = field(default_factory=lambda: array("q"))

    def add(self, offset: int, rank: int) -> None:
        self.offsets.append(offset)
        self.ranks.append(rank)

    def up_to(self, cutoff: int) -> tuple[int, ...]:
        """The offsets with ranks up to a cutoff, sorted, each once; with `UNRANKED` the unsure ones."""
        places = zip(self.offsets, self.ranks, strict=True)
        return tuple(sorted({offset for offset, rank in places if rank <= cutoff}))
