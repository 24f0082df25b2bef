"""The opening of a page, which is content always: the headline, and the standfirst below it.

The headline is the first heading that one of the page's titles names, the standfirst the first text soon behind it
that its description begins with. Sites set both in places of their template; what they say is the page's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.metadata import letters, names_page, title_keys

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from dbce.boilerplate.decide.lines import LineValues
    from dbce.metadata import Opening
    from dbce.model import Page

SOON = 20
"""Lines behind the headline that are looked at for the standfirst: byline, date, share bar and caption may be between."""

LEAST, MOST = 40, 60
"""Letters and digits with which a text and a description begin alike, if the one is a standfirst of the other."""


def opening_lines(
    page: Page, lines: LineValues, headings: Collection[int], opening: Opening
) -> Iterator[int]:
    """The lines of headline and standfirst, as far as they are there."""
    keys = title_keys({*opening.titles, page.title})
    named = (n for n, text in _texts(page, lines, headings) if names_page(text, keys))
    headline = next(named, None)
    if headline is not None:
        yield headline
        soon = range(headline + 1, min(headline + 1 + SOON, len(lines.gains)))
        yield from standfirst(page, lines, [n for n in soon if n not in headings], opening)


def standfirst(
    page: Page, lines: LineValues, behind: Sequence[int], opening: Opening
) -> Iterator[int]:
    """The first of some lines that begins as a description of the page does; none if none does."""
    keys = {letters(text)[:MOST] for text in {*opening.descriptions}}
    begins = [key for key in keys if len(key) >= LEAST]
    for line, text in _texts(page, lines, behind if begins else ()):
        own = letters(text)[:MOST] if len(text) >= LEAST else ""
        if len(own) >= LEAST and any(key.startswith(own) or own.startswith(key) for key in begins):
            yield line
            return


def _texts(page: Page, lines: LineValues, wanted: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Lines that a reader sees, and that are no asides, with their texts, in order."""
    for line in wanted:
        if lines.shown[line] and not lines.aside[line]:
            yield line, "".join([node.text for node in lines.nodes(page, line)])
