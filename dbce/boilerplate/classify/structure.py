"""Features of a line's place: in the tree, among its neighbours, and beside the bulk of the prose."""

from itertools import pairwise
from typing import Any

import numpy as np

from dbce.boilerplate.classify.lines import (
    LEVELS,
    Columns,
    Doubles,
    Floats,
    Ints,
    Lines,
    Paths,
    tag_values,
)
from dbce.kernel import compiled
from dbce.model import Mask

TAGS = tuple(
    "p li td div span h1 h2 h3 h4 h5 h6 pre blockquote dt dd th section article label option "
    "figcaption caption center form ul ol body table tr dl address main header footer nav aside "
    "legend fieldset summary details".split()
)
_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}
NUMBERS = tag_values(lambda tag: _NUMBERS.get(tag, len(TAGS)))
IS_BLOCK = tag_values(lambda tag: tag != "p")

WITHIN = (
    *("nav", "header", "footer", "aside", "article", "main", "form", "table", "ul", "ol", "li"),
    *("pre", "blockquote", "figure", "dl", "p"),
)
"""Ancestors worth knowing of."""

_BITS = {tag: 1 << number for number, tag in enumerate(WITHIN)}
BITS = tag_values(lambda tag: _BITS.get(tag, 0))

LONG = 10  # words from which a line without many links counts as prose
FAR = 99  # distance to a next or last line of prose where there is none


def structure_features(lines: Lines) -> Columns:
    forest, words, holder = lines.forest, lines.words, lines.holder
    is_long = (words >= LONG) & (lines.linked < 1 / 3)
    prose = np.where(is_long, np.minimum(words, 100) * (1 - lines.linked), 0)
    columns: Columns = {"tag": forest.by_tag(NUMBERS, holder), "depth": forest.depth[holder]}
    within = forest.inherit(BITS[forest.tag])[forest.path[holder]]
    columns |= {f"in_{tag}": (within & bit) > 0 for tag, bit in _BITS.items()}
    columns |= _ancestor_densities(lines, prose) | _bulk_distances(lines, prose, is_long)
    return columns | _position(lines, prose) | _place_features(lines)


def _ancestor_densities(lines: Lines, prose: Floats) -> Columns:
    forest, ones = lines.forest, np.ones_like(prose)
    of_lines = lines.words, lines.words * lines.linked, prose, ones
    sums = lines.sums_below(of_lines, [np.ones(len(forest.parents))])
    page_words, _, page_prose, *_ = sums[:, forest.starts[lines.page]]
    columns: Columns = {}
    for level, element in forest.ancestors(lines.holder, LEVELS):
        words, linked, its_prose, its_lines, its_elements = sums[:, element]
        columns[f"up{level}_words"] = words
        columns[f"up{level}_link_density"] = linked / words
        columns[f"up{level}_prose"] = its_prose / words
        columns[f"up{level}_share"] = words / page_words
        columns[f"up{level}_prose_share"] = its_prose / np.maximum(page_prose, 1)
        columns[f"up{level}_line_length"] = words / its_lines
        columns[f"up{level}_text_density"] = words / its_elements
    return columns


def _bulk_distances(lines: Lines, prose: Floats, is_long: Mask) -> Columns:
    forest = lines.forest
    bulk = _bulk(lines, prose, is_long)
    shared = forest.nearest(lines.holder, forest.with_all_above(bulk))
    depth_of_bulk = forest.depth[bulk][lines.page]
    missing = depth_of_bulk - forest.depth[shared]
    return {
        "off_bulk": missing,
        "below_bulk": forest.depth[lines.holder] - depth_of_bulk,
        **_from_prose(lines, is_long, missing <= 0),
    }


def _bulk(lines: Lines, prose: Floats, is_long: Mask) -> Ints:
    """Element of every page with the bulk of its prose; the root where there is none.

    As Readability finds it: prose counts for the parent of its block, half for the grandparent, a
    quarter above that; half for the block itself unless it is a paragraph.
    """
    forest, holder = lines.forest, lines.holder[is_long]
    weights = np.tile([0.5, 1, 0.5, 0.25], (len(holder), 1))
    weights[:, 0] *= forest.by_tag(IS_BLOCK, holder)
    elements = [holder]
    for level in range(1, 4):
        elements.append(forest.parents[elements[-1]])
        weights[forest.depth[holder] < level, level] = 0
    scores = np.bincount(
        np.stack(elements, axis=1).ravel(),
        (prose[is_long, np.newaxis] * weights).ravel(),
        len(forest.parents),
    )
    pages = pairwise(forest.starts.tolist())
    return np.array([start + scores[start:end].argmax() for start, end in pages])


def _from_prose(lines: Lines, is_long: Mask, in_bulk: Mask) -> Columns:
    """Number of lines to the page's prose, in the bulk of it if some is there."""
    page, starts = lines.page, lines.starts
    has_bulk = np.logical_or.reduceat(is_long & in_bulk, starts[:-1])
    prose = np.flatnonzero(is_long & (in_bulk | ~has_bulk[page]))
    line = np.arange(len(page))
    # Places in `prose`: of the page's first, of what is behind its last, of the lines around.
    first, end = np.searchsorted(prose, starts[:-1])[page], np.searchsorted(prose, starts[1:])[page]
    following = np.searchsorted(prose, line)
    preceding = np.searchsorted(prose, line, side="right") - 1
    prose = np.append(prose, 0)
    columns = {
        "after_first_long": line - prose[first],
        "before_last_long": prose[end - 1] - line,
        "to_next_long": np.where(following < end, prose[following] - line, FAR),
        "to_last_long": np.where(preceding >= first, line - prose[preceding], FAR),
    }
    return {name: np.where(first < end, values, np.nan) for name, values in columns.items()}


def _position(lines: Lines, prose: Floats) -> Columns:
    page = lines.page
    line = np.arange(len(page)) - lines.starts[page]
    before, words = _sums_before(lines, lines.words)
    prose_before, page_prose = _sums_before(lines, prose)
    return {
        "line": line,
        "line_share": line / np.diff(lines.starts)[page],
        "words_before": before / words,
        "prose_before": prose_before / np.maximum(page_prose, 1),
        "page_words": words,
        "page_prose": page_prose / words,
    }


def _sums_before(lines: Lines, values: Floats) -> tuple[Doubles, Doubles]:
    """Sum of a value over the lines of its page before each line, and over all."""
    # Page by page: in a sum that runs on over the batch, rounding would tell of the other pages.
    sums = np.zeros(len(values))
    for start, end in pairwise(lines.starts.tolist()):
        np.cumsum(values[start:end], out=sums[start:end])
    before = np.append(0, sums[:-1])
    before[lines.starts[:-1]] = 0
    return before, sums[lines.starts[1:] - 1][lines.page]


def _place_features(lines: Lines) -> Columns:
    of_lines = _places(lines.forest.paths)[lines.forest.path[lines.holder]] + (lines.page << 32)
    _, which, counts = np.unique(of_lines, return_inverse=True, return_counts=True)
    words = np.bincount(which, lines.words)
    links = np.bincount(which, lines.words * lines.linked)
    _, page_words = _sums_before(lines, lines.words)
    return {
        "place_lines": counts[which],
        "place_words": words[which],
        "place_length": (words / counts)[which],
        "place_links": (links / words)[which],
        "place_share": words[which] / page_words,
    }


def _places(paths: Paths) -> Ints:
    hashes, holders = np.empty(len(paths), np.uint32), np.empty(len(paths), np.int32)
    steps = tuple(paths.tags), tuple(paths.classes), tuple(paths.above.tolist())
    compiled.hash_places(*steps, frozenset(), hashes, holders)
    return hashes.astype(np.int64)


# Features of what is around a line: things alike, repetition, headings, boxes to write in, the
# page.
#
# **Things alike** are elements that the same path of tags, classes and ids leads to: cards, rows,
# entries, posts. A list of them may be what the page is for, or stand around it.
#
# **Repetition** is how much of what is around a line other pages have too: an entry of a glossary that is on
# eight pages stands among others that are not. And where nearly all of a page repeats, repeating says little.
#
# **Replies**: what stands around a box to write in was often written by readers, too; in a forum that is most
# of the page.
#
# **The kind of page** is counted, not named: the trees make of the counts what holds on the pages they know.

REPETITION = ("place_shared", "page_shared", "page_prose_shared", "page_own")
"""Names of the features that are not of a level."""

HEADINGS = {f"h{level}": level for level in range(1, 7)}
HEADING_LEVELS = tag_values(lambda tag: HEADINGS.get(tag, 0))

MAJOR = 2  # level down to which a heading parts the page
TITLE_SHARE = 0.5  # share of the title's words that a line has at least to be the headline
BOX = "textarea"  # element for readers to write more than a search term in

IS_BOX = tag_values(lambda tag: tag == BOX)

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

IS_COUNTED = {name: tag_values(tags.__contains__) for name, tags in COUNTED.items()}

FURNITURE = frozenset({"nav", "header", "footer", "aside"})
"""Elements that pages of today set around their content."""

IS_FURNITURE = tag_values(lambda tag: int(tag in FURNITURE))


def item_features(lines: Lines) -> Columns:
    """Features of the things alike that each line is part of, by name, at each level.

    How many there are on the page, which share of its words they hold, how many words
    one of them has, and which share of them comes before this one.
    """
    forest, kind = lines.forest, lines.forest.kind
    (words,) = lines.sums_below([lines.words])
    count, together = np.bincount(kind), np.bincount(kind, words)
    page_words = words[forest.starts[lines.page]]
    order = np.argsort(kind, kind="stable")
    before = np.empty(len(kind), np.int64)
    before[order] = np.arange(len(kind)) - np.repeat(np.cumsum(count) - count, count)
    columns: Columns = {}
    for level, element in forest.ancestors(lines.holder, LEVELS):
        which = kind[element]
        columns[f"up{level}_alike"] = count[which]
        columns[f"up{level}_alike_share"] = together[which] / page_words
        columns[f"up{level}_alike_words"] = together[which] / count[which]
        columns[f"up{level}_alike_before"] = before[element] / count[which]
    return columns


def repetition_features(lines: Lines, shared: Floats, prose: Floats) -> Columns:
    """Means of how widely lines are shared, weighed by words, by name; NaN on pages that nothing was compared with.

    Over the elements around the line, level by level; over all lines at its place; over the page, its
    prose, and what the page has in common with fewer than half of the others, as a share of it.
    """
    forest = lines.forest
    is_known = ~np.isnan(shared)
    if not is_known.any():
        names = *(f"up{level}_shared" for level in LEVELS), *REPETITION
        return dict.fromkeys(names, np.full(len(shared), np.nan))
    share = np.where(is_known, shared, 0)
    words = is_known * lines.words
    above, below = lines.sums_below([share * lines.words, words])
    columns: Columns = {}
    for level, element in forest.ancestors(lines.holder, LEVELS):
        columns[f"up{level}_shared"] = _ratio(above[element], below[element])
    page = lines.page
    place = forest.kind[lines.holder]
    for name, group, weight in (
        ("place_shared", place, words),
        ("page_shared", page, words),
        ("page_prose_shared", page, is_known * prose),
    ):
        columns[name] = _share(group, share * weight, weight)
    rare = np.where(is_known, shared, 1) < 1 / 2
    columns["page_own"] = _share(page, words * rare, words)
    return columns


def _share(group: Ints, part: Floats, whole: Floats) -> Any:
    """Sum of `part` over the group of each line, as a share of that of `whole`."""
    return _ratio(np.bincount(group, part), np.bincount(group, whole))[group]


def _ratio(part: Any, whole: Any) -> Any:
    return np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)


def headings(lines: Lines) -> tuple[Ints, Ints]:
    """(the last heading up to each line on its page, -1 where there is none; level of each line, 0 if it is no heading)."""
    level = lines.forest.by_tag(HEADING_LEVELS, lines.holder)
    return _last_chosen(level > 0, lines), level


def section_features(lines: Lines, last: Ints, level: Ints, title_cover: Floats) -> Columns:
    """Features of the section that each line is in, by name; NaN where there is none.

    Level of the last heading, lines since it, lines since the last one of the first two levels, and
    lines since the headline: that of the lines with most words of the title which comes first. `last`
    and `level` are those of `headings`.
    """
    line = np.arange(len(level))
    major = _last_chosen((level > 0) & (level <= MAJOR), lines)
    return {
        "heading_level": np.where(last >= 0, level[last], np.nan),
        "heading_lines": np.where(last >= 0, line - last, np.nan),
        "major_lines": np.where(major >= 0, line - major, np.nan),
        "from_title": line - _headlines(lines, title_cover)[lines.page],
    }


def _last_chosen(chosen: Mask, lines: Lines) -> Ints:
    line = np.arange(len(chosen))
    last = np.maximum.accumulate(np.where(chosen, line, -1))
    return np.where(last >= lines.starts[lines.page], last, -1)


def _headlines(lines: Lines, title_cover: Floats) -> Floats:
    """Headline of each page: the line with its title, NaN where there is none."""
    headline = np.full(len(lines.starts) - 1, np.nan, dtype=np.float32)
    best = np.maximum.reduceat(title_cover, lines.starts[:-1])
    candidates = np.flatnonzero((title_cover == best[lines.page]) & (title_cover >= TITLE_SHARE))
    page, first = np.unique(lines.page[candidates], return_index=True)
    headline[page] = candidates[first]
    return headline


def reply_features(lines: Lines, prose: Floats) -> Columns:
    """Features of each line beside the boxes to write in, by name; NaN on pages without one.

    Of the smallest element that holds the line and a box: the share of the page's words and of its
    prose that it has, and how many elements it is above the line. Then how many lines there are to the
    next box, and from the last one.
    """
    forest = lines.forest
    is_box = forest.by_tag(IS_BOX)
    words, its_prose, boxes = lines.sums_below([lines.words, prose], [is_box])
    root = forest.starts[lines.page]
    around = forest.nearest(lines.holder, boxes > 0)
    columns = {
        "reply_share": words[around] / words[root],
        "reply_prose_share": its_prose[around] / np.maximum(its_prose[root], 1),
        "reply_up": forest.depth[lines.holder] - forest.depth[around],
        **_distances(np.flatnonzero(is_box), lines),
    }
    on_page = boxes[root] > 0
    return {name: np.where(on_page, values, np.nan) for name, values in columns.items()}


def _distances(box: Ints, lines: Lines) -> Columns:
    """Lines to the next box, and from the last one; a box stands behind lines whose elements begin before it."""
    line = np.arange(len(lines.holder))
    place = np.append(np.searchsorted(np.maximum.accumulate(lines.holder), box), np.inf)
    behind = np.searchsorted(place, line, side="right")
    following, preceding = place[behind], np.append(-np.inf, place)[behind]
    starts, ends = lines.starts[lines.page], lines.starts[lines.page + 1]
    return {
        "to_reply": np.where(following <= ends, following - line, np.nan),
        "from_reply": np.where(preceding > starts, line - preceding, np.nan),
    }


def kind_features(lines: Lines, prose: Floats) -> Columns:
    """Features of the page that each line stands on; counts are for each line of the page."""
    forest, page = lines.forest, lines.page
    pages = len(lines.starts) - 1
    count = np.bincount(page, minlength=pages)
    words = np.bincount(page, lines.words, pages)
    in_furniture = forest.inherit(IS_FURNITURE[forest.tag])[forest.path[lines.holder]] > 0
    columns: Columns = {
        "page_lines": count,
        "page_links": np.bincount(page, lines.words * lines.linked, pages) / words,
        "page_length": words / count,
        "page_longest": np.maximum.reduceat(prose, lines.starts[:-1]),
        "page_furniture": np.bincount(page, lines.words * in_furniture, pages) / words,
        "page_elements": np.diff(forest.starts) / count,
    }
    for name, of_tags in IS_COUNTED.items():
        counted = forest.page[forest.by_tag(of_tags) > 0]
        columns[f"page_{name}"] = np.bincount(counted, minlength=pages) / count
    return {name: values[page] for name, values in columns.items()}
