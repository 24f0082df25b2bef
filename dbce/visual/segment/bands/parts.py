"""Parts of a page: elements, texts that stand beside elements, and several of these together.

Strips are parts in bands, one below another, or in columns, side by side.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from dbce.visual.segment.boxes import union

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from dbce.visual import Rect
    from dbce.visual.segment.boxes import Outline


class PagePart(NamedTuple):
    """An element (`text` is -1), a text with the element that it is in, or several parts together.

    `characters` counts those that are seen in it, `pictures` the elements that show something by themselves.
    """

    rect: Rect
    element: int
    text: int = -1
    characters: int = 0
    pictures: int = 0
    members: tuple[PagePart, ...] = ()

    @property
    def content(self) -> int:
        """Amount of content to see, in characters: a picture counts as a few words do."""
        return self.characters + PICTURE * self.pictures


PICTURE = 10
"""Characters that a picture counts for."""

PICTURES = frozenset("applet audio canvas embed iframe img input object select svg video".split())
"""Elements that show something without a text."""


PROSE = frozenset("p h1 h2 h3 h4 h5 h6 ul ol dl pre blockquote".split())
"""Elements that follow each other in a text; items of a list are none: each may be a teaser."""

RUN = 3
"""Prose siblings one after another from which on they are one text."""


class PageParts:
    """The parts of a page."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        page = outline.page
        self._sizes = [len(" ".join(text.text.split())) for text in page.texts]
        self._pictures = [int(element.tag in PICTURES) for element in page.elements]
        self._characters = [sum(self._sizes[n] for n in texts) for texts in outline.texts]
        self._inline = [page.styles[e.style].display == "inline" for e in page.elements]
        for n in range(len(page.elements) - 1, 0, -1):  # children stand behind their parents
            parent = page.elements[n].parent
            self._characters[parent] += self._characters[n]
            if outline.boxes[n]:
                self._pictures[parent] += self._pictures[n]
                self._inline[parent] &= self._inline[n]

    @property
    def page(self) -> PagePart:
        """All of it."""
        return self._element(0, self.outline.rect)

    def inside(self, part: PagePart) -> Sequence[PagePart]:
        """Return the parts of a part: its members, or the visible children and texts of its element.

        What alone is inside another stands for it, so there are several or none.
        """
        while part.text < 0 and not self._is_run(part):
            parts = part.members or self._in_runs(tuple(self._children(part.element)))
            if len(parts) != 1:
                return parts
            (part,) = parts
        return ()

    def _in_runs(self, parts: tuple[PagePart, ...]) -> tuple[PagePart, ...]:
        """Parts of which those that are one text stand together."""
        runs: list[PagePart] = []
        for is_prose, members in groupby(parts, self._is_prose):
            run = list(members)
            runs += [together(run)] if is_prose and len(run) >= RUN else run
        return tuple(runs)

    def _is_run(self, part: PagePart) -> bool:
        return len(part.members) >= RUN and all(map(self._is_prose, part.members))

    def _is_prose(self, part: PagePart) -> bool:
        tag = self.outline.page.elements[part.element].tag
        return part.text < 0 and not part.members and tag in PROSE

    def is_inline(self, part: PagePart) -> bool:
        """Return whether a part, with all that is in it, runs in a line with other text."""
        return all(map(self.is_inline, part.members)) if part.members else self._runs(part)

    def is_positioned(self, part: PagePart) -> bool:
        """Return whether a part is positioned over others, out of the flow."""
        page = self.outline.page
        style = page.styles[page.elements[part.element].style]
        return part.text < 0 and style.position in {"absolute", "fixed"}

    def _runs(self, part: PagePart) -> bool:
        return part.text >= 0 or self._inline[part.element]

    def _children(self, element: int) -> Iterator[PagePart]:
        for child in self.outline.children[element]:
            if box := self.outline.boxes[child]:
                yield self._element(child, box)
        for text in self.outline.texts[element]:
            if place := self.outline.places[text]:
                yield PagePart(place, element, text, self._sizes[text])

    def _element(self, element: int, box: Rect) -> PagePart:
        return PagePart(box, element, -1, self._characters[element], self._pictures[element])


def together(parts: Sequence[PagePart]) -> PagePart:
    """One part of several; `parts` are not empty."""
    if len(parts) == 1:
        return parts[0]
    rect = union(part.rect for part in parts) or parts[0].rect
    characters, pictures = sum(p.characters for p in parts), sum(p.pictures for p in parts)
    return PagePart(rect, parts[0].element, -1, characters, pictures, tuple(parts))


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


ACROSS, DOWN = 0, 1
"""Along which axis strips follow each other; its place in a rectangle, that of the length is 2 on."""


def strips(parts: PageParts, held: Sequence[PagePart], axis: int, slack: float) -> list[PagePart]:
    """Parts that lie beside each other along an axis, those that overlap by more than `slack` together.

    What is positioned hinders no cut, if there is anything else: it goes where its centre is.
    """
    in_flow = [part for part in held if not parts.is_positioned(part)] or held
    cuts = _cuts(((p.rect[axis], p.rect[axis + 2]) for p in in_flow), slack)
    groups: list[list[PagePart]] = [[] for _ in range(len(cuts) + 1)]
    for part in held:
        groups[bisect_right(cuts, part.rect[axis] + part.rect[axis + 2] / 2)].append(part)
    return [together(strip) for strip in groups if strip]


def _cuts(spans: Iterable[tuple[float, float]], slack: float) -> list[float]:
    """Return the middles of the gaps between spans, which are shortened by half of `slack` at each end."""
    middles = []
    reached: float | None = None
    for start, length in sorted(spans):
        shortened = min(slack, length) / 2
        low, high = start + shortened, start + length - shortened
        if reached is not None and low >= reached:
            middles.append((low + reached) / 2)
        reached = high if reached is None else max(reached, high)
    return middles


def joined(
    held: Sequence[PagePart], axis: int, is_slight: Callable[[PagePart], bool]
) -> list[PagePart]:
    """Strips of which each slight one is joined to its shorter neighbour, the first of equal ones."""
    groups = [[part] for part in held]
    wholes = list(held)
    n = 0
    while n < len(wholes):
        if len(wholes) == 1 or not is_slight(wholes[n]):
            n += 1
            continue
        beside = [m for m in (n - 1, n + 1) if 0 <= m < len(wholes)]
        n = min(n, min(beside, key=lambda m: (wholes[m].rect[axis + 2], m)))
        groups[n] += groups.pop(n + 1)
        wholes[n] = _sum(wholes[n], wholes.pop(n + 1))
    return [together(group) for group in groups]


def _sum(a: PagePart, b: PagePart) -> PagePart:
    """Rectangle and content of two, without what they are made of."""
    return together((a, b))._replace(members=())


def nearest(strip: Sequence[PagePart], rect: Rect) -> int:
    """The place of the part whose centre is nearest to that of a rectangle; of equal ones the first."""
    x, y = rect.x + rect.w / 2, rect.y + rect.h / 2

    def distance(n: int) -> float:
        other = strip[n].rect
        return abs(other.x + other.w / 2 - x) + abs(other.y + other.h / 2 - y)

    return min(range(len(strip)), key=lambda n: (distance(n), n))
