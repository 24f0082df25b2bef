"""Where a page lets its readers write: what stands around that was often written by readers, too.

Under an article the box to answer in stands beside the comments, and the article elsewhere; in a
forum what stands around it is most of the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify.forest import by_tag, nearest, with_all_below

if TYPE_CHECKING:
    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.forest import Forest
    from dbce.boilerplate.classify.lines import Lines

BOX = "textarea"
"""What readers write in, when it is more than a word to search for."""


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
    found = {
        "reply_share": words[around] / words[root],
        "reply_prose_share": its_prose[around] / np.maximum(its_prose[root], 1),
        "reply_up": forest.depth[lines.holder] - forest.depth[around],
        **_distances(np.flatnonzero(is_box), lines),
    }
    on_page = boxes[root] > 0
    return {
        name: np.where(on_page, values, np.nan).astype(np.float32) for name, values in found.items()
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
