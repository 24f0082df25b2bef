"""Match of each text of the browser with a text of the run, so that verdicts join.

A run numbers the texts of the tree that lxml makes; the browser's tree is another where pages are
not as they should be: it moves texts out of tables, parts or joins them. So texts are aligned by what
they say, in their order; what is left over in both finds each other where it says the same.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from rapidfuzz.distance import LCSseq

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CELLS = 400_000_000
"""Texts times texts that are aligned; more are matched by what they say alone. 50 MB in the aligner."""


def numbers(theirs: Sequence[str], ours: Sequence[str]) -> list[int]:
    """For each text of the browser (`theirs`) its place in `ours`, -1 where none fits; each at most once.

    White space makes no difference.
    """
    left, right = _plain(theirs), _plain(ours)
    found = [-1] * len(left)
    for n, m in _aligned(left, right):
        found[n] = m
    taken = set(found)
    free: defaultdict[str, deque[int]] = defaultdict(deque)
    for m, text in enumerate(right):
        if m not in taken:
            free[text].append(m)
    for n, text in enumerate(left):
        if found[n] < 0 and free.get(text):
            found[n] = free[text].popleft()
    return found


def _plain(texts: Sequence[str]) -> list[str]:
    return [" ".join(text.split()) for text in texts]


def _aligned(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of places of a longest common subsequence."""
    if len(left) * len(right) > CELLS:
        return
    for block in LCSseq.opcodes(left, right):
        if block.tag == "equal":
            yield from zip(
                range(block.src_start, block.src_end),
                range(block.dest_start, block.dest_end),
                strict=True,
            )
