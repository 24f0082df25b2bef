"""Classified lines of a page, and the tree of structures that hold them, with the gain of each."""

from collections.abc import Iterator
from itertools import islice
from math import inf, nextafter
from typing import NamedTuple

import numpy as np

from dbce.boilerplate.classify import LineValues, read_lines
from dbce.boilerplate.word_labels import WordLabels
from dbce.html import HEADINGS, nearest_of_tags, nodes_within, subtree_end
from dbce.kernel import compiled
from dbce.model import Hashes, Page


def line_values(page: Page, ends: Hashes, word_labels: WordLabels, cut: float = 0.0) -> LineValues:
    """Lines of a page from its classified words."""
    lines = read_lines([page])
    starts = np.append(0, ends)[np.append(lines.first_node, -1)]
    chances = np.add.reduceat(word_labels.probabilities, starts[:-1]) / np.diff(starts)
    visible = ~np.array(page.hidden)[lines.element]
    columns = *lines.places(0), chances - cut, lines.words, visible
    return LineValues(page, *(of.tolist() for of in columns))


WHOLE = frozenset("table ul ol menu dir dl figure pre blockquote".split())
"""Structures decided as one."""

LISTED = frozenset("table ul ol dl".split())  # structures of rows or items

PARTS = frozenset("tr li dt dd p caption figcaption address".split())
"""Parts that are kept or dropped whole."""

ITEMS = frozenset("tr li dt dd".split())
CELLS = frozenset(("td", "th"))

SIBLINGS = frozenset(("div", "article", "section"))
"""Elements that are posts or cards where siblings share a class."""

BOXES = frozenset("div aside section blockquote figure fieldset details".split())
"""Elements that are boxes where they hold few words."""

BOX_WORDS = 60  # maximum words of a box
LABEL_WORDS = 4  # maximum words of a label, such as "Warning" or "Weight"

_KINDS = (PARTS, WHOLE, ITEMS, {"tr"}, {"table"}, {"p"}, {"pre"}, {"th"})
KINDS = HEADINGS | {
    tag: sum(8 << n for n, tags in enumerate(_KINDS) if tag in tags)
    for tag in (*WHOLE, *PARTS, "th")
}
"""Kinds of the tags that structures depend on, as compiled code has them (dbce/kernel/structures.pxi)."""

LARGE = 200
"""Minimum words of a part that is an article rather than an item or a row: its own parts decide."""

POST = 25
"""Maximum words of an item with paragraphs or a long line that is kept or dropped whole; one with more is a post, and has a frame."""

SURE = 0.3  # gain per word of what is certainly content

APART = 0.3
"""Minimum gain per word of a part whose kind differs from that of the open structure around it."""


def limit(outer: bool | None, apart: float) -> tuple[bool | None, float, float]:
    """Limit of parts inside a structure that is kept, dropped or open (None): that verdict, its distance, and the minimum gain per word of what is kept."""
    return outer, apart, 0.0 if outer is None else -apart if outer else nextafter(apart, inf)


class Structures(NamedTuple):
    """Columns of the structures of a page that hold lines, and their parts, in document order; for each line the place of its innermost one, -1 if it is in none, and the level of its heading, 0 if it is in none.

    `outer` is the place of the structure around each, -1 if there is none; `first` and `last` are the ends of its lines, of all of
    which `words` and `gain` are sums; headings and asides are in none.
    `is_one` are those of which all is kept or dropped: an item with paragraphs is a post and has a frame, and a list with many words outside
    its items was never closed. `is_open` are decided by what they hold: a part that is an article, a table that is a layout. `kept` are set
    as they are decided.
    """

    element: list[int]
    outer: list[int]
    tag: list[str]
    first: list[int]
    last: list[int]
    words: list[float]
    gain: list[float]
    rows: list[int]
    holds_paragraph: list[bool]
    of_line: list[int]
    levels: list[int]
    is_one: list[bool]
    is_open: list[bool]
    kept: list[bool]

    def ancestors(self, place: int) -> Iterator[int]:
        """A structure, then the structures around it."""
        while place >= 0:
            yield place
            place = self.outer[place]

    @property
    def places(self) -> dict[int, int]:
        """Place of the structure of each element that is one."""
        return {element: place for place, element in enumerate(self.element)}


def structures_of(lines: LineValues) -> Structures:
    page = lines.page
    of_lines = lines.elements, lines.aside, lines.words, lines.gains
    columns = compiled.structures(page.tags, page.parents, KINDS, of_lines, (LARGE, POST))
    return Structures._make((*columns, [False] * len(columns[0])))


def posts(lines: LineValues, structures: Structures) -> Iterator[int]:
    """Places of items that have a text in one line and a frame in others: a row of data has hardly more lines than cells."""
    page, first, last = lines.page, structures.first, structures.last
    for place, (words_of_item, tag) in enumerate(
        zip(structures.words, structures.tag, strict=True)
    ):
        if words_of_item <= POST or tag not in ITEMS or first[place] == last[place]:
            continue
        words = lines.words[first[place] : last[place] + 1]
        if max(words) > POST:
            element = structures.element[place]
            inside = page.tags[element : subtree_end(page.parents, element)]
            if len(words) > 1 + 2 * sum(map(inside.count, CELLS)):
                yield place


def is_below(page: Page, element: int, ancestor: int) -> bool:
    while element > ancestor:
        element = page.parents[element]
    return element == ancestor


BESIDE_CODE = 12  # maximum labels and other code between code and the text around it


def is_code(page: Page, element: int) -> bool:
    """Return whether an element is code, or a table that a highlighter made of it."""
    if page.tags[element] != "table":
        return page.tags[element] == "pre"
    inside = page.tags[element : subtree_end(page.parents, element)]
    texts = (page.nodes[n].element for n in nodes_within(page, element))
    return "code" in inside or all(nearest_of_tags(page, of, {"pre"}) >= 0 for of in texts)


def gain_around_code(lines: LineValues, before: int, behind: int) -> float:
    """The smaller gain of the lines up to that before code, and from that behind it on, that are no asides, labels or other code; -1 at an end of the page."""

    def is_text(line: int) -> bool:
        is_code = nearest_of_tags(lines.page, lines.elements[line], {"pre"}) >= 0
        return lines.words[line] > LABEL_WORDS and not is_code

    sides = range(before, -1, -1), range(behind, len(lines.gains))
    seen = (islice((n for n in side if not lines.aside[n]), BESIDE_CODE) for side in sides)
    return min(next((lines.gains[n] for n in side if is_text(n)), -1.0) for side in seen)
