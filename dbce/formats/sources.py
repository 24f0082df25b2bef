"""Sources of blocks: the element, the characters of the main text and the probability of each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dbce.formats.part import Source
from dbce.formats.plain import plain_line
from dbce.html import element_xpaths, holders

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.formats.lines import Line
    from dbce.formats.part import Part
    from dbce.html import Mark
    from dbce.model import Page


class Sources:
    """The sources of the lines of one annotated page.

    `marks` are those of its text nodes, which say how likely each is content.
    """

    def __init__(self, page: Page, content: Sequence[int], marks: Sequence[Mark]) -> None:
        own = {page.nodes[node].element for node, mark in enumerate(marks) if mark.is_span}
        self._page = page
        self._marks = marks
        self._content = frozenset(content)
        self._holder = holders(page)
        self._xpaths = element_xpaths(page, own)

    def of(
        self, leaves: Iterable[tuple[Line, Part | None]], *, is_of_text: bool
    ) -> Iterator[tuple[Line, Part | None]]:
        """The lines and their leaves, with their sources; with places in the main text if they are those `is_of_text`."""
        start = 0
        for line, leaf in leaves:
            if leaf is None:
                yield line, None
                continue
            end = start + len(plain_line(leaf))
            span = (start, end) if is_of_text else (None, None)
            yield line, replace(leaf, source=self._source(line, span))
            start = end + 1

    def _source(self, line: Line, span: tuple[int | None, int | None]) -> Source:
        first = line.rows[0][0].element
        pre = line.place.verbatim
        nodes = [node for node in _nodes(line) if node in self._content]
        weights = [len(self._page.nodes[node].text) or 1 for node in nodes]
        weighted = sum(
            weight * self._marks[node].probability
            for node, weight in zip(nodes, weights, strict=True)
        )
        return Source(
            xpath=self._xpaths[pre if pre >= 0 else self._holder[first]],
            probability=round(weighted / sum(weights), 2) if nodes else None,
            start=span[0],
            end=span[1],
        )


def _nodes(line: Line) -> Iterator[int]:
    """The text nodes of a line, those that a formula stands for too."""
    for row in line.rows:
        for token in row:
            if token.node >= 0:
                yield token.node
            yield from range(*token.stands_for)
