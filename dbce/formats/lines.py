"""The content of a page as lines: what a browser sets as one paragraph, with the markup of its text."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from dbce.formats.formulas import lines_with_formulas
from dbce.formats.part import HEADINGS
from dbce.html import INLINE, holders

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from dbce.formats.formulas import FormulaLine
    from dbce.formats.places import ElementPlace, Places
    from dbce.html import Formula
    from dbce.model import Page

    Details = Mapping[int, Mapping[str, str]]


CLOSING = re.compile(r"[,.;:!?)\]’'-]")
"""Text that stands close to what is before it."""


class Token(NamedTuple):
    """The text of a text node, an image or a formula; `spaced`: white space stands before it.

    `image` is the place of an image, None of text; `node` the number of a text node, -1 of others;
    `formula` tells whether the text is TeX, and whether that is "displayed" or "inline"; `stands_for` are
    first and end of the text nodes of a formula.
    """

    element: int
    text: str
    spaced: bool
    image: str | None = None
    node: int = -1
    formula: str = ""
    stands_for: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class Line:
    """A line of content: where it stands, and its tokens in rows, which `<br>` parts."""

    place: ElementPlace
    rows: list[list[Token]] = field(default_factory=list)


class _PlacedToken(NamedTuple):
    line: float
    order: float  # among the text nodes
    after: int  # the last element that begins before it
    last: int  # the last element that begins before its end
    token: Token


def content_lines(
    page: Page,
    content: Sequence[int],
    place: Places,
    details: Details,
    *,
    images: bool,
    left_out: Collection[int] = (),
    formulas: Sequence[Formula] = (),
    levels: Mapping[int, int] | None = None,
) -> list[Line]:
    """The lines of the content, in document order, without the text nodes `left_out`.

    `content` are numbers of text nodes, `place` the place of every element. With `images` those between
    content count that have an alternative text. Formulas stand in the line that they stand in for a reader. With `levels`, by numbers of text nodes, these are the
    headings, and not what tags say.
    """
    holder = holders(page)
    formulas = [formula for formula in formulas if place[formula.parent].verbatim < 0]
    line_of, lines_of_formulas = lines_with_formulas(page, holder, formulas)
    kept = [node for node in content if node not in left_out]
    pieces = _pieces(page, kept, line_of, formulas)
    if formulas:
        pieces += _formulas(page, content, formulas, lines_of_formulas)
    if images:
        pieces += _images(page, content, line_of, details, formulas)
    if images or formulas:
        pieces.sort(key=lambda piece: (piece.line, piece.order, piece.after))
    merged: list[Line] = []
    before: _PlacedToken | None = None
    for _, group in groupby(pieces, key=lambda piece: piece.line):
        of_line = list(group)
        # The line is where the element is that sets it.
        own = place[holder[of_line[0].token.element]]
        tokens = [piece.token for piece in of_line]
        if levels is not None:
            own = own._replace(heading=_heading(tokens, levels))
        if before and _is_same(merged[-1].place, own) and _goes_on(page, before, of_line[0], own):
            merged[-1].rows.append(tokens)
        else:
            merged.append(Line(own, [tokens]))
        before = of_line[-1]
    return merged


def _heading(tokens: Sequence[Token], levels: Mapping[int, int]) -> str:
    """The tag of a line all of whose words are of one heading; "" of another."""
    own_levels = {levels.get(token.node, 0) for token in tokens if token.node >= 0}
    level = own_levels.pop() if len(own_levels) == 1 else 0
    return HEADINGS[min(level, len(HEADINGS)) - 1] if level else ""


def _is_same(place: ElementPlace, other: ElementPlace) -> bool:
    return place is other or (place.blocks == other.blocks and place[2:] == other[2:])


def _goes_on(page: Page, before: _PlacedToken, first: _PlacedToken, place: ElementPlace) -> bool:
    """True if a line is the next row of the same paragraph: one `<br>` parts them."""
    if place.verbatim >= 0:
        return True
    tags = page.tags[before.last + 1 : first.after + 1]
    return tags.count("br") == 1 and all(tag in INLINE or tag == "br" for tag in tags)


def _pieces(
    page: Page, content: Sequence[int], line_of: Sequence[float], formulas: Sequence[Formula]
) -> list[_PlacedToken]:
    pieces = []
    last = -1
    end_of = {formula.texts[1]: formula.texts[0] for formula in formulas}
    of_formulas = {number for formula in formulas for number in range(*formula.texts)}
    for number in content:
        if number in of_formulas:
            continue
        node = page.nodes[number]
        gap = end_of.get(number, number)
        spaced = gap - last > 1 or node.spaced
        if number in end_of and CLOSING.match(node.text):
            spaced = False  # that was white space of the formula
        token = Token(node.element, node.text, spaced, node=number)
        pieces.append(_PlacedToken(line_of[number], number, node.after, node.after, token))
        last = number
    return pieces


def _formulas(
    page: Page,
    content: Sequence[int],
    formulas: Sequence[Formula],
    lines_of_formulas: Sequence[FormulaLine],
) -> Iterator[_PlacedToken]:
    """The formulas that are content, or stand beside nothing else."""
    of_content = set(content)
    first_text = end = -1
    for formula, own in zip(formulas, lines_of_formulas, strict=True):
        start = formula.texts[0]
        # What repeats a formula stands before it, and has the white space.
        first_text = first_text if start == end else start
        end = formula.texts[1]
        is_content = own.beside <= of_content if own.beside else False
        if formula.source and (is_content or not of_content.isdisjoint(range(start, end))):
            kind = "" if not formula.is_tex else "displayed" if formula.is_displayed else "inline"
            spaced = first_text == len(page.nodes) or page.nodes[first_text].spaced
            token = Token(
                formula.parent, formula.source, spaced, formula=kind, stands_for=formula.texts
            )
            first, behind = formula.elements
            yield _PlacedToken(own.line, start - 0.5, first - 1, behind - 1, token)
            end = -1


def _images(
    page: Page,
    content: Sequence[int],
    line_of: Sequence[float],
    details: Details,
    formulas: Sequence[Formula],
) -> Iterator[_PlacedToken]:
    """The images with an alternative text that stand between content and are no formulas."""
    afters = [node.after for node in page.nodes]
    of_content = set(content)
    of_formulas = {element for formula in formulas for element in range(*formula.elements)}
    for element, attributes in details.items():
        text = attributes.get("alt", "")
        if page.tags[element] != "img" or not text.strip() or element in of_formulas:
            continue
        behind = bisect_left(afters, element)
        beside = {number for number in (behind - 1, behind) if 0 <= number < len(afters)}
        if beside and beside <= of_content:
            own = {line_of[number] for number in beside}
            line = own.pop() if len(own) == 1 else line_of[behind] - 0.5
            token = Token(element, text, spaced=True, image=attributes.get("src", ""))
            yield _PlacedToken(line, behind - 0.5, element, element, token)
