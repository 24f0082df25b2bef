"""The structures of a page as a tree: what holds each line, and what the words of a structure are worth together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dbce.boilerplate.decide.lines import LineValues
    from dbce.model import Page

WHOLE = frozenset("table ul ol menu dir dl figure pre blockquote".split())
"""Structures that are one decision."""

LISTED = frozenset("table ul ol dl".split())
"""Those of rows or items."""

PARTS = frozenset("tr li dt dd p caption figcaption".split())
"""Parts that are never kept by halves."""

LEVELS = {f"h{level}": level for level in range(1, 7)} | dict.fromkeys(WHOLE | PARTS, 0)
NOWHERE = -1 << 3

LARGE = 200
"""Words of a part from which on it is an article rather than an item or a row: its own parts decide."""

APART = 0.3
"""Gain a word from which on a part is of another kind than its structure."""


def choice(gain: float, outer: bool | None, apart: float) -> bool:
    """Return whether something is kept by its gain a word, inside of what is kept, dropped or open (None)."""
    if outer is None:
        return gain >= 0
    return gain >= -apart if outer else gain > apart


def inside_of(page: Page) -> list[int]:
    """For each element, as one number, the structure or part that it is in (`inside >> 3`, -1 for none) and the level of its heading (`inside & 7`, 0 for none).

    One more number stands at the end: what is around the root, whose parent is -1.
    """
    inside = [NOWHERE] * (len(page.tags) + 1)
    # One look at the tag of each element: all else here is done for each line or structure, of which there are fewer.
    for element, (tag, parent) in enumerate(zip(page.tags, page.parents, strict=True)):
        above = inside[parent]
        if tag in LEVELS:
            level = LEVELS[tag]
            above = above & ~7 | level if level else element << 3 | above & 7
        inside[element] = above
    return inside


@dataclass(slots=True)
class Structure:
    """A structure or part: the lines that stand in no other inside of it, and sums over all of its lines.

    `first` and `last` are the ends of all of its lines; `is_open` is one that is decided by what it holds: a part that
    is an article, a table that is a layout.
    """

    tag: str
    parent: int
    own: list[int]
    first: int
    last: int
    words: float = 0.0
    gain: float = 0.0
    longest_part: float = 0.0
    holds_whole: bool = False
    holds_table: bool = False
    is_open: bool = False
    kept: bool = False


def structures_of(
    page: Page,
    lines: LineValues,
    innermost: Sequence[int],
    levels: Sequence[int],
    inside: Sequence[int],
) -> dict[int, Structure]:
    """The structures that hold lines, by element, in document order; headings count as no part of one."""
    structures = _with_own_lines(page, lines, innermost, levels, inside)
    # One function for all of them, and none for each: a page has hundreds.
    for structure in reversed(structures.values()):
        tag, words = structure.tag, structure.words
        if tag in PARTS:
            structure.is_open = words > LARGE or structure.holds_whole
        elif tag == "table":
            structure.is_open = structure.holds_table or structure.longest_part > LARGE
        if structure.parent >= 0:
            outer = structures[structure.parent]
            outer.words += words
            outer.gain += structure.gain
            outer.last = max(outer.last, structure.last)
            if structure.holds_whole or tag in WHOLE:
                outer.holds_whole = True
            if structure.holds_table or tag == "table":
                outer.holds_table = True
            longest = words if tag == "tr" else structure.longest_part
            outer.longest_part = max(outer.longest_part, longest)
    return structures


def _with_own_lines(
    page: Page,
    lines: LineValues,
    innermost: Sequence[int],
    levels: Sequence[int],
    inside: Sequence[int],
) -> dict[int, Structure]:
    """The structures by element, in document order; words and gain of each are of no more than its own lines."""
    holding: dict[int, Structure] = {}
    values = zip(innermost, levels, lines.words, lines.gains, strict=True)
    for line, (own, level, words, gain) in enumerate(values):
        if level or own < 0:
            continue
        if own not in holding:
            element = own
            while element >= 0 and element not in holding:
                outside = inside[page.parents[element]] >> 3
                holding[element] = Structure(page.tags[element], outside, [], line, line)
                element = outside
        structure = holding[own]
        structure.own.append(line)
        structure.last = line
        structure.words += words
        structure.gain += words * gain
    return dict(sorted(holding.items()))


def around(structures: Mapping[int, Structure], element: int) -> Iterator[int]:
    """A structure, and those that it is in."""
    while element in structures:
        yield element
        element = structures[element].parent


def heading_of(page: Page, element: int) -> int:
    """The element of the heading that an element is in."""
    while not LEVELS.get(page.tags[element]):
        element = page.parents[element]
    return element
