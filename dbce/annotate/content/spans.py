"""Spans: stretches of text nodes with what people say of them, and those of several people put together.

Two runs of one archive may split a text node differently. So what is said holds for characters of
the node, whatever was split how when it was said.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


class Mark(StrEnum):
    """Label that a person gives a text."""

    CONTENT = "content"
    BOILERPLATE = "boilerplate"
    COMMENT = "comment"  # of a user
    UNDECIDED = "undecided"  # seen, and left out of the gold


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` of a text node, with what somebody says of them.

    `node` orders the text nodes of a capture; `text` is as parsed, white space included, or (in gold
    that came from elsewhere) with its white space normalised. `hidden` says that nobody said so: the
    page does not show the text, and it is boilerplate by rule.
    """

    node: int
    xpath: str
    start: int
    end: int
    text: str
    mark: Mark
    hidden: bool = False

    @property
    def can_be_cut(self) -> bool:
        """Tell whether a part of the span has a known text."""
        return len(self.text) == self.end - self.start

    def overlaps(self, other: Span) -> bool:
        """Tell whether both cover some character."""
        return self.xpath == other.xpath and self.start < other.end and other.start < self.end

    def covers(self, start: int, end: int) -> int:
        """Return the number of some characters of its node that it covers."""
        return max(0, min(end, self.end) - max(start, self.start))


def painted_over(spans: Sequence[Span], new: Sequence[Span]) -> list[Span]:
    """Return the spans that are left, whole, where others are put over them; then those."""
    of_node = _by_xpath(new)
    left = [old for old in spans if not any(map(old.overlaps, of_node.get(old.xpath, ())))]
    return left + list(new)


def remainders(spans: Iterable[Span], new: Iterable[Span], texts: Mapping[str, str]) -> list[Span]:
    """Return the parts that stick out of spans that others are put over, with the marks that they have.

    `texts` has the text of every text node by its XPath. White space alone does not stick out.
    """
    rest = []
    of_node = _by_xpath(new)
    for old in spans:
        over = [span for span in of_node.get(old.xpath, ()) if old.overlaps(span)]
        if not over:
            continue
        edges = sorted(
            {old.start, old.end, *(edge for span in over for edge in (span.start, span.end))}
        )
        for start, end in pairwise(edge for edge in edges if old.start <= edge <= old.end):
            text = texts[old.xpath][start:end]
            if text.strip() and not any(span.covers(start, end) for span in over):
                rest.append(replace(old, start=start, end=end, text=text))
    return rest


def mark_of(spans: Iterable[Span], start: int, end: int) -> Span | None:
    """Return the span that says what most of some characters of its node are; None if none does.

    Spans with one mark count together; the last of them is returned.
    """
    covered: Counter[Mark] = Counter()
    last = {}
    for span in spans:
        if characters := span.covers(start, end):
            covered[span.mark] += characters
            last[span.mark] = span
    if 2 * covered.total() <= end - start:
        return None
    return last[covered.most_common(1)[0][0]]


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of a text node on which nobody's opinion changes, and each one's opinion by name."""

    node: int
    xpath: str
    start: int
    end: int
    text: str
    said: Mapping[str, Span]


def pieces(layers: Mapping[str, Sequence[Span]]) -> Iterator[Piece]:
    """Yield the text of a capture as all who spoke of it split it together, in document order."""
    named = [(span, name) for name, spans in layers.items() for span in spans]
    order: dict[str, tuple[int, int]] = {}
    for span, _ in named:
        order.setdefault(span.xpath, (span.node, len(order)))
    named.sort(key=lambda one: (order[one[0].xpath], one[0].start))
    for xpath, group in groupby(named, key=lambda one: one[0].xpath):
        of_node = list(group)
        for start, end in pairwise(_edges([span for span, _ in of_node])):
            said = {}
            for name in layers:
                opinion = mark_of([span for span, whose in of_node if whose == name], start, end)
                if opinion is not None:
                    said[name] = opinion
            if said and (text := _text(said.values(), start, end)).strip():
                yield Piece(order[xpath][0], xpath, start, end, text, said)


def _edges(spans: Sequence[Span]) -> list[int]:
    """Return the characters at which something changes; a span whose parts have no known text is not cut."""
    whole = [span for span in spans if not span.can_be_cut]
    edges = {edge for span in spans for edge in (span.start, span.end)}
    return sorted(e for e in edges if not any(span.start < e < span.end for span in whole))


def _text(spans: Iterable[Span], start: int, end: int) -> str:
    """Return the text of some characters, from a span that has them."""
    known = ""
    for span in spans:
        if (span.start, span.end) == (start, end):
            return span.text
        if span.can_be_cut and span.start <= start and end <= span.end:
            return span.text[start - span.start : end - span.start]
        known = known or span.text
    return known


def _by_xpath(spans: Iterable[Span]) -> dict[str, list[Span]]:
    of_node: dict[str, list[Span]] = {}
    for span in spans:
        of_node.setdefault(span.xpath, []).append(span)
    return of_node
