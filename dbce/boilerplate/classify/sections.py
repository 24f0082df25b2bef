"""Where a line stands beside the headings of its page, and beside the line that says its title."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify.forest import by_tag

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.forest import Forest
    from dbce.boilerplate.classify.lines import Lines

HEADINGS = {f"h{level}": level for level in range(1, 7)}

MAJOR = 2
"""Level down to which a heading parts the page."""

MOST = 0.5
"""Share of the title's words that a line has at least to be the headline."""


def headings(forest: Forest, lines: Lines) -> tuple[Ints, Ints]:
    """(for each line the last heading up to it on its page, -1 where there is none, levels of lines).

    The level of a line that is no heading is 0.
    """
    of_path = by_tag(forest, lambda tag: HEADINGS.get(tag, 0))
    level = of_path[forest.path[lines.holder]]
    return _last(level > 0, lines), level


def section_features(
    lines: Lines, last: Ints, level: Ints, title_cover: Floats
) -> dict[str, Floats]:
    """Features of the section that each line is in, by name; NaN where there is none.

    Level of the last heading, lines since it, lines since the last one of the first two levels, and
    lines since the headline: that of the lines with most words of the title which comes first. `last`
    and `level` are those of `headings`.
    """
    line = np.arange(len(level))
    major = _last((level > 0) & (level <= MAJOR), lines)
    found = {
        "heading_level": np.where(last >= 0, level[last], np.nan),
        "heading_lines": np.where(last >= 0, line - last, np.nan),
        "major_lines": np.where(major >= 0, line - major, np.nan),
        "from_title": line - _headlines(lines, title_cover)[lines.page],
    }
    return {name: values.astype(np.float32) for name, values in found.items()}


def _last(chosen: NDArray[np.bool_], lines: Lines) -> Ints:
    """For each line the last chosen one up to it on its page, -1 where there is none."""
    line = np.arange(len(chosen))
    found = np.maximum.accumulate(np.where(chosen, line, -1))
    return np.where(found >= lines.starts[lines.page], found, -1)


def _headlines(lines: Lines, title_cover: Floats) -> Floats:
    """The line of each page that says its title, NaN where none does."""
    found = np.full(len(lines.starts) - 1, np.nan, dtype=np.float32)
    best = np.maximum.reduceat(title_cover, lines.starts[:-1])
    candidates = np.flatnonzero((title_cover == best[lines.page]) & (title_cover >= MOST))
    for number in candidates[::-1].tolist():
        found[lines.page[number]] = number
    return found
