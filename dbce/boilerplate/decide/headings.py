"""Headings go with what they name: a section of which something stays, or the table or list just behind them.

Those that a page sets alike are judged together: of one name alone, "Overview", a model is often unsure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from dbce.boilerplate.decide.tree import APART, LISTED, LineValues, Structure, around, heading_of
from dbce.metadata import Opening, letters, names_page, title_keys
from dbce.model import Page

LEAN = 0.03
"""Gain a word by which a heading may fail and stays with the text that it stands before."""


def before_text(lines: LineValues, kept: Sequence[bool], headings: Iterable[int]) -> list[int]:
    """The headings that readers see and that stand just before text that stays."""
    return [
        line
        for line, after in pairwise((*headings, len(kept)))
        if after > line + 1 and kept[line + 1] and lines.shown[line] and not lines.aside[line]
    ]


def alike(
    page: Page, lines: LineValues, element: Sequence[int], some: Sequence[int]
) -> dict[int, float]:
    """For some headings the mean gain of those of them with the same tag and classes, below parents with the same."""
    of_kind: dict[tuple[str, ...], list[int]] = {}
    for line in some:
        own = heading_of(page, element[line])
        outer = page.parents[own]
        kind = page.tags[own], page.classes[own], page.tags[outer], page.classes[outer]
        of_kind.setdefault(kind, []).append(line)
    means = {
        kind: sum([lines.gains[line] for line in same]) / len(same)
        for kind, same in of_kind.items()
    }
    return {line: means[kind] for kind, same in of_kind.items() for line in same}


def decide_headings(
    gains: Mapping[int, float],
    kept: list[bool],
    headings: dict[int, int],
    structures: Mapping[int, Structure],
    innermost: Sequence[int],
) -> None:
    """Drop headings whose sections, and the sections below them, have text of which nothing stays.

    `gains` are those of headings just before text that stays: they are kept if they fail by LEAN at most, or if they
    name a table or list there and are not clearly of another kind. `headings` have their levels, in order; `innermost` is
    the structure of each line, -1 for none. Headings that follow each other stay as they are: such as a title and its subtitle.
    """
    deeper: list[
        tuple[int, bool]
    ] = []  # headings behind, by level, and whether they or what is below them stays
    after = len(kept)
    for line, level in reversed(headings.items()):
        below = False
        while deeper and deeper[-1][0] > level:
            below |= deeper.pop()[1]
        if line in gains:
            gain = gains[line]
            kept[line] = gain >= -LEAN or (
                gain >= -APART and _names_structure(structures, innermost, line)
            )
        elif kept[line]:
            follows = after == line + 1 < len(kept)
            stays = below or (follows and headings[after] <= level)
            kept[line] = stays or any(kept[line + 1 : after])
        deeper.append((level, kept[line] or below))
        after = line


def _names_structure(
    structures: Mapping[int, Structure], innermost: Sequence[int], line: int
) -> bool:
    """Return whether a table or list of several lines that is one decision begins just behind a line."""
    if line + 2 >= len(innermost):
        return False
    outside, first, second = (set(around(structures, innermost[n])) for n in range(line, line + 3))
    return any(
        structures[e].tag in LISTED and not structures[e].is_open
        for e in first.intersection(second) - outside
    )


# The opening of a page, which is content always: the headline, and the standfirst below it.
#
# The headline is the first heading that one of the page's titles names, the standfirst the first
# text soon behind it that its description begins with. Sites set both in places of their
# template; what they say is the page's own.


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
