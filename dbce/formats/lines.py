"""The content of a page as lines: what a browser sets as one paragraph, with the markup of its text."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from dbce.blocks import INLINE, holders, lines
from dbce.formats.part import Part
from dbce.formats.places import absolute, places

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dbce.formats.places import Place
    from dbce.model import Page

    Details = Mapping[int, Mapping[str, str]]

LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|brush)-?:?\s*([\w+#-]+)")


class Token(NamedTuple):
    """A stretch of text of one element, or an image; `spaced`: white space stands before it."""

    element: int
    text: str
    spaced: bool
    image: str = ""


@dataclass(slots=True)
class Line:
    """A line of content: its place, its name as a block, its tokens; `breaks` within it are lines."""

    place: Place
    tokens: list[list[Token]] = field(default_factory=list)


class _Piece(NamedTuple):
    line: float
    after: int  # the last element that begins before it
    token: Token


def content_lines(
    page: Page, pieces: Sequence[tuple[int, int, int]], details: Details, url: str, *, images: bool
) -> tuple[list[Line], list[Place]]:
    """The lines of the content, in document order, and the place of every element.

    `pieces` are (text node, start, end). With `images` those between content count that have an
    alternative text.
    """
    place = places(page, details, url)
    holder = holders(page)
    found = _pieces(page, pieces, lines(page, holder))
    if images:
        found += _images(page, pieces, lines(page, holder), details, url)
        # Text behind an image names it as the last element before.
        found.sort(key=lambda piece: (piece.line, piece.after, not piece.token.image))
    made: list[Line] = []
    before: _Piece | None = None
    for _, group in groupby(found, key=lambda piece: piece.line):
        of_line = list(group)
        first = of_line[0]
        own = _of_line(place, holder, first.token.element)
        tokens = [piece.token for piece in of_line]
        if before is not None and made[-1].place == own and _goes_on(page, before, first, own):
            made[-1].tokens.append(tokens)
        else:
            made.append(Line(own, [tokens]))
        before = of_line[-1]
    return made, place


def _of_line(place: Sequence[Place], holder: Sequence[int], element: int) -> Place:
    """The place of a line: that of the element that sets it, markup apart."""
    return place[holder[element]]._replace(markup=())


def _goes_on(page: Page, before: _Piece, first: _Piece, place: Place) -> bool:
    """Whether a line is the next one of the same paragraph: one `<br>` parts them."""
    tags = page.tags[before.after + 1 : first.after + 1]
    if place.verbatim >= 0:
        return True
    return tags.count("br") == 1 and INLINE.issuperset(tag for tag in tags if tag != "br")


def _pieces(
    page: Page, pieces: Sequence[tuple[int, int, int]], line_of: Sequence[int]
) -> list[_Piece]:
    found = []
    last = (-1, 0)
    for number, start, end in pieces:
        node = page.nodes[number]
        apart = last[1] != start if number == last[0] else number - last[0] > 1 or node.spaced
        token = Token(node.element, node.text[start:end], apart)
        found.append(_Piece(line_of[number], node.after, token))
        last = number, end
    return found


def _images(
    page: Page,
    pieces: Sequence[tuple[int, int, int]],
    line_of: Sequence[int],
    details: Details,
    url: str,
) -> Iterator[_Piece]:
    """The images with an alternative text that stand between content."""
    afters = [node.after for node in page.nodes]
    content = {number for number, _, _ in pieces}
    for element, said in details.items():
        alt = " ".join(said.get("alt", "").split())
        if page.tags[element] != "img" or not alt:
            continue
        behind = bisect_left(afters, element)
        beside = {number for number in (behind - 1, behind) if 0 <= number < len(afters)}
        if not beside <= content:
            continue
        own = {line_of[number] for number in beside}
        line = own.pop() if len(own) == 1 else line_of[behind] - 0.5
        place = absolute(url, said.get("src", ""))
        yield _Piece(line, element, Token(element, alt, spaced=True, image=place or "#"))


def verbatim(line: Line) -> str:
    """The text of a line as it stands there, for `<pre>`."""
    rows = ("".join(token.text for token in tokens) for tokens in line.tokens)
    return "\n".join(row.strip("\n") for row in rows)


def language_of(page: Page, line: Line) -> str:
    """The programming language that a `<pre>`, or the `<code>` in it, is said to be in; "" if none."""
    classes = (page.classes[line.place.verbatim], page.classes[line.tokens[0][0].element])
    match = next(filter(None, map(LANGUAGE.search, classes)), None)
    return match[1] if match else ""


def inline(line: Line, place: Sequence[Place]) -> tuple[Part | str, ...]:
    """The text of a line with its markup; rows are parted by `br`."""
    found: list[Part | str] = []
    for tokens in line.tokens:
        row = _row(tokens, place)
        if found and row:
            found.append(Part("br"))
        found += row
    return tuple(found)


def _row(tokens: Sequence[Token], place: Sequence[Place]) -> list[Part | str]:
    """One row: white space collapsed, and put outside of markup, where all formats can have it."""
    opened: list[tuple[tuple[str, str], list[Part | str]]] = [(("", ""), [])]
    spaced, empty = False, True
    for token in tokens:
        text = " ".join(token.text.split())
        spaced = spaced or token.spaced or token.text[:1].isspace()
        if not text:
            continue
        markup = place[token.element].markup
        same = 0
        for (open_one, _), one in zip(opened[1:], markup, strict=False):
            if open_one != one:
                break
            same += 1
        _close(opened, same)
        if spaced and not empty:
            _add(opened[-1][1], " ")
        opened += [(one, []) for one in markup[same:]]
        _add(opened[-1][1], Part("img", (text,), token.image) if token.image else text)
        spaced, empty = token.text[-1:].isspace(), False
    _close(opened, 0)
    return opened[0][1]


def _close(opened: list[tuple[tuple[str, str], list[Part | str]]], until: int) -> None:
    while len(opened) > until + 1:
        (name, link), children = opened.pop()
        opened[-1][1].append(Part(name, tuple(children), link))


def _add(children: list[Part | str], one: Part | str) -> None:
    if isinstance(one, str) and children and isinstance(before := children[-1], str):
        children[-1] = before + one
    else:
        children.append(one)
