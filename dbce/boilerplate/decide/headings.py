"""Headings go with what they name: a section of which something stays, or the table or list just behind them.

Those that a page sets alike are judged together: of one name alone, "Overview", a model is often unsure.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from dbce.boilerplate.decide.tree import APART, LISTED, around, heading_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dbce.boilerplate.decide.lines import LineValues
    from dbce.boilerplate.decide.tree import Structure
    from dbce.model import Page


LEAN = 0.03
"""Gain a word by which a heading may fail and stays with the text that it stands before."""


def before_text(lines: LineValues, kept: Sequence[bool], headings: Iterable[int]) -> list[int]:
    """The headings that readers see and that stand just before text that stays."""
    return [
        line
        for line, after in pairwise((*headings, len(kept)))
        if after > line + 1 and kept[line + 1] and lines.shown[line] and not lines.aside[line]
    ]


def alike(
    page: Page, lines: LineValues, element: Sequence[int], some: Sequence[int]
) -> dict[int, float]:
    """For some headings the mean gain of those of them with the same tag and classes, below parents with the same."""
    of_kind: dict[tuple[str, ...], list[int]] = {}
    for line in some:
        own = heading_of(page, element[line])
        outer = page.parents[own]
        kind = page.tags[own], page.classes[own], page.tags[outer], page.classes[outer]
        of_kind.setdefault(kind, []).append(line)
    means = {
        kind: sum([lines.gains[line] for line in same]) / len(same)
        for kind, same in of_kind.items()
    }
    return {line: means[kind] for kind, same in of_kind.items() for line in same}


def decide_headings(
    gains: Mapping[int, float],
    kept: list[bool],
    headings: dict[int, int],
    structures: Mapping[int, Structure],
    innermost: Sequence[int],
) -> None:
    """Drop headings whose sections, and the sections below them, have text of which nothing stays.

    `gains` are those of headings just before text that stays: they are kept if they fail by LEAN at most, or if they
    name a table or list there and are not clearly of another kind. `headings` have their levels, in order; `innermost` is
    the structure of each line, -1 for none. Headings that follow each other stay as they are: such as a title and its subtitle.
    """
    deeper: list[
        tuple[int, bool]
    ] = []  # headings behind, by level, and whether they or what is below them stays
    after = len(kept)
    for line, level in reversed(headings.items()):
        below = False
        while deeper and deeper[-1][0] > level:
            below |= deeper.pop()[1]
        if line in gains:
            gain = gains[line]
            kept[line] = gain >= -LEAN or (
                gain >= -APART and _names_structure(structures, innermost, line)
            )
        elif kept[line]:
            follows = after == line + 1 < len(kept)
            stays = below or (follows and headings[after] <= level)
            kept[line] = stays or any(kept[line + 1 : after])
        deeper.append((level, kept[line] or below))
        after = line


def _names_structure(
    structures: Mapping[int, Structure], innermost: Sequence[int], line: int
) -> bool:
    """Return whether a table or list of several lines that is one decision begins just behind a line."""
    if line + 2 >= len(innermost):
        return False
    outside, first, second = (set(around(structures, innermost[n])) for n in range(line, line + 3))
    return any(
        structures[e].tag in LISTED and not structures[e].is_open
        for e in first.intersection(second) - outside
    )
