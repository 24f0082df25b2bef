"""Headings go with what they name: a section of which something stays, or the table or list just behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.boilerplate.decide.tree import APART, around

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dbce.boilerplate.decide.lines import LineValues
    from dbce.boilerplate.decide.tree import Structure

LISTED = frozenset("table ul ol dl".split())
"""Structures that a heading just before them names."""


def decide_headings(
    lines: LineValues,
    kept: list[bool],
    levels: Sequence[int],
    structures: Mapping[int, Structure],
    innermost: Sequence[int],
) -> None:
    """Drop headings whose sections, and the sections below them, have text of which nothing stays.

    Those just before a table or list that stays name it: they are kept unless they are clearly of another kind.
    `innermost` is the structure of each line, -1 for none. Headings that follow each other stay as they are: such as a title and its subtitle.
    """
    places = [line for line, level in enumerate(levels) if level]
    deeper: list[
        tuple[int, bool]
    ] = []  # headings behind, by level, and whether they or what is below them stays
    ends = [*places[1:], len(levels)][: len(places)]
    for line, after in zip(reversed(places), reversed(ends), strict=True):
        below = False
        while deeper and deeper[-1][0] > levels[line]:
            below |= deeper.pop()[1]
        has_text = after > line + 1
        follows = not has_text and after < len(levels)
        stays = below or (follows and levels[after] <= levels[line]) or any(kept[line + 1 : after])
        if kept[line]:
            kept[line] = stays
        elif has_text and kept[line + 1] and lines.shown[line] and not lines.aside[line]:
            is_sure = lines.gains[line] < -APART
            kept[line] = not is_sure and _names_structure(structures, innermost, line)
        deeper.append((levels[line], kept[line] or below))


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
