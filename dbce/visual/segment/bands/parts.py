"""Parts of a page: elements, texts that stand beside elements, and several of these together."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from dbce.visual.segment.boxes import union

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dbce.visual import Rect
    from dbce.visual.segment.boxes import Outline


class PagePart(NamedTuple):
    """An element (`text` is -1), a text with the element that it is in, or several parts together.

    `characters` counts those that are seen in it, `good` those of them that verdicts call content, `pictures` the
    elements that show something by themselves. `is_whole`: its members are one text, and not looked into.
    """

    rect: Rect
    element: int
    text: int = -1
    characters: int = 0
    good: float = 0.0
    pictures: int = 0
    members: tuple[PagePart, ...] = ()
    is_whole: bool = False

    @property
    def content(self) -> int:
        """Amount of content to see, in characters: a picture counts as a few words do."""
        return self.characters + PICTURE * self.pictures

    @property
    def area(self) -> float:
        """Square pixels of its rectangle."""
        return self.rect.w * self.rect.h


PICTURE = 10
"""Characters that a picture counts for."""

PICTURES = frozenset("applet audio canvas embed iframe img input object select svg video".split())
"""Elements that show something without a text."""


PROSE = frozenset("p h1 h2 h3 h4 h5 h6 ul ol dl pre blockquote".split())
"""Elements that follow each other in a text; items of a list are none: each may be a teaser."""

RUN = 3
"""Prose siblings from which on they are one text."""

MOST = 0.5
"""Share of the characters from the first to the last prose sibling that prose has where all are one text."""


class PageParts:
    """The parts of a page.

    `content` is the share of each text that is content, by its number in `nodes`, where that is known.
    """

    def __init__(self, outline: Outline, content: Mapping[int, float] | None = None) -> None:
        self.outline = outline
        page = outline.page
        known = content or {}
        self._sizes = [len(" ".join(text.text.split())) for text in page.texts]
        self._good = [
            n * known.get(text.node, 0.0) for n, text in zip(self._sizes, page.texts, strict=True)
        ]
        self._pictures = [int(element.tag in PICTURES) for element in page.elements]
        self._characters = [sum(self._sizes[n] for n in texts) for texts in outline.texts]
        self._content = [sum(self._good[n] for n in texts) for texts in outline.texts]
        self._inline = [page.styles[e.style].display == "inline" for e in page.elements]
        self.positioned = [
            page.styles[e.style].position in {"absolute", "fixed"} for e in page.elements
        ]
        self.boxes = list(outline.boxes)
        self._spills = [False] * len(page.elements)
        for n in range(len(page.elements) - 1, 0, -1):  # children stand behind their parents
            self._tell_parent(n, page.elements[n].parent)

    def _tell_parent(self, n: int, parent: int) -> None:
        self._characters[parent] += self._characters[n]
        self._content[parent] += self._content[n]
        if box := self.boxes[n]:
            self._pictures[parent] += self._pictures[n]
            self._inline[parent] &= self._inline[n]
            self._spills[parent] |= not self.outline.has_area(parent) and self._is_out(n)
            self._hang(box, n, parent)

    def _is_out(self, element: int) -> bool:
        """Return whether an element, or what it has instead of a box of its own, is out of the flow."""
        return self.positioned[element] or self._spills[element]

    def _hang(self, box: Rect, n: int, parent: int) -> None:
        """Let the box of a parent reach as low as the floats that hang out of it."""
        around, page = self.boxes[parent], self.outline.page
        is_float = page.styles[page.elements[n].style].floating != "none"
        if around and is_float and not self.positioned[n]:
            height = max(around.h, box.y + box.h - around.y)
            self.boxes[parent] = around._replace(h=height)

    @property
    def page(self) -> PagePart:
        """All of it."""
        return self._element(0, self.outline.rect)

    def inside(self, part: PagePart) -> Sequence[PagePart]:
        """Return the parts of a part: its members, or the visible children and texts of its element.

        What alone is inside another stands for it, so there are several or none.
        """
        while part.text < 0 and not part.is_whole:
            parts = part.members or self._in_texts(tuple(self._children(part.element)))
            if len(parts) != 1:
                return parts
            (part,) = parts
        return ()

    def _in_texts(self, parts: tuple[PagePart, ...]) -> tuple[PagePart, ...]:
        """Parts of which those that are one text stand together.

        That is all from the first prose to the last where most of it is prose, so that a picture or a box of code
        parts no text; else each run of prose.
        """
        places = [n for n, part in enumerate(parts) if self._is_prose(part)]
        if len(places) < RUN:
            return parts
        between = parts[places[0] : places[-1] + 1]
        prose = sum(parts[n].characters for n in places)
        if prose >= MOST * sum(part.characters for part in between):
            return (*parts[: places[0]], _text(between), *parts[places[-1] + 1 :])
        runs: list[PagePart] = []
        for is_prose, members in groupby(parts, self._is_prose):
            run = list(members)
            runs += [_text(run)] if is_prose and len(run) >= RUN else run
        return tuple(runs)

    def _is_prose(self, part: PagePart) -> bool:
        tag = self.outline.page.elements[part.element].tag
        return part.text < 0 and not part.members and tag in PROSE

    def is_inline(self, part: PagePart) -> bool:
        """Return whether a part, with all that is in it, runs in a line with other text."""
        return all(map(self.is_inline, part.members)) if part.members else self._runs(part)

    def is_positioned(self, part: PagePart) -> bool:
        """Return whether a part is positioned by itself, out of the flow."""
        return part.text < 0 and not part.members and self.positioned[part.element]

    def _runs(self, part: PagePart) -> bool:
        return part.text >= 0 or self._inline[part.element]

    def _children(self, element: int) -> Iterator[PagePart]:
        for child in self.outline.children[element]:
            box = self.boxes[child]
            if box and self._spills[child] and not self.positioned[child]:
                yield from self._children(child)  # it has no box, and what is in it is elsewhere
            elif box:
                yield self._element(child, box)
        for text in self.outline.texts[element]:
            if place := self.outline.places[text]:
                yield PagePart(place, element, text, self._sizes[text], self._good[text])

    def _element(self, element: int, box: Rect) -> PagePart:
        return PagePart(
            *(box, element, -1),
            *(self._characters[element], self._content[element], self._pictures[element]),
        )


def together(parts: Sequence[PagePart]) -> PagePart:
    """One part of several; `parts` are not empty."""
    if len(parts) == 1:
        return parts[0]
    rect = union(part.rect for part in parts) or parts[0].rect
    return PagePart(
        *(rect, parts[0].element, -1),
        characters=sum(p.characters for p in parts),
        good=sum(p.good for p in parts),
        pictures=sum(p.pictures for p in parts),
        members=tuple(parts),
    )


def _text(parts: Sequence[PagePart]) -> PagePart:
    return together(parts)._replace(is_whole=True)


def elements_of(part: PagePart) -> list[int]:
    """The elements that it is made of; of texts alone those that they are in."""
    waiting = [part]
    whole: set[int] = set()
    around: set[int] = set()
    while waiting:
        piece = waiting.pop()
        waiting += piece.members
        if not piece.members:
            (whole if piece.text < 0 else around).add(piece.element)
    return sorted(whole or around)
