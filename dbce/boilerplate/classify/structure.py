"""Features of a line's place: in the tree, among its neighbours, and beside the bulk of the prose."""

import numpy as np

from dbce.boilerplate.classify import formulas as f
from dbce.boilerplate.classify.formulas import Axis, Formula, Formulas
from dbce.boilerplate.classify.lines import LEVELS, Ints, Lines, Paths, tag_table
from dbce.html import HEADINGS
from dbce.kernel import compiled
from dbce.model import first_alike

TAGS = tuple(
    "p li td div span h1 h2 h3 h4 h5 h6 pre blockquote dt dd th section article label option "
    "figcaption caption center form ul ol body table tr dl address main header footer nav aside "
    "legend fieldset summary details".split()
)
_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}
NUMBERS = tag_table(lambda tag: _NUMBERS.get(tag, len(TAGS)))
IS_BLOCK = tag_table(lambda tag: tag != "p")

WITHIN = (
    *("nav", "header", "footer", "aside", "article", "main", "form", "table", "ul", "ol", "li"),
    *("pre", "blockquote", "figure", "dl", "p"),
)
"""Ancestors worth knowing of."""

_BITS = {tag: 1 << number for number, tag in enumerate(WITHIN)}
BITS = tag_table(lambda tag: _BITS.get(tag, 0))

SAME_PLACE = f.load("same_place", Axis.LINES)

THIRD = float(np.float32(1 / 3))
LONG = 10  # words from which a line without many links counts as prose
FAR = 99  # distance to a next or last line of prose where there is none


def structure_features() -> Formulas:
    is_long = (f.WORDS >= LONG) & (f.LINKED < THIRD)
    prose = f.where(is_long, (f.minimum(f.WORDS, 100) * (1 - f.LINKED).single).single, 0)
    columns = {"tag": f.by_tag(NUMBERS, f.PATH.take(f.HOLDER)), "depth": f.DEPTH.take(f.HOLDER)}
    within = f.flags_above(f.pick(BITS, f.TAG))
    columns |= {f"in_{tag}": within.bit(place) for place, tag in enumerate(WITHIN)}
    columns |= _ancestor_densities(prose) | _bulk_distances(prose, is_long)
    return columns | _position(prose) | _place_features()


def _ancestor_densities(prose: Formula) -> Formulas:
    sums = [
        f.sum_below(of)
        for of in (f.WORDS, (f.WORDS * f.LINKED).single, prose, f.ONES, f.ONES_OF_ELEMENTS)
    ]
    page_words, _, page_prose, *_ = (of.take(f.ROOT) for of in sums)
    columns: Formulas = {}
    for level, element in f.ancestors(LEVELS):
        words, linked, its_prose, its_lines, its_elements = (of.take(element) for of in sums)
        columns[f"up{level}_words"] = words
        columns[f"up{level}_link_density"] = linked / words
        columns[f"up{level}_prose"] = its_prose / words
        columns[f"up{level}_share"] = words / page_words
        columns[f"up{level}_prose_share"] = its_prose / f.maximum(page_prose, 1)
        columns[f"up{level}_line_length"] = words / its_lines
        columns[f"up{level}_text_density"] = words / its_elements
    return columns


def _bulk_distances(prose: Formula, is_long: Formula) -> Formulas:
    bulk = _bulk(prose)
    depth_of_bulk = f.DEPTH.take(bulk).take(f.PAGE)
    missing = depth_of_bulk - f.DEPTH.take(f.nearest(f.with_all_above(bulk)))
    return {
        "off_bulk": missing,
        "below_bulk": f.DEPTH.take(f.HOLDER) - depth_of_bulk,
        **_from_prose(is_long, missing <= 0),
    }


def _bulk(prose: Formula) -> Formula:
    """Element of every page with the bulk of its prose; the root where there is none.

    As Readability finds it: prose counts for the parent of its block, half for the grandparent, a
    quarter above that; half for the block itself unless it is a paragraph.
    """
    score = (0.5 * prose * f.by_tag(IS_BLOCK, f.PATH.take(f.HOLDER))).total(f.HOLDER, Axis.ELEMENTS)
    for (level, element), weight in zip(f.ancestors((1, 2, 3)), (1, 0.5, 0.25), strict=True):
        weighed = f.where(f.DEPTH.take(f.HOLDER) >= level, weight * prose, 0)
        score = score + weighed.total(element, Axis.ELEMENTS)
    best = score.highest(f.OF_ELEMENT)
    return f.first_on_page(score.equals(best.take(f.OF_ELEMENT)))


def _from_prose(is_long: Formula, in_bulk: Formula) -> Formulas:
    """Number of lines to the page's prose, in the bulk of it if some is there."""
    has_bulk = (is_long & in_bulk).highest(f.PAGE).take(f.PAGE)
    prose = is_long & (in_bulk | ~has_bulk)
    has = prose.highest(f.PAGE).take(f.PAGE)
    preceding, following = f.last_chosen(prose), f.next_chosen(prose)
    columns = {
        "after_first_long": f.LINE - f.first_on_page(prose).take(f.PAGE),
        "before_last_long": preceding.highest(f.PAGE).take(f.PAGE) - f.LINE,
        "to_next_long": f.where(following < np.inf, following - f.LINE, FAR),
        "to_last_long": f.where(preceding >= 0, f.LINE - preceding, FAR),
    }
    return {name: f.where(has, values) for name, values in columns.items()}


def _position(prose: Formula) -> Formulas:
    words, page_prose = f.page_total(f.WORDS), f.page_total(prose)
    return {
        "line": f.PLACE,
        "line_share": f.PLACE / f.LINES_OF_PAGE.take(f.PAGE),
        "words_before": f.WORDS.total_before(f.PAGE) / words,
        "prose_before": prose.total_before(f.PAGE) / f.maximum(page_prose, 1),
        "page_words": words,
        "page_prose": page_prose / words,
    }


def _place_features() -> Formulas:
    count, words, links = (
        of.total(SAME_PLACE, Axis.LINES).take(SAME_PLACE)
        for of in (f.ONES, f.WORDS, (f.WORDS * f.LINKED).single)
    )
    return {
        "place_lines": count,
        "place_words": words,
        "place_length": words / count,
        "place_links": links / words,
        "place_share": words / f.page_total(f.WORDS),
    }


def same_places(lines: Lines) -> Ints:
    """The first line of the same page with the same place in its template, for each line."""
    of_lines = _places(lines.forest.paths)[lines.forest.path[lines.holder]] + (lines.page << 32)
    return first_alike(of_lines)


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

HEADING_LEVELS = tag_table(lambda tag: HEADINGS.get(tag, 0))

MAJOR = 2  # level down to which a heading parts the page
TITLE_SHARE = 0.5  # share of the title's words that a line has at least to be the headline
BOX = "textarea"  # element for readers to write more than a search term in

IS_BOX = tag_table(lambda tag: tag == BOX)

COUNTED = {
    "images": frozenset({"img", "picture", "svg", "figure"}),
    "inputs": frozenset({"input", "select", "textarea", "button"}),
    "items": frozenset({"li", "dt"}),
    "cells": frozenset({"td", "th"}),
    "times": frozenset({"time"}),
    "articles": frozenset({"article"}),
    "headings": frozenset(HEADINGS),
}
"""Elements that are counted, by the feature's name."""

IS_COUNTED = {name: tag_table(tags.__contains__) for name, tags in COUNTED.items()}

FURNITURE = frozenset({"nav", "header", "footer", "aside"})
"""Elements that pages of today set around their content."""

IS_FURNITURE = tag_table(FURNITURE.__contains__)


def item_features() -> Formulas:
    """Features of the things alike that each line is part of, by name, at each level.

    How many there are on the page, which share of its words they hold, how many words
    one of them has, and which share of them comes before this one.
    """
    words = f.sum_below(f.WORDS)
    count = f.ONES_OF_ELEMENTS.total(f.KIND, Axis.ELEMENTS)
    together = words.total(f.KIND, Axis.ELEMENTS)
    before = f.ONES_OF_ELEMENTS.total_before(f.KIND)
    columns: Formulas = {}
    for level, element in f.ancestors(LEVELS):
        which = f.KIND.take(element)
        columns[f"up{level}_alike"] = count.take(which)
        columns[f"up{level}_alike_share"] = together.take(which) / words.take(f.ROOT)
        columns[f"up{level}_alike_words"] = together.take(which) / count.take(which)
        columns[f"up{level}_alike_before"] = before.take(element) / count.take(which)
    return columns


def repetition_features(shared: Formula, prose: Formula) -> Formulas:
    """Means of how widely lines are shared, weighed by words, by name; NaN on pages that nothing was compared with.

    Over the elements around the line, level by level; over all lines at its place; over the page, its
    prose, and what the page has in common with fewer than half of the others, as a share of it.
    """
    is_known = shared.is_number
    share = f.where(is_known, shared, 0)
    words = is_known * f.WORDS
    sums = f.sum_below((share * f.WORDS).single), f.sum_below(words)
    columns: Formulas = {}
    for level, element in f.ancestors(LEVELS):
        columns[f"up{level}_shared"] = _ratio(*(of.take(element) for of in sums))
    place = f.KIND.take(f.HOLDER)
    for name, group, axis, weight in (
        ("place_shared", place, Axis.ELEMENTS, words),
        ("page_shared", f.PAGE, Axis.PAGES, words),
        ("page_prose_shared", f.PAGE, Axis.PAGES, is_known * prose),
    ):
        parts = (share * weight).single, weight
        columns[name] = _ratio(*(of.total(group, axis).take(group) for of in parts))
    rare = f.where(is_known, shared, 1) < 1 / 2
    columns["page_own"] = _ratio(f.page_total(words * rare), f.page_total(words))
    return columns


def _ratio(part: Formula, whole: Formula) -> Formula:
    return f.where(whole > 0, part / whole)


def heading_level() -> Formula:
    """Level of each line, 0 if it is no heading."""
    return f.by_tag(HEADING_LEVELS, f.PATH.take(f.HOLDER))


def headings() -> Formula:
    """The last heading up to each line on its page, -1 where there is none."""
    return f.last_chosen(heading_level() > 0)


def section_features(title_cover: Formula) -> Formulas:
    """Features of the section that each line is in, by name; NaN where there is none.

    Level of the last heading, lines since it, lines since the last one of the first two levels, and
    lines since the headline: that of the lines with most words of the title which comes first.
    """
    level, last = heading_level(), headings()
    major = f.last_chosen((level > 0) & (level <= MAJOR))
    best = title_cover.highest(f.PAGE).take(f.PAGE)
    headline = f.first_on_page(title_cover.equals(best) & (title_cover >= TITLE_SHARE)).take(f.PAGE)
    return {
        "heading_level": f.where(last >= 0, level.take(f.maximum(last, 0))),
        "heading_lines": f.where(last >= 0, f.LINE - last),
        "major_lines": f.where(major >= 0, f.LINE - major),
        "from_title": f.where(headline < np.inf, f.LINE - headline),
    }


def reply_features(prose: Formula) -> Formulas:
    """Features of each line beside the boxes to write in, by name; NaN on pages without one.

    Of the smallest element that holds the line and a box: the share of the page's words and of its
    prose that it has, and how many elements it is above the line. Then how many lines there are to the
    next box, and from the last one.
    """
    is_box = f.by_tag(IS_BOX)
    words, its_prose, boxes = f.sum_below(f.WORDS), f.sum_below(prose), f.sum_below(is_box)
    around = f.nearest(boxes > 0)
    columns = {
        "reply_share": words.take(around) / words.take(f.ROOT),
        "reply_prose_share": its_prose.take(around) / f.maximum(its_prose.take(f.ROOT), 1),
        "reply_up": f.DEPTH.take(f.HOLDER) - f.DEPTH.take(around),
        **_distances(is_box, boxes.take(f.ROOT)),
    }
    return {name: f.where(boxes.take(f.ROOT) > 0, values) for name, values in columns.items()}


def _distances(is_box: Formula, of_all: Formula) -> Formulas:
    """Lines to the next box, and from the last one; a box stands behind lines whose elements begin before it."""
    boxes = f.formula(f.Operation.RUN, Axis.ELEMENTS, is_box, f.OF_ELEMENT)
    before = boxes.take(f.formula(f.Operation.RISE, Axis.LINES, f.HOLDER, f.PAGE))
    behind_box = before > f.shift(before, -1)
    preceding, following = f.last_chosen(behind_box), f.shift(f.next_chosen(behind_box), 1)
    end = (f.FIRST_LINES + f.LINES_OF_PAGE).take(f.PAGE)
    at_end = f.where(of_all > before.highest(f.PAGE).take(f.PAGE), end - f.LINE)
    return {
        "to_reply": f.where(following < np.inf, following - f.LINE, at_end),
        "from_reply": f.where(preceding >= 0, f.LINE - preceding),
    }


def kind_features(prose: Formula) -> Formulas:
    """Features of the page that each line stands on; counts are for each line of the page."""
    words = f.WORDS.total(f.PAGE, Axis.PAGES)
    in_furniture = f.flags_above(f.pick(IS_FURNITURE, f.TAG))
    columns = {
        "page_lines": f.LINES_OF_PAGE,
        "page_links": (f.WORDS * f.LINKED).single.total(f.PAGE, Axis.PAGES) / words,
        "page_length": words / f.LINES_OF_PAGE,
        "page_longest": prose.highest(f.PAGE),
        "page_furniture": (f.WORDS * in_furniture).total(f.PAGE, Axis.PAGES) / words,
        "page_elements": f.ELEMENTS_OF_PAGE / f.LINES_OF_PAGE,
    }
    for name, of_tags in IS_COUNTED.items():
        columns[f"page_{name}"] = (
            f.by_tag(of_tags).total(f.OF_ELEMENT, Axis.PAGES) / f.LINES_OF_PAGE
        )
    return {name: values.take(f.PAGE) for name, values in columns.items()}
