"""Datelines: the short texts beside the headline of a page, where most have their date."""

from __future__ import annotations

import re
from bisect import bisect_left
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from dbce.metadata.dates import may_have_dates
from dbce.metadata.opening import names_page, title_keys

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.model import Page

HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
FEWEST = 8
"""Characters of a headline that is no heading; fewer are in many titles by chance."""
HEADLINES = 3  # of a page that are looked at
BEFORE, BEHIND = 6, 14
"""Texts before and behind a headline that are looked at: a byline, buttons to share, a standfirst."""
LONGEST = 100  # characters of a dateline
PROSE = 150  # characters from which a text is a paragraph
PARAGRAPHS = 2  # behind a headline, before the last of which its dateline stands
PART = 16  # characters of a part of a date that is set in several elements, such as its month
HEAD = 32  # characters of a paragraph that may begin with its date
DIGIT = re.compile(r"\d")


class Line(NamedTuple):
    """A text that may say when the page was published.

    It may stand above the headline, where today's date is, or behind a paragraph, where a footer may be.
    """

    text: str
    above: bool
    behind_prose: bool = False


def beside_headline(page: Page, titles: Sequence[str]) -> Iterator[Line]:
    """The lines around the headings that titles name, those behind a heading first, the nearest first.

    The heading that says the most of a title comes first: others are called after the site.
    """
    for first, behind in _headlines(page, titles):
        yield from _datelines(_texts(page, behind, behind + BEHIND))
        yield from _above(page, first)


def above_text(page: Page) -> Iterator[Line]:
    """The lines above the first paragraph, the nearest first: for pages whose headline is unknown."""
    first = next((n for n, node in enumerate(page.nodes) if len(node.text) >= PROSE), 0)
    yield from _above(page, first)


def short_texts(page: Page) -> Iterator[str]:
    """The texts of a page that are no longer than a dateline."""
    return (node.text for node in page.nodes if len(node.text) <= LONGEST)


def _headlines(page: Page, titles: Sequence[str]) -> list[tuple[int, int]]:
    """The number of the first text of each headline and of the one behind it, the longest first."""
    keys = title_keys(titles)
    headlines = [
        (-len(text), first, behind)
        for first, behind in _headings(page)
        if names_page(text := "".join(node.text for node in page.nodes[first:behind]), keys)
    ]
    if not headlines:
        written = "\n".join(titles).lower()
        headlines = [
            (-len(text), number, number + 1)
            for number, node in enumerate(page.nodes)
            if len(node.text) < PROSE
            if len(text := node.text.strip()) >= FEWEST and text.lower() in written
        ]
    return [(first, behind) for _, first, behind in sorted(headlines)[:HEADLINES]]


def _headings(page: Page) -> Iterator[tuple[int, int]]:
    """The number of the first text of each heading and of the one behind it."""
    begun = attrgetter("after")
    for heading, tag in enumerate(page.tags):
        if tag in HEADINGS:
            first = behind = bisect_left(page.nodes, heading, key=begun)
            while behind < len(page.nodes) and _is_below(page, page.nodes[behind].element, heading):
                behind += 1
            yield first, behind


def _is_below(page: Page, element: int, ancestor: int) -> bool:
    while element > ancestor:
        element = page.parents[element]
    return element == ancestor


def _above(page: Page, first: int) -> Iterator[Line]:
    lines = [*_datelines(_texts(page, max(0, first - BEFORE), first))]
    return (line._replace(above=True) for line in reversed(lines))


def _texts(page: Page, start: int, stop: int) -> list[str]:
    return [" ".join(node.text.split()) for node in page.nodes[start:stop]]


def _datelines(texts: Sequence[str]) -> Iterator[Line]:
    """Short texts and heads of paragraphs, each with its label and the other parts of its date."""
    if not may_have_dates("\n".join(texts)):
        return
    paragraphs = 0
    for number, text in enumerate(texts):
        paragraphs += len(text) >= PROSE
        if paragraphs == PARAGRAPHS:
            return
        if len(text) > LONGEST:
            yield Line(text[:HEAD], above=False, behind_prose=paragraphs > 0)
            continue
        label = texts[number - 1] if number else ""
        is_label = len(label) <= HEAD and not DIGIT.search(label)
        parts = texts[number + 1 : number + 3] if len(text) <= PART else ()
        parts = (label if is_label else "", text, *(part for part in parts if len(part) <= PART))
        yield Line(" ".join(parts).strip(), above=False, behind_prose=paragraphs > 0)
