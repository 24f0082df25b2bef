"""The opening of a page, which is content always: the headline, and the standfirst below it.

The headline is the first heading that one of the page's titles names, the standfirst the first text soon behind it
that its description begins with. Sites set both in places of their template; what they say is the page's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.metadata import letters, names_page, title_keys

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.boilerplate.decide.lines import LineValues
    from dbce.metadata import Opening
    from dbce.model import Page

SOON = 20
"""Lines behind the headline that are looked at for the standfirst: byline, date, share bar and caption may be between."""

LEAST, MOST = 40, 60
"""Letters and digits with which a text and a description begin alike, if the one is a standfirst of the other."""


def opening_lines(
    page: Page, lines: LineValues, levels: Sequence[int], opening: Opening
) -> Iterator[int]:
    """The lines of headline and standfirst, as far as they are there; `levels` are those of headings, 0 of others."""
    keys = title_keys((*opening.titles, page.title))
    headings = _texts(page, lines, [line for line, level in enumerate(levels) if level])
    headline = next((line for line, text in headings if names_page(text, keys)), None)
    if headline is not None:
        yield headline
        soon = range(headline + 1, min(headline + 1 + SOON, len(levels)))
        yield from standfirst(page, lines, [n for n in soon if not levels[n]], opening)


def standfirst(
    page: Page, lines: LineValues, behind: Sequence[int], opening: Opening
) -> Iterator[int]:
    """The first of some lines that begins as a description of the page does; none if none does."""
    begins = [key for text in opening.descriptions if len(key := letters(text)[:MOST]) >= LEAST]
    for line, text in _texts(page, lines, behind if begins else ()):
        own = letters(text)[:MOST]
        if len(own) >= LEAST and any(key.startswith(own) or own.startswith(key) for key in begins):
            yield line
            return


def _texts(page: Page, lines: LineValues, wanted: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Lines that a reader sees, and that are no asides, with their texts, in order."""
    texts: dict[int, list[str]] = {n: [] for n in wanted if lines.shown[n] and not lines.aside[n]}
    for node, line in zip(page.nodes, lines.of_node, strict=True):
        if line in texts:
            texts[line].append(node.text)
    return ((line, "".join(parts)) for line, parts in texts.items())
