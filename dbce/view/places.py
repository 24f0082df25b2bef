"""Search for the text runs of a capture in another capture.

The bits say that a run is shared and the tables do not say where; but what is shared is there word
by word, so it can be looked for: in the order of the page first, then anywhere.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from dbce.model import ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dbce.view.tables import Row


def shared_with(runs: Sequence[Row], role: str) -> list[int]:
    """The places of the runs that a member of the cross has too, as the bits say."""
    bit = ROLES.index(role)
    return [place for place, run in enumerate(runs) if run["bits"][bit] == "1"]


def places_of(wanted: Sequence[Row], others: Sequence[Row]) -> list[tuple[int, ...]]:
    """For each run the places of the runs of another page that have its words, in order.

    Empty where the words do not stand there one after another. Runs come in the order of their page.
    """
    # A space around every word, so that a word is not found in the middle of another.
    texts = [f" {run['text']}" for run in others]
    ends = list(accumulate(map(len, texts)))
    page = "".join(texts) + " "
    found: list[tuple[int, ...]] = []
    at = 0
    for run in wanted:
        words = f" {run['text']} "
        start = page.find(words, at)
        if start < 0:
            start = page.find(words)
        else:
            at = start + len(words) - 1
        found.append(() if start < 0 else _runs_in(ends, start, start + len(words) - 1))
    return found


def _runs_in(ends: Sequence[int], start: int, end: int) -> tuple[int, ...]:
    """The places of the runs that a stretch of the page touches; each ends where `ends` says."""
    return tuple(range(bisect_right(ends, start), bisect_left(ends, end) + 1))


def counterparts(runs: Sequence[Row], other: Sequence[Row], role: str) -> Mapping[int, list[int]]:
    """For the runs that a member shares, by place, the places where it has them."""
    shared = shared_with(runs, role)
    there = places_of([runs[place] for place in shared], other)
    return {place: list(found) for place, found in zip(shared, there, strict=True) if found}
