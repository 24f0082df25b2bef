"""Decisions over structures: what people read as one thing is kept or dropped as one.

Lines are judged one by one; people read headlines, tables, lists and sections. The thesis propagates labels from
texts to the elements around them (section 2.4); here the elements that set a table, a list or a heading decide for
their texts. Each line has a gain: how much its words are worth to the expected F1 of the page if they are kept,
probability less cut (Lipton, Elkan and Naryanaswamy, 2014). A structure is kept if the gains of its words add up to
more than nothing, and then:

- a row, an item or a paragraph is kept whole or dropped whole;
- a table, a list, a figure, a quotation or a code block is one decision, from which only parts differ that are
  clearly of another kind (APART), such as an advertisement among items;
- a table or list between texts of one kind is of that kind unless it is clearly of another
  (`dbce.boilerplate.decide.beside`);
- what stands in the same place of repeated siblings, such as posts or cards, is judged together, and so are headings
  that are set alike;
- a note stays where its mark stays and goes where that goes (`dbce.boilerplate.decide.notes`);
- a heading goes where its section has text and nothing of that stays;
- the headline, the first heading that the page's title names, and the standfirst below it always stay
  (`dbce.boilerplate.decide.opening`).

Tables that lay out a page and lists of whole articles are no structures, but hold some.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from dbce.boilerplate.decide.beside import beside
from dbce.boilerplate.decide.headings import alike, before_text, decide_headings
from dbce.boilerplate.decide.notes import keep_notes_with_marks
from dbce.boilerplate.decide.opening import opening_lines
from dbce.boilerplate.decide.siblings import together
from dbce.boilerplate.decide.tables import (
    LEAN,
    columns_apart,
    keep_header_rows,
    tables_with_labels,
)
from dbce.boilerplate.decide.tree import (
    APART,
    LISTED,
    NOWHERE,
    PARTS,
    choice,
    heading_of,
    inside_of,
    structures_of,
)
from dbce.html import KIND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.boilerplate.decide.lines import LineValues
    from dbce.boilerplate.decide.tree import Structure
    from dbce.metadata import Opening
    from dbce.model import Page

ALL_OF_IT = float("inf")
"""The same within a part, of which nothing is apart."""


class Decision(NamedTuple):
    """The decision on a page: whether each line is kept, and the structure that it was decided on with.

    `element` is the index of the structure's element for each line, -1 where the line was decided on alone;
    `kinds` are the kinds of these structures.
    """

    kept: list[bool]
    element: list[int]
    kinds: dict[int, str]


def decide(page: Page, lines: LineValues, opening: Opening) -> Decision:
    """Return which lines of a page are kept, and with what."""
    inside = inside_of(page)
    element = [-1] * len(lines.gains)
    for node, line in zip(reversed(page.nodes), reversed(lines.of_node), strict=True):
        element[line] = node.element
    of_line = [
        NOWHERE if aside else inside[e] for e, aside in zip(element, lines.aside, strict=True)
    ]
    innermost, levels = [own >> 3 for own in of_line], [own & 7 for own in of_line]
    lines = replace(lines, gains=together(page, lines, element))
    kept = [gain >= 0 for gain in lines.gains]
    structures = structures_of(page, lines, innermost, levels, inside)
    if apart := columns_apart(page, lines, element, structures):
        innermost = [-1 if line in apart else own for line, own in enumerate(innermost)]
        structures = structures_of(page, lines, innermost, levels, inside)
    _decide_structures(page, structures, lines, levels, kept)
    keep_header_rows(structures, kept)
    kept = [stays and not aside for stays, aside in zip(kept, lines.aside, strict=True)]
    keep_notes_with_marks(page, lines, structures, kept)
    headings = {line: level for line, level in enumerate(levels) if level}
    gains = alike(page, lines, element, before_text(lines, kept, headings))
    decide_headings(gains, kept, headings, structures, innermost)
    for line in opening_lines(page, lines, headings, opening):
        kept[line] = True
    units = {own: _unit(structures, own) for own in dict.fromkeys(innermost) if own in structures}
    decided_with = [
        heading_of(page, e) if level else units.get(own, -1)
        for e, own, level in zip(element, innermost, levels, strict=True)
    ]
    kinds = {e: KIND[page.tags[e]] for e in dict.fromkeys(decided_with) if e >= 0}
    return Decision(kept, decided_with, kinds)


def _unit(structures: dict[int, Structure], element: int) -> int:
    """The outermost structure around one that was decided on as one with it, and as it; -1 if it is open."""
    if structures[element].is_open:
        return -1
    while (outer := structures[element].parent) >= 0 and not structures[outer].is_open:
        if structures[outer].kept != structures[element].kept:
            break
        element = outer
    return element


def _decide_structures(
    page: Page,
    structures: dict[int, Structure],
    lines: LineValues,
    levels: Sequence[int],
    kept: list[bool],
) -> None:
    """Decide from the outside in: what is around a structure tells how sure its own gain must be to differ."""
    told: dict[int, tuple[bool | None, float]] = {-1: (None, 0.0)}
    with_labels = tables_with_labels(page, structures)
    for element, structure in structures.items():
        outer, apart = told[structure.parent]
        if structure.is_open:
            its = (outer if structure.tag in PARTS else None), APART
        else:
            if outer is None and structure.tag in LISTED:
                outer, apart = beside(lines, levels, structure)
            lean = LEAN if element in with_labels else 0.0
            whole = choice(structure.gain / max(structure.words, 1e-9) + lean, outer, apart)
            structure.kept = whole
            is_one = structure.tag in PARTS or element in with_labels
            its = whole, ALL_OF_IT if is_one else APART
        told[element] = its
        outer, apart = its
        # As `choice` has it, which is called for no single line: there are many.
        for line in structure.own:
            gain = lines.gains[line]
            kept[line] = gain > apart if outer is False else gain >= (-apart if outer else 0)
