"""Stretches of an array, many at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Places = NDArray[np.int64]
    Values = NDArray[np.unsignedinteger]


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Starts and lengths of stretches."""

    starts: Places
    sizes: Places

    @property
    def ends(self) -> Places:
        """The end of each."""
        return self.starts + self.sizes

    def of(self, numbers: Places) -> Spans:
        """Some of them."""
        return Spans(self.starts[numbers], self.sizes[numbers])

    def without(self, before: Places | int, after: Places | int) -> Spans:
        """Each without so many values at its start and at its end."""
        return Spans(self.starts + before, self.sizes - before - after)

    def places(self) -> Places:
        """Places in the array of all values, span by span."""
        shifts = np.repeat(self._shifts(), self.sizes)
        return np.arange(len(shifts)) + shifts

    def place(self, rank: Places, number: Places) -> Places:
        """Places in the array of values that stand at such a rank in `places`, by their span."""
        return rank + self._shifts()[number]

    def rank(self, place: Places, number: Places) -> Places:
        """The reverse of `place`."""
        return place - self._shifts()[number]

    def _shifts(self) -> Places:
        return self.starts - (np.cumsum(self.sizes) - self.sizes)


def equal_before(own: Values, spans: Spans, other: Values, other_spans: Spans) -> Places:
    """Number of values that each span and the other of its number share from their starts."""
    most = np.minimum(spans.sizes, other_spans.sizes)
    heads = Spans(spans.starts, most)
    differ = own[heads.places()] != other[Spans(other_spans.starts, most).places()]
    # Where several are written to one place, the last of them stays: here the first to differ.
    ranks = np.flatnonzero(differ)[::-1]
    number = _number(most, ranks)
    equal = most.copy()
    equal[number] = heads.place(ranks, number) - heads.starts[number]
    return equal


def equal_after(own: Values, spans: Spans, other: Values, other_spans: Spans) -> Places:
    """Number of values that each span and the other of its number share up to their ends."""
    most = np.minimum(spans.sizes, other_spans.sizes)
    tails = Spans(spans.ends - most, most)
    differ = own[tails.places()] != other[Spans(other_spans.ends - most, most).places()]
    ranks = np.flatnonzero(differ)
    number = _number(most, ranks)
    equal = most.copy()
    equal[number] = tails.ends[number] - 1 - tails.place(ranks, number)
    return equal


def _number(sizes: Places, ranks: Places) -> Places:
    """The spans that values of such ranks belong to."""
    return np.searchsorted(np.cumsum(sizes), ranks, side="right")
