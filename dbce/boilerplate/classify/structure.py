"""Features of a line's place: in the tree, among its neighbours, and beside the bulk of the prose."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify.forest import LEVELS, by_tag, inherited, nearest, with_all_below
from dbce.html import place
from dbce.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.forest import Forest, Paths
    from dbce.boilerplate.classify.lines import Lines

TAGS = tuple(
    "p li td div span h1 h2 h3 h4 h5 h6 pre blockquote dt dd th section article label option "
    "figcaption caption center form ul ol body table tr dl address main header footer nav aside "
    "legend fieldset summary details".split()
)
_TAG = {tag: number for number, tag in enumerate(TAGS)}

WITHIN = (
    *("nav", "header", "footer", "aside", "article", "main", "form", "table", "ul", "ol", "li"),
    *("pre", "blockquote", "figure", "dl", "p"),
)
"""Ancestors worth knowing of."""

LONG = 10
"""Words from which a line without many links counts as prose."""

FAR = 99
"""Distance to a next or last line of prose where there is none."""


def structure_features(forest: Forest, lines: Lines) -> dict[str, Floats]:
    """Features of the tree around each line, by name."""
    words, holder = lines.words, lines.holder
    is_long = (words >= LONG) & (lines.linked < 1 / 3)
    prose = np.where(is_long, np.minimum(words, 100) * (1 - lines.linked), 0)
    tag = by_tag(forest, lambda tag: _TAG.get(tag, len(TAGS)))
    columns: dict[str, NDArray[np.generic]] = {
        "tag": tag[forest.path[holder]],
        "depth": forest.depth[holder],
    }
    columns |= _within(forest, holder)
    columns |= _around(forest, lines, prose)
    columns |= _beside_the_bulk(forest, lines, prose, is_long)
    columns |= _position(lines, prose)
    columns |= _same_place(forest, lines)
    return {name: values.astype(np.float32) for name, values in columns.items()}


def _within(forest: Forest, holder: Ints) -> dict[str, NDArray[np.bool_]]:
    bit = {tag: 1 << number for number, tag in enumerate(WITHIN)}
    of_paths = inherited(forest, by_tag(forest, lambda tag: bit.get(tag, 0)))
    of_lines = of_paths[forest.path[holder]]
    return {f"in_{tag}": (of_lines & bit[tag]) > 0 for tag in WITHIN}


def _around(forest: Forest, lines: Lines, prose: Floats) -> dict[str, NDArray[np.float64]]:
    """Densities of the elements that the line is in, level by level."""
    of_lines = np.stack([lines.words, lines.words * lines.linked, prose, np.ones_like(prose)])
    elements = len(forest.parents)
    own = [np.bincount(lines.holder, values, elements) for values in of_lines]
    sums = with_all_below(forest, np.stack([*own, np.ones(elements)]))
    page_words, _, page_prose, *_ = sums[:, forest.starts[lines.page]]
    columns: dict[str, NDArray[np.float64]] = {}
    element = lines.holder
    for level in range(max(LEVELS) + 1):
        if level in LEVELS:
            words, linked, its_prose, its_lines, its_elements = sums[:, element]
            columns[f"up{level}_words"] = words
            columns[f"up{level}_link_density"] = linked / words
            columns[f"up{level}_prose"] = its_prose / words
            columns[f"up{level}_share"] = words / page_words
            columns[f"up{level}_prose_share"] = its_prose / np.maximum(page_prose, 1)
            columns[f"up{level}_line_length"] = words / its_lines
            columns[f"up{level}_text_density"] = words / its_elements
        element = forest.parents[element]
    return columns


def _beside_the_bulk(
    forest: Forest, lines: Lines, prose: Floats, is_long: NDArray[np.bool_]
) -> dict[str, NDArray[np.generic]]:
    """Distances of a line to the element that holds the bulk of its page's prose."""
    bulk = _bulk(forest, lines.holder[is_long], prose[is_long])
    around_bulk = np.zeros(len(forest.parents), dtype=np.bool_)
    around_bulk[forest.starts[:-1]] = True
    element = bulk
    while not around_bulk[element].all():
        around_bulk[element] = True
        element = forest.parents[element]
    # The last element that a line shares with the bulk.
    shared = nearest(forest, lines.holder, around_bulk)
    depth_of_bulk = forest.depth[bulk][lines.page]
    missing = depth_of_bulk - forest.depth[shared]
    return {
        "off_bulk": missing,
        "below_bulk": forest.depth[lines.holder] - depth_of_bulk,
        **_from_prose(lines, is_long, missing <= 0),
    }


def _bulk(forest: Forest, holder: Ints, prose: Floats) -> Ints:
    """The element of every page that holds the bulk of its prose; the root where there is none.

    As Readability finds it: prose counts for the parent of its block, half for the grandparent, a
    quarter above that; half for the block itself unless it is a paragraph.
    """
    block = by_tag(forest, lambda tag: tag != "p")[forest.path[holder]]
    weights = np.tile([0.5, 1, 0.5, 0.25], (len(holder), 1))
    weights[:, 0] *= block
    elements = [holder]
    for level in range(1, 4):
        elements.append(forest.parents[elements[-1]])
        weights[forest.depth[holder] < level, level] = 0
    scores = np.bincount(
        np.stack(elements, axis=1).ravel(),
        (prose[:, np.newaxis] * weights).ravel(),
        len(forest.parents),
    )
    pages = pairwise(forest.starts.tolist())
    return np.array([start + scores[start:end].argmax() for start, end in pages])


def _from_prose(
    lines: Lines, is_long: NDArray[np.bool_], in_bulk: NDArray[np.bool_]
) -> dict[str, NDArray[np.float64]]:
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


def _position(lines: Lines, prose: Floats) -> dict[str, NDArray[np.generic]]:
    page = lines.page
    line = np.arange(len(page)) - lines.starts[page]
    before, words = _before(lines, lines.words)
    prose_before, page_prose = _before(lines, prose)
    return {
        "line": line,
        "line_share": line / np.diff(lines.starts)[page],
        "words_before": before / words,
        "prose_before": prose_before / np.maximum(page_prose, 1),
        "page_words": words,
        "page_prose": page_prose / words,
    }


def _before(lines: Lines, values: Floats) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sum of a value over the lines of its page before each line, and over all."""
    # Page by page: in a sum that runs on over the batch, rounding would tell of the other pages.
    sums = np.zeros(len(values))
    for start, end in pairwise(lines.starts.tolist()):
        np.cumsum(values[start:end], out=sums[start:end])
    before = np.append(0, sums[:-1])
    before[lines.starts[:-1]] = 0
    return before, sums[lines.starts[1:] - 1][lines.page]


def _same_place(forest: Forest, lines: Lines) -> dict[str, NDArray[np.generic]]:
    """The lines of a page that stand at the same place of its template: paragraphs, teasers."""
    of_lines = _places(forest.paths)[forest.path[lines.holder]] + (lines.page << 32)
    _, which, counts = np.unique(of_lines, return_inverse=True, return_counts=True)
    words = np.bincount(which, lines.words)
    links = np.bincount(which, lines.words * lines.linked)
    _, page_words = _before(lines, lines.words)
    return {
        "place_lines": counts[which],
        "place_words": words[which],
        "place_length": (words / counts)[which],
        "place_links": (links / words)[which],
        "place_share": words[which] / page_words,
    }


def _places(paths: Paths) -> Ints:
    """The place of each path in the template."""
    if (compiled := kernel()) is None:
        places: list[int] = []
        for tag, classes, above in zip(
            paths.tags, paths.classes, paths.above.tolist(), strict=True
        ):
            places.append(place(tag, classes, places[above] if above >= 0 else 0))
        return np.array(places)
    hashes, holders = np.empty(len(paths), np.uint32), np.empty(len(paths), np.int32)
    steps = tuple(paths.tags), tuple(paths.classes), tuple(paths.above.tolist())
    compiled.hash_places(*steps, frozenset(), hashes, holders)
    return hashes.astype(np.int64)
