"""Lines of text through formulas: what stands before one and behind it is one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce.html import INLINE, lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dbce.html import Formula
    from dbce.model import Page


class FormulaLine(NamedTuple):
    """The line of a formula, and the text nodes that stand beside it."""

    line: float
    beside: frozenset[int]


def lines_with_formulas(
    page: Page, holder: Sequence[int], formulas: Sequence[Formula]
) -> tuple[list[float], list[FormulaLine]]:
    """The lines of the text nodes, as numbers that grow with them, and those of the formulas.

    The elements of a formula are blocks to `dbce.html.walk`. Here a formula in a sentence is a word of
    it; a displayed one has a line of its own.
    """
    # Between two lines there is room for all formulas, and for the parts that displayed ones make of one.
    gap = 1 / (len(formulas) + 1)
    line_of = _parted(lines(page, holder), formulas, gap)
    renamed: dict[float, float] = {}
    placed: list[FormulaLine] = []
    before: Formula | None = None
    for behind, formula in zip(range(len(formulas), 0, -1), formulas, strict=True):
        start, end = formula.texts
        first, last = formula.elements
        above = holder[formula.parent]
        goes_on = not formula.is_displayed
        left = goes_on and start > 0 and _is_beside(page, holder, above, start - 1)
        left = left and INLINE.issuperset(page.tags[page.nodes[start - 1].after + 1 : first])
        right = goes_on and end < len(line_of) and _is_beside(page, holder, above, end)
        right = right and INLINE.issuperset(page.tags[last : page.nodes[end].after + 1])
        if goes_on and before and _follows(page, holder, before, formula):
            line = placed[-1].line
        elif left:
            line = renamed.get(line_of[start - 1], line_of[start - 1])
        elif right:
            line = line_of[end]
        else:
            line = (line_of[end] if end < len(line_of) else len(line_of)) - behind * gap * gap
        if right:
            renamed[line_of[end]] = line
        sides = ((left, start - 1), (right, end))
        beside = frozenset(node for is_beside, node in sides if is_beside)
        if not beside:
            beside = frozenset(n for n in (start - 1, end) if 0 <= n < len(line_of))
        placed.append(FormulaLine(line, beside))
        before = formula
    return [renamed.get(line, line) for line in line_of], placed


def _parted(line_of: Sequence[int], formulas: Iterable[Formula], gap: float) -> list[float]:
    """The lines, those that a displayed formula stands in parted by it."""
    parts = {formula.texts[1] for formula in formulas if formula.is_displayed}
    parted: list[float] = []
    before, shift = -1, 0.0
    for node, line in enumerate(line_of):
        if line != before:
            before, shift = line, 0.0
        elif node in parts:
            shift += gap
        parted.append(line + shift)
    return parted


def _is_beside(page: Page, holder: Sequence[int], above: int, node: int) -> bool:
    return holder[page.nodes[node].element] == above


def _follows(page: Page, holder: Sequence[int], before: Formula, formula: Formula) -> bool:
    """True if nothing stands between two formulas of a line."""
    return (
        not before.is_displayed
        and before.texts[1] == formula.texts[0]
        and holder[before.parent] == holder[formula.parent]
        and INLINE.issuperset(page.tags[before.elements[1] : formula.elements[0]])
    )
