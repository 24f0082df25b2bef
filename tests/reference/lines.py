"""Elements of pages and lines in a row, as features and formats ask of them."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dbce.boilerplate.classify.lines import CAPITAL, Counts, kinds
from dbce.html import INLINE
from dbce.model import Page

Values = NDArray[np.float64]


def way_up(parents: Sequence[int], element: int) -> Iterator[int]:
    """The element and those above it; a root is its own parent, or has -1."""
    yield element
    while parents[element] not in (element, -1):
        element = parents[element]
        yield element


def with_all_below(parents: Sequence[int], values: Values) -> Values:
    """Sums of the rows over each element and all below it, by way of each element to its root."""
    sums = np.zeros(values.shape)
    for element in range(len(parents)):
        for above in way_up(parents, element):
            sums[:, above] += values[:, element]
    return sums


def nearest(parents: Sequence[int], element: int, wanted: Sequence[bool]) -> int:
    """The nearest wanted element, itself or above it, else the root."""
    *_, root = way_up(parents, element)
    return next((above for above in way_up(parents, element) if wanted[above]), root)


def inherited(above: Sequence[int], flags: Sequence[int], path: int) -> int:
    """Flags of a path and of all above it."""
    all_of = 0
    for one in way_up(above, path):
        all_of |= flags[one]
    return all_of


def counts(text: str) -> Counts:
    """Counts of one text."""
    of = kinds(text).tolist()
    words = text.split()
    ink = [kind for kind, character in zip(of, text, strict=True) if not character.isspace()]
    return Counts(
        *(sum(kind >> bit & 1 for kind in of) for bit in range(9)),
        words=len(words),
        capital_words=sum(bool(kinds(word)[0] & CAPITAL) for word in words),
        last=ink[-1] if ink else 0,
    )


def around(values: Sequence[float], starts: Sequence[int], offset: int) -> list[float]:
    """The value so many lines on from each, NaN beyond its page."""
    page_of = [page for page, size in enumerate(np.diff(starts)) for _ in range(size)]
    there = [line + offset for line in range(len(values))]
    return [
        values[line] if 0 <= line < len(values) and page_of[line] == page else np.nan
        for line, page in zip(there, page_of, strict=True)
    ]


def mean_before(values: Sequence[float], decay: float) -> float:
    """Exponential mean of the values of a page before a line."""
    weights = [(1 - decay) * decay**back for back in range(len(values))]
    return sum(weight * value for weight, value in zip(weights, reversed(values), strict=True))


def holders(page: Page, blocks: Collection[int]) -> list[int]:
    """For each element the nearest that is no inline one or one of the blocks, itself included, else the root."""
    sets_text = [tag not in INLINE or n in blocks for n, tag in enumerate(page.tags)]
    return [nearest(page.parents, element, sets_text) for element in range(len(page.tags))]


def enclosing(page: Page, chosen: Collection[int]) -> list[int]:
    """For each element the nearest chosen one, itself included; -1 where there is none."""
    ways = (way_up(page.parents, element) for element in range(len(page.tags)))
    return [next((above for above in way if above in chosen), -1) for way in ways]
