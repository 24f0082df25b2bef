"""Notes and their marks: small links such as [19], and the items or paragraphs further down that they lead to."""

from __future__ import annotations

import re
from bisect import bisect_left
from operator import attrgetter
from typing import TYPE_CHECKING

from dbce.boilerplate.decide.tree import LARGE

if TYPE_CHECKING:
    from dbce.boilerplate.decide.lines import LineValues
    from dbce.boilerplate.decide.tree import Structure
    from dbce.model import Page

HOLDERS = frozenset("li p dd tr".split())
"""Elements that a note may be: the innermost of these that its place is in."""

_SIGN = r"(?:\d{1,4}|[a-z]{1,2}|[ivxl]{1,6}|[*†‡§]+)"
BRACKETED = re.compile(rf"\[\s*{_SIGN}\s*\]|\(\s*{_SIGN}\s*\)", re.IGNORECASE)
RAISED = re.compile(_SIGN, re.IGNORECASE)
PIECES = 3  # texts of a mark: [, 19 and ] at most
LONGEST = 16  # characters of one of them, white space included
NEAR = 3  # elements from a link to what raises it, or from a place to the note that holds it

_begun = attrgetter("after")


def marks(page: Page) -> dict[int, list[int]]:
    """The text nodes of marks (the first of each), by the element of their note, which stands behind them.

    A mark is a number, a letter or a sign in a link to another place of the page, in brackets or raised.
    """
    leading = [
        (node, link, name) for link, name in page.jumps if (node := _mark_in(page, link)) >= 0
    ]
    if not leading:
        return {}
    wanted = {name for _, _, name in leading}
    places: dict[str, int] = {}
    for element, name in enumerate(page.ids):
        if name in wanted:
            places.setdefault(name, element)
    notes: dict[int, list[int]] = {}
    for node, link, name in leading:
        place = places.get(name, -1)
        # What leads back from a note to its mark is marked by letters, too.
        if place > link and (note := _near(page, place, HOLDERS)) >= 0:
            notes.setdefault(note, []).append(node)
    return notes


def _mark_in(page: Page, link: int) -> int:
    """The first text node of a link that is a mark; -1 if it is none."""
    first = bisect_left(page.nodes, link, key=_begun)
    if first == len(page.nodes) or len(page.nodes[first].text) > LONGEST:
        return -1
    text = ""
    for node in page.nodes[first : first + PIECES]:
        if not _is_below(page, node.element, link):
            break
        text += node.text
    text = text.strip()
    if BRACKETED.fullmatch(text):
        return first
    raised = RAISED.fullmatch(text) and (
        _near(page, link, {"sup"}) >= 0 or page.tags[page.nodes[first].element] == "sup"
    )
    return first if raised else -1


def _is_below(page: Page, element: int, ancestor: int) -> bool:
    while element > ancestor:
        element = page.parents[element]
    return element == ancestor


def _near(page: Page, element: int, tags: frozenset[str] | set[str]) -> int:
    """The nearest element of these tags that an element is or is in, not far above; -1 if there is none."""
    for _ in range(NEAR):
        if element < 0 or page.tags[element] in tags:
            return element
        element = page.parents[element]
    return -1


def keep_notes_with_marks(
    page: Page, lines: LineValues, structures: dict[int, Structure], kept: list[bool]
) -> None:
    """Keep the notes of which a mark is kept, and drop those of which none is; an article is no note."""
    notes = {
        note: any(kept[lines.of_node[number]] for number in numbers)
        for note, numbers in marks(page).items()
        if note in structures and structures[note].words <= LARGE
    }
    if not notes:
        return
    told: dict[int, bool | None] = {-1: None}
    for element, structure in structures.items():
        told[element] = its = notes.get(element, told[structure.parent])
        if its is not None:
            structure.kept = its
            for line in structure.own:
                kept[line] = its and not lines.aside[line]
