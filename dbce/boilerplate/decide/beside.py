"""Tables and lists go with what stands on both sides of them, unless they are clearly of another kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.boilerplate.decide.lines import LineValues
    from dbce.boilerplate.decide.tree import Structure

SURE = 0.3
"""Gain a word of lines before and behind that are content beyond doubt."""

BETWEEN = 0.2
"""Gain a word by which a table or list between two such lines may fail and stays: links and numbers of the text."""

ALONE = 0.1
"""Gain a word that a list between lines which go must have to stay."""


def beside(
    lines: LineValues, levels: Sequence[int], structure: Structure
) -> tuple[bool | None, float]:
    """Return what the lines on both sides of a table or list of several say of it, and how sure its own gain must be to differ.

    True is content, False none, None neither. A heading says nothing of what it names.
    """
    before, behind = structure.first - 1, structure.last + 1
    if structure.last == structure.first or before < 0 or behind == len(lines.gains):
        return None, 0.0
    around = lines.gains[before], lines.gains[behind]
    if min(around) > SURE and not levels[before]:
        return True, BETWEEN
    if max(around) < 0 and structure.tag != "table":
        return False, ALONE
    return None, 0.0
