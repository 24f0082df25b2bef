"""Features of what is around a line: things alike, repetition, headings, boxes to write in, the page.

**Things alike** are elements that the same path of tags, classes and ids leads to: cards, rows, entries,
posts. A list of them may be what the page is for, or stand around it.

**Repetition** is how much of what is around a line other pages have too. A menu repeats and stands among
what repeats; an entry of a glossary that is on eight pages stands among others that are not. And where
nearly all of a page repeats, repeating says little.

**Sections** begin at headings, and the headline is the line that says the title.

**Replies**: what stands around a box to write in was often written by readers, too. Under an article the
box stands beside the comments, and the article elsewhere; in a forum what stands around it is most of the
page.

**The kind of page** is counted, not named: an article, a list of links, a shop's shelf and a forum keep
different things. The counts are features of every line, and the trees make of them what holds on the
pages they know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dbce.boilerplate.classify.forest import LEVELS, by_tag, inherited, nearest, with_all_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.forest import Forest
    from dbce.boilerplate.classify.lines import Lines

REPETITION = ("place_shared", "page_shared", "page_prose_shared", "page_own")
"""Names of the features that are not of a level."""

HEADINGS = {f"h{level}": level for level in range(1, 7)}

MAJOR = 2
"""Level down to which a heading parts the page."""

TITLE_SHARE = 0.5
"""Share of the title's words that a line has at least to be the headline."""

BOX = "textarea"
"""The element that readers write in, when it is more than a word to search for."""

COUNTED = {
    "images": frozenset({"img", "picture", "svg", "figure"}),
    "inputs": frozenset({"input", "select", "textarea", "button"}),
    "items": frozenset({"li", "dt"}),
    "cells": frozenset({"td", "th"}),
    "times": frozenset({"time"}),
    "articles": frozenset({"article"}),
    "headings": frozenset({"h1", "h2", "h3", "h4", "h5", "h6"}),
}
"""Elements that are counted, by the feature's name."""

FURNITURE = frozenset({"nav", "header", "footer", "aside"})
"""Elements that pages of today set around their content."""


def item_features(forest: Forest, lines: Lines) -> dict[str, Floats]:
    """Features of the things alike that each line is part of, by name.

    At each level: how many there are on the page, which share of its words they hold, how many words
    one of them has, and which share of them comes before this one.
    """
    page = lines.page
    elements = len(forest.parents)
    of_page = np.repeat(np.arange(len(forest.starts) - 1), np.diff(forest.starts))
    _, kind = np.unique(forest.path + of_page * len(forest.paths), return_inverse=True)
    own = np.bincount(lines.holder, lines.words, elements)
    (words,) = with_all_below(forest, own[np.newaxis].astype(np.float64))
    count, together = np.bincount(kind), np.bincount(kind, words)
    page_words = words[forest.starts[page]]
    order = np.argsort(kind, kind="stable")
    before = np.empty(elements, np.int64)
    before[order] = np.arange(elements) - np.repeat(np.cumsum(count) - count, count)
    columns = {}
    element = lines.holder
    for level in range(max(LEVELS) + 1):
        if level in LEVELS:
            which = kind[element]
            columns[f"up{level}_alike"] = count[which]
            columns[f"up{level}_alike_share"] = together[which] / page_words
            columns[f"up{level}_alike_words"] = together[which] / count[which]
            columns[f"up{level}_alike_before"] = before[element] / count[which]
        element = forest.parents[element]
    return {name: values.astype(np.float32) for name, values in columns.items()}


def repetition_features(
    forest: Forest, lines: Lines, shared: Floats, prose: Floats
) -> dict[str, Floats]:
    """Means of how widely lines are shared, weighed by words, by name; NaN on pages that nothing was compared with.

    Over the elements around the line, level by level; over all lines at its place; over the page, its
    prose, and what the page has in common with fewer than half of the others, as a share of it.
    """
    elements = len(forest.parents)
    is_known = ~np.isnan(shared)
    share = np.where(is_known, shared, 0)
    words = is_known * lines.words
    sums = [np.bincount(lines.holder, values, elements) for values in (share * lines.words, words)]
    above, below = with_all_below(forest, np.stack(sums).astype(np.float64))
    columns: dict[str, NDArray[np.float64]] = {}
    element = lines.holder
    for level in range(max(LEVELS) + 1):
        if level in LEVELS:
            columns[f"up{level}_shared"] = _ratio(above[element], below[element])
        element = forest.parents[element]
    page = lines.page
    _, place = np.unique(forest.path[lines.holder] + page * len(forest.paths), return_inverse=True)
    for name, group, weight in (
        ("place_shared", place, words),
        ("page_shared", page, words),
        ("page_prose_shared", page, is_known * prose),
    ):
        columns[name] = _share(group, share * weight, weight)
    rare = np.where(is_known, shared, 1) < 1 / 2
    columns["page_own"] = _share(page, words * rare, words)
    return {name: values.astype(np.float32) for name, values in columns.items()}


def _share(group: Ints, part: Floats, whole: Floats) -> Any:
    """The sum of `part` over the group of each line, as a share of that of `whole`."""
    return _ratio(np.bincount(group, part), np.bincount(group, whole))[group]


def _ratio(part: Any, whole: Any) -> Any:
    return np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)


def headings(forest: Forest, lines: Lines) -> tuple[Ints, Ints]:
    """(for each line the last heading up to it on its page, -1 where there is none, levels of lines).

    The level of a line that is no heading is 0.
    """
    of_path = by_tag(forest, lambda tag: HEADINGS.get(tag, 0))
    level = of_path[forest.path[lines.holder]]
    return _last_chosen(level > 0, lines), level


def section_features(
    lines: Lines, last: Ints, level: Ints, title_cover: Floats
) -> dict[str, Floats]:
    """Features of the section that each line is in, by name; NaN where there is none.

    Level of the last heading, lines since it, lines since the last one of the first two levels, and
    lines since the headline: that of the lines with most words of the title which comes first. `last`
    and `level` are those of `headings`.
    """
    line = np.arange(len(level))
    major = _last_chosen((level > 0) & (level <= MAJOR), lines)
    columns = {
        "heading_level": np.where(last >= 0, level[last], np.nan),
        "heading_lines": np.where(last >= 0, line - last, np.nan),
        "major_lines": np.where(major >= 0, line - major, np.nan),
        "from_title": line - _headlines(lines, title_cover)[lines.page],
    }
    return {name: values.astype(np.float32) for name, values in columns.items()}


def _last_chosen(chosen: NDArray[np.bool_], lines: Lines) -> Ints:
    """The last chosen line up to each line on its page, -1 where there is none."""
    line = np.arange(len(chosen))
    last = np.maximum.accumulate(np.where(chosen, line, -1))
    return np.where(last >= lines.starts[lines.page], last, -1)


def _headlines(lines: Lines, title_cover: Floats) -> Floats:
    """The line of each page that says its title, NaN where none does."""
    headline = np.full(len(lines.starts) - 1, np.nan, dtype=np.float32)
    best = np.maximum.reduceat(title_cover, lines.starts[:-1])
    candidates = np.flatnonzero((title_cover == best[lines.page]) & (title_cover >= TITLE_SHARE))
    page, first = np.unique(lines.page[candidates], return_index=True)
    headline[page] = candidates[first]
    return headline


def reply_features(forest: Forest, lines: Lines, prose: Floats) -> dict[str, Floats]:
    """Features of each line beside the boxes to write in, by name; NaN on pages without one.

    Of the smallest element that holds the line and a box: the share of the page's words and of its
    prose that it has, and how many elements it is above the line. Then how many lines there are to the
    next box, and from the last one.
    """
    elements = len(forest.parents)
    is_box = by_tag(forest, lambda tag: tag == BOX)[forest.path]
    own = [np.bincount(lines.holder, values, elements) for values in (lines.words, prose)]
    boxes, words, its_prose = with_all_below(forest, np.stack([is_box.astype(np.float64), *own]))
    root = forest.starts[lines.page]
    has_box = boxes > 0
    has_box[forest.starts[:-1]] = True
    around = nearest(forest, lines.holder, has_box)
    columns = {
        "reply_share": words[around] / words[root],
        "reply_prose_share": its_prose[around] / np.maximum(its_prose[root], 1),
        "reply_up": forest.depth[lines.holder] - forest.depth[around],
        **_distances(np.flatnonzero(is_box), lines),
    }
    on_page = boxes[root] > 0
    return {
        name: np.where(on_page, values, np.nan).astype(np.float32)
        for name, values in columns.items()
    }


def _distances(box: Ints, lines: Lines) -> dict[str, Floats]:
    """Lines from each line to the next box, and from the last one, NaN where there is none.

    Elements and lines are in document order; a box stands behind the lines whose elements begin before
    it.
    """
    line = np.arange(len(lines.holder))
    place = np.append(np.searchsorted(np.maximum.accumulate(lines.holder), box), np.inf)
    behind = np.searchsorted(place, line, side="right")
    following, preceding = place[behind], np.append(-np.inf, place)[behind]
    starts, ends = lines.starts[lines.page], lines.starts[lines.page + 1]
    return {
        "to_reply": np.where(following <= ends, following - line, np.nan),
        "from_reply": np.where(preceding > starts, line - preceding, np.nan),
    }


def kind_features(forest: Forest, lines: Lines, prose: Floats) -> dict[str, Floats]:
    """Features of the page that each line stands on, by name; counts are for each line of the page."""
    page = lines.page
    pages = len(lines.starts) - 1
    of_page = np.repeat(np.arange(pages), np.diff(forest.starts))
    count = np.bincount(page, minlength=pages)
    words = np.bincount(page, lines.words, pages)
    furniture = inherited(forest, by_tag(forest, lambda tag: int(tag in FURNITURE)))
    in_furniture = furniture[forest.path[lines.holder]]
    columns: dict[str, NDArray[np.generic]] = {
        "page_lines": count,
        "page_links": np.bincount(page, lines.words * lines.linked, pages) / words,
        "page_length": words / count,
        "page_longest": np.maximum.reduceat(prose, lines.starts[:-1]),
        "page_furniture": np.bincount(page, lines.words * (in_furniture > 0), pages) / words,
        "page_elements": np.diff(forest.starts) / count,
    }
    for name, tags in COUNTED.items():
        is_one = by_tag(forest, tags.__contains__)[forest.path]
        columns[f"page_{name}"] = np.bincount(of_page[is_one], minlength=pages) / count
    return {name: values.astype(np.float32)[page] for name, values in columns.items()}
