"""The content of a page as lines: what a browser sets as one paragraph, with the markup of its text."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from dbce.formats.part import HEADINGS
from dbce.html import INLINE, holders, lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from dbce.formats.places import ElementPlace
    from dbce.model import Page

    Details = Mapping[int, Mapping[str, str]]


class Token(NamedTuple):
    """The text of a text node, or of an image; `spaced`: white space stands before it.

    `image` is the place of an image, None of text; `node` the number of a text node, -1 of an image.
    """

    element: int
    text: str
    spaced: bool
    image: str | None = None
    node: int = -1


@dataclass(slots=True)
class Line:
    """A line of content: where it stands, and its tokens in rows, which `<br>` parts."""

    place: ElementPlace
    rows: list[list[Token]] = field(default_factory=list)


class _PlacedToken(NamedTuple):
    line: float
    after: int  # the last element that begins before it
    token: Token


def content_lines(
    page: Page,
    content: Sequence[int],
    place: Sequence[ElementPlace],
    details: Details,
    *,
    images: bool,
    left_out: Collection[int] = (),
    levels: Mapping[int, int] | None = None,
) -> list[Line]:
    """The lines of the content, in document order, without the text nodes `left_out`.

    `content` are numbers of text nodes, `place` the place of every element. With `images` those between
    content count that have an alternative text. With `levels`, by numbers of text nodes, these are the
    headings, and not what tags say.
    """
    holder = holders(page)
    line_of = lines(page, holder)
    pieces = _pieces(page, [node for node in content if node not in left_out], line_of)
    if images:
        pieces += _images(page, content, line_of, details)
        # Text behind an image names it as the last element before.
        pieces.sort(key=lambda piece: (piece.line, piece.after, piece.token.image is None))
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
    own_levels = {levels.get(token.node, 0) for token in tokens if token.image is None}
    level = own_levels.pop() if len(own_levels) == 1 else 0
    return HEADINGS[min(level, len(HEADINGS)) - 1] if level else ""


def _is_same(place: ElementPlace, other: ElementPlace) -> bool:
    return place is other or place._replace(markup=()) == other._replace(markup=())


def _goes_on(page: Page, before: _PlacedToken, first: _PlacedToken, place: ElementPlace) -> bool:
    """True if a line is the next row of the same paragraph: one `<br>` parts them."""
    if place.verbatim >= 0:
        return True
    tags = page.tags[before.after + 1 : first.after + 1]
    return tags.count("br") == 1 and all(tag in INLINE or tag == "br" for tag in tags)


def _pieces(page: Page, content: Sequence[int], line_of: Sequence[int]) -> list[_PlacedToken]:
    pieces = []
    last = -1
    for number in content:
        node = page.nodes[number]
        spaced = number - last > 1 or node.spaced
        token = Token(node.element, node.text, spaced, node=number)
        pieces.append(_PlacedToken(line_of[number], node.after, token))
        last = number
    return pieces


def _images(
    page: Page, content: Sequence[int], line_of: Sequence[int], details: Details
) -> Iterator[_PlacedToken]:
    """The images with an alternative text that stand between content."""
    afters = [node.after for node in page.nodes]
    of_content = set(content)
    for element, attributes in details.items():
        text = attributes.get("alt", "")
        if page.tags[element] != "img" or not text.strip():
            continue
        behind = bisect_left(afters, element)
        beside = {number for number in (behind - 1, behind) if 0 <= number < len(afters)}
        if beside <= of_content:
            own = {line_of[number] for number in beside}
            line = own.pop() if len(own) == 1 else line_of[behind] - 0.5
            token = Token(element, text, spaced=True, image=attributes.get("src", ""))
            yield _PlacedToken(line, element, token)
