"""Where a line stands: in the tree, around it, and beside the bulk of the page's prose."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.classify.lines import Floats, Ints, Lines
    from dbce.model import Page

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

LEVELS = (0, 1, 2, 3, 5)
"""Ancestors of a line's holder whose sums are features: itself, its parent, ..."""


def structure_features(page: Page, lines: Lines, places: Sequence[int]) -> dict[str, Floats]:
    """Features of the tree around each line, by name; `places` are place keys of all elements."""
    words, linked, holder = lines.words, lines.linked, lines.holder
    parents = np.array(page.parents)
    parents[0] = 0
    is_long = (words >= LONG) & (linked < 1 / 3)
    prose = np.where(is_long, np.minimum(words, 100) * (1 - linked), 0)
    sums = _sums(page, lines, prose)
    depth = _depths(page)
    found: dict[str, Floats] = {
        "tag": np.array([_TAG.get(page.tags[e], len(TAGS)) for e in holder.tolist()], np.float32),
        "depth": depth[holder].astype(np.float32),
    }
    found |= _within(page, holder)
    found |= _around(sums, parents, holder)
    found |= _beside_the_bulk(page, holder, prose, is_long, depth)
    found |= _position(words, prose)
    found |= _same_place(np.array(places)[holder], words, words * linked)
    return found


def _sums(page: Page, lines: Lines, prose: Floats) -> NDArray[np.float64]:
    """For each element, with all below it: words, linked words, prose, lines, elements."""
    sums = np.zeros((len(page.tags), 5))
    columns = (lines.words, lines.words * lines.linked, prose, np.ones(len(prose)))
    for column, values in enumerate(columns):
        sums[:, column] = np.bincount(lines.holder, weights=values, minlength=len(page.tags))
    sums[:, 4] = 1
    rows = sums.tolist()
    for element in range(len(rows) - 1, 0, -1):
        above, own = rows[page.parents[element]], rows[element]
        above[0] += own[0]
        above[1] += own[1]
        above[2] += own[2]
        above[3] += own[3]
        above[4] += own[4]
    return np.array(rows)


def _depths(page: Page) -> Ints:
    depths: list[int] = []
    for parent in page.parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    return np.array(depths)


def _within(page: Page, holder: Ints) -> dict[str, Floats]:
    bit = {tag: 1 << number for number, tag in enumerate(WITHIN)}
    flags: list[int] = []
    for tag, parent in zip(page.tags, page.parents, strict=True):
        flags.append(bit.get(tag, 0) | (flags[parent] if parent >= 0 else 0))
    of_lines = np.array(flags)[holder]
    return {f"in_{tag}": ((of_lines & bit[tag]) > 0).astype(np.float32) for tag in WITHIN}


def _around(sums: NDArray[np.float64], parents: Ints, holder: Ints) -> dict[str, Floats]:
    """Densities of the elements that the line is in, level by level."""
    found: dict[str, Floats] = {}
    page_words, _, page_prose, *_ = sums[0]
    element = holder
    for level in range(max(LEVELS) + 1):
        if level in LEVELS:
            words, linked, prose, lines, elements = sums[element].T
            found[f"up{level}_words"] = words.astype(np.float32)
            found[f"up{level}_link_density"] = (linked / words).astype(np.float32)
            found[f"up{level}_prose"] = (prose / words).astype(np.float32)
            found[f"up{level}_share"] = (words / page_words).astype(np.float32)
            found[f"up{level}_prose_share"] = (prose / max(page_prose, 1)).astype(np.float32)
            found[f"up{level}_line_length"] = (words / lines).astype(np.float32)
            found[f"up{level}_text_density"] = (words / elements).astype(np.float32)
        element = parents[element]
    return found


def _beside_the_bulk(
    page: Page, holder: Ints, prose: Floats, is_long: NDArray[np.bool_], depth: Ints
) -> dict[str, Floats]:
    """How a line stands to the element that holds the bulk of the prose.

    That element is found as Readability does it: prose counts for the parent of its block, half for
    the grandparent, a quarter above that.
    """
    bulk = _bulk(page, holder[is_long].tolist(), prose[is_long].tolist())
    chain = set()
    element = bulk
    while element >= 0:
        chain.add(element)
        element = page.parents[element]
    # Depth of the last element that a line shares with the bulk.
    shared: list[int] = []
    for element, parent in enumerate(page.parents):
        shared.append(int(depth[element]) if element in chain else shared[parent])
    missing = (depth[bulk] - np.array(shared)[holder]).astype(np.float32)
    in_bulk = missing <= 0
    found = {"off_bulk": missing, "below_bulk": (depth[holder] - depth[bulk]).astype(np.float32)}
    index = np.arange(len(holder))
    long_lines = np.flatnonzero(is_long & in_bulk)
    if not len(long_lines):
        long_lines = np.flatnonzero(is_long)
    if not len(long_lines):
        nothing = np.full(len(holder), np.nan, dtype=np.float32)
        names = ("after_first_long", "before_last_long", "to_next_long", "to_last_long")
        return found | dict.fromkeys(names, nothing)
    at = np.searchsorted(long_lines, index)
    following = np.where(at < len(long_lines), long_lines[np.minimum(at, len(long_lines) - 1)], -1)
    at = np.searchsorted(long_lines, index, side="right") - 1
    preceding = long_lines[np.maximum(at, 0)]
    return found | {
        "after_first_long": (index - long_lines[0]).astype(np.float32),
        "before_last_long": (long_lines[-1] - index).astype(np.float32),
        "to_next_long": np.where(following >= 0, following - index, 99).astype(np.float32),
        "to_last_long": np.where(at >= 0, index - preceding, 99).astype(np.float32),
    }


def _bulk(page: Page, holders: Sequence[int], prose: Sequence[float]) -> int:
    scores: dict[int, float] = defaultdict(float)
    for holder, words in zip(holders, prose, strict=True):
        if page.tags[holder] != "p":
            scores[holder] += words / 2
        element, weight = page.parents[holder], 1.0
        for _ in range(3):
            if element < 0:
                break
            scores[element] += words * weight
            element, weight = page.parents[element], weight / 2
    return max(scores, key=lambda element: (scores[element], -element)) if scores else 0


def _position(words: Floats, prose: Floats) -> dict[str, Floats]:
    count = len(words)
    before = np.cumsum(words) - words
    prose_before = np.cumsum(prose) - prose
    return {
        "line": np.arange(count, dtype=np.float32),
        "line_share": np.arange(count, dtype=np.float32) / count,
        "words_before": (before / words.sum()).astype(np.float32),
        "prose_before": (prose_before / max(float(prose.sum()), 1.0)).astype(np.float32),
        "page_words": np.full(count, words.sum(), dtype=np.float32),
        "page_prose": np.full(count, prose.sum() / words.sum(), dtype=np.float32),
    }


def _same_place(places: Ints, words: Floats, linked: Floats) -> dict[str, Floats]:
    """The lines of this page that stand at the same place of its template: paragraphs, teasers."""
    _, inverse, counts = np.unique(places, return_inverse=True, return_counts=True)
    in_all = np.bincount(inverse, weights=words)
    links = np.bincount(inverse, weights=linked)
    return {
        "place_lines": counts[inverse].astype(np.float32),
        "place_words": in_all[inverse].astype(np.float32),
        "place_length": (in_all / counts)[inverse].astype(np.float32),
        "place_links": (links / in_all)[inverse].astype(np.float32),
        "place_share": (in_all[inverse] / words.sum()).astype(np.float32),
    }
