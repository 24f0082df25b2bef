"""Repeated siblings, such as posts and cards: what stands in the same place of each is judged together."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dbce.boilerplate.decide.tree import APART, choice

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

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
    slot_of = _Slots(page, _repeated(page)) if unsure else None
    if slot_of is None or all(slot_of(element[line])[0] < 0 for line in unsure):
        return lines.gains
    slots: dict[int, list[int]] = {}
    siblings: dict[int, set[int]] = {}
    for line, e in enumerate(element):
        slot, sibling = slot_of(e)
        if slot >= 0 and not lines.aside[line]:
            slots.setdefault(slot, []).append(line)
            siblings.setdefault(slot, set()).add(sibling)
    gains = list(lines.gains)
    for slot, of_slot in slots.items():
        if len(siblings[slot]) >= REPEATED and len({gains[line] >= 0 for line in of_slot}) > 1:
            words = sum(lines.words[line] for line in of_slot)
            mean = sum(lines.words[line] * gains[line] for line in of_slot) / max(words, 1e-9)
            for line in of_slot:
                if choice(gains[line], mean >= 0, APART) == (mean >= 0):
                    gains[line] = mean
    return gains


def _repeated(page: Page) -> set[tuple[int, str, str]]:
    """The parent, tag and classes of siblings that are repeated."""
    steps = zip(page.parents, page.tags, page.classes, strict=True)
    of_siblings = Counter([step for step in steps if step[1] in SIBLINGS])
    return {step for step, number in of_siblings.items() if number >= REPEATED}


class _Slots:
    """The place of elements in the outermost of repeated siblings around them, as a number, and that sibling.

    The same number stands for the same path of tags and classes from siblings of one kind.
    """

    def __init__(self, page: Page, repeated: Collection[tuple[int, str, str]]) -> None:
        self._page = page
        self._repeated = repeated
        self._known = {-1: (-1, -1)}
        self._numbers: dict[tuple[int, str, str, bool], int] = {}

    def __call__(self, element: int) -> tuple[int, int]:
        if not self._repeated:
            return -1, -1
        path = []
        while element not in self._known:
            path.append(element)
            element = self._page.parents[element]
        slot, sibling = self._known[element]
        for below in reversed(path):
            own = self._page.tags[below], self._page.classes[below]
            if slot >= 0:
                slot = self._number((slot, *own, True))
            elif ((parent := self._page.parents[below]), *own) in self._repeated:
                slot, sibling = self._number((parent, *own, False)), below
            self._known[below] = slot, sibling
        return slot, sibling

    def _number(self, step: tuple[int, str, str, bool]) -> int:
        return self._numbers.setdefault(step, len(self._numbers))
