"""Sources of blocks: the element, the characters of the main text and the probability of each."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from dbce.formats.part import Source
from dbce.html import element_xpaths, holders, lines
from dbce.model import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.formats.lines import Line
    from dbce.html import Mark
    from dbce.model import Page


class Sources:
    """The sources of the lines of one annotated page.

    `marks` are those of its text nodes, `text` is its main text. Where that cannot be found in the page
    as it was marked (it has characters that HTML cannot carry), no block has its place in it.
    """

    def __init__(
        self, page: Page, content: Sequence[int], marks: Sequence[Mark], text: str
    ) -> None:
        own = {page.nodes[node].element for node, mark in enumerate(marks) if mark.is_span}
        self._page = page
        self._marks = marks
        self._content = frozenset(content)
        self._holder = holders(page)
        self._xpaths = element_xpaths(page, own)
        self._span_of = _spans(page, content, self._holder, text)

    def source(self, line: Line) -> Source:
        """The source of a line."""
        first = line.rows[0][0].element
        pre = line.place.verbatim
        nodes = [node for node in _nodes(line) if node in self._content]
        spans = [self._span_of[node] for node in nodes if node in self._span_of]
        weights = [len(self._page.nodes[node].text) or 1 for node in nodes]
        weighted = sum(
            weight * self._marks[node].probability
            for node, weight in zip(nodes, weights, strict=True)
        )
        return Source(
            xpath=self._xpaths[pre if pre >= 0 else self._holder[first]],
            probability=round(weighted / sum(weights), 2) if nodes else None,
            start=min(start for start, _ in spans) if spans else None,
            end=max(end for _, end in spans) if spans else None,
        )


def _nodes(line: Line) -> Iterator[int]:
    """The text nodes of a line, those that a formula stands for too."""
    for row in line.rows:
        for token in row:
            if token.node >= 0:
                yield token.node
            yield from range(*token.stands_for)


def _spans(
    page: Page, content: Sequence[int], holder: Sequence[int], text: str
) -> dict[int, tuple[int, int]]:
    """For each text node first and end of its line in the main text; none if that is another."""
    line_of = lines(page, holder)
    spans: dict[int, tuple[int, int]] = {}
    start = 0
    for _, group in groupby(content, key=lambda node: line_of[node]):
        nodes = list(group)
        line = " ".join(printable("".join(_pieces(page, nodes))).split())
        if not line:
            continue
        if not text.startswith(line, start):
            return {}
        spans |= dict.fromkeys(nodes, (start, start + len(line)))
        start += len(line) + 1
    return spans if start == len(text) + bool(text) else {}


def _pieces(page: Page, nodes: Sequence[int]) -> Iterator[str]:
    """The texts of a line, parted as `dbce.html.main_text` parts them."""
    last = nodes[0]
    for node in nodes:
        if node - last > 1 or (node > last and page.nodes[node].spaced):
            yield " "
        yield page.nodes[node].text
        last = node
