"""Repeated siblings, such as posts and cards: what stands in the same place of each is judged together."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dbce.boilerplate.decide.tree import APART, choice

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from dbce.boilerplate.decide.lines import LineValues
    from dbce.model import Page

SIBLINGS = frozenset(("div", "article", "section"))
"""Elements that are posts and cards where there are several of one class side by side."""

REPEATED = 3
"""Siblings of one class from which on they are repeated, and not before and after."""


def together(page: Page, lines: LineValues, element: Sequence[int]) -> Sequence[float]:
    """The gains of lines; those in one place of repeated siblings have their mean: posters of posts, names on cards.

    What is clearly of another kind than the most of them keeps its own.
    """
    unsure = [line for line, gain in enumerate(lines.gains) if -APART <= gain <= APART]
    if not unsure or not (repeated := _repeated(page)):
        return lines.gains
    sibling_of = _outermost(page, repeated)
    if all(sibling_of[element[line]] < 0 for line in unsure):
        return lines.gains
    groups: dict[int, list[int]] = {}
    for line, e in enumerate(element):
        if (sibling := sibling_of[e]) >= 0 and not lines.aside[line]:
            groups.setdefault(repeated[sibling], []).append(line)
    gains = list(lines.gains)
    slot_of = _Slots(page, repeated, sibling_of)
    for group in groups.values():
        if not _differ(gains, group):
            continue
        slots: dict[int, list[int]] = {}
        for line in group:
            slots.setdefault(slot_of(element[line]), []).append(line)
        for of_slot in slots.values():
            siblings = {sibling_of[element[line]] for line in of_slot}
            if len(siblings) >= REPEATED and _differ(gains, of_slot):
                _take_mean(lines, gains, of_slot)
    return gains


def _differ(gains: Sequence[float], some: Sequence[int]) -> bool:
    """Return whether some lines would be kept and others dropped."""
    return len({gains[line] >= 0 for line in some}) > 1


def _take_mean(lines: LineValues, gains: list[float], of_slot: Sequence[int]) -> None:
    """Give lines their mean gain, but for those that are clearly of another kind."""
    words = sum(lines.words[line] for line in of_slot)
    mean = sum(lines.words[line] * gains[line] for line in of_slot) / max(words, 1e-9)
    for line in of_slot:
        if choice(gains[line], mean >= 0, APART) == (mean >= 0):
            gains[line] = mean


def _repeated(page: Page) -> dict[int, int]:
    """The siblings that are repeated, each with the first of those of its parent, tag and classes."""
    likely = [element for element, tag in enumerate(page.tags) if tag in SIBLINGS]
    # Most parents have one or two: to count numbers first costs less than to hash the names of all.
    numbers = Counter([page.parents[element] for element in likely])
    of_step: dict[tuple[int, str, str], list[int]] = {}
    for element in likely:
        parent = page.parents[element]
        if numbers[parent] >= REPEATED:
            step = parent, page.tags[element], page.classes[element]
            of_step.setdefault(step, []).append(element)
    several = (siblings for siblings in of_step.values() if len(siblings) >= REPEATED)
    return {element: siblings[0] for siblings in several for element in siblings}


def _outermost(page: Page, repeated: Container[int]) -> list[int]:
    """For each element the outermost of repeated siblings around it, itself included; -1 where there is none."""
    outermost = [-1] * (len(page.parents) + 1)  # the last is what is around the root
    for element, parent in enumerate(page.parents):
        above = outermost[parent]
        outermost[element] = element if above < 0 and element in repeated else above
    return outermost


class _Slots:
    """The place of an element in the outermost of repeated siblings around it, as a number.

    The same number stands for the same path of tags and classes from siblings of one kind.
    """

    def __init__(self, page: Page, repeated: Mapping[int, int], sibling_of: Sequence[int]) -> None:
        self._page = page
        self._known = {e: first for e, first in repeated.items() if sibling_of[e] == e}
        self._below: dict[tuple[int, str, str], int] = {}

    def __call__(self, element: int) -> int:
        page = self._page
        path = []
        while element not in self._known:
            path.append(element)
            element = page.parents[element]
        slot = self._known[element]
        for below in reversed(path):
            step = slot, page.tags[below], page.classes[below]
            # Behind the numbers of siblings, which are elements.
            slot = self._below.setdefault(step, len(page.tags) + len(self._below))
            self._known[below] = slot
        return slot
