"""Classified lines of a page, and the tree of structures that hold them, with the gain of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dbce.boilerplate.classify import UNSPACED, LineValues, kinds
from dbce.boilerplate.word_labels import WordLabels
from dbce.html import ancestors, holders
from dbce.html import lines as html_lines
from dbce.model import Hashes, Page


def line_values(page: Page, ends: Hashes, word_labels: WordLabels) -> LineValues:
    """Lines of a page from its classified words, before any cut: gains are probabilities.

    As in the features of lines, two letters of a script that sets no spaces count as a word more.
    """
    of_node = html_lines(page, holders(page))
    words = np.diff(ends, prepend=0)
    first = np.flatnonzero(np.diff(of_node, prepend=-1))
    lengths = np.add.reduceat(words, first)
    starts = np.append(0, ends[:-1])[first]
    chances = np.add.reduceat(word_labels.probabilities, starts) / lengths
    unspaced = [
        0 if node.text.isascii() else int(np.count_nonzero(kinds(node.text) & UNSPACED))
        for node in page.nodes
    ]
    weights = lengths + np.add.reduceat(unspaced, first) / 2
    hidden = [page.hidden[page.nodes[node].element] for node in first.tolist()]
    shown = [not h for h in hidden]
    return LineValues(page, of_node, chances.tolist(), weights.tolist(), shown)


WHOLE = frozenset("table ul ol menu dir dl figure pre blockquote".split())
"""Structures decided as one."""

LISTED = frozenset("table ul ol dl".split())  # structures of rows or items

PARTS = frozenset("tr li dt dd p caption figcaption".split())
"""Parts that are kept or dropped whole."""

ITEMS = frozenset("tr li dt dd".split())
CELLS = frozenset(("td", "th"))

SIBLINGS = frozenset(("div", "article", "section"))
"""Elements that are posts or cards where siblings share a class."""

BOXES = frozenset("div aside section blockquote figure fieldset details".split())
"""Elements that are boxes where they hold few words."""

BOX_WORDS = 60  # maximum words of a box
LABEL_WORDS = 4  # maximum words of a label, such as "Warning" or "Weight"

HEADINGS = {f"h{level}": level for level in range(1, 7)}
LEVELS = HEADINGS | dict.fromkeys(WHOLE | PARTS, 0)
NOWHERE = -1 << 3

LARGE = 200
"""Minimum words of a part that is an article rather than an item or a row: its own parts decide."""

POST = 25
"""Maximum words of an item with paragraphs that is kept or dropped whole; one with more is a post, and has a frame."""

APART = 0.3
"""Minimum gain per word of a part whose kind differs from that of the open structure around it."""


def choice(gain: float, outer: bool | None, apart: float) -> bool:
    """Return whether a part is kept by its gain per word, inside a structure that is kept, dropped or open (None)."""
    if outer is None:
        return gain >= 0
    return gain >= -apart if outer else gain > apart


def containers(page: Page) -> list[int]:
    """For each element, as one number, the structure or part that it is in (`inside >> 3`, -1 for none) and the level of its heading (`inside & 7`, 0 for none).

    One more number stands at the end: what is around the root, whose parent is -1.
    """
    inside = [NOWHERE] * (len(page.tags) + 1)
    # One look at the tag of each element: all else here is done for each line or structure, of which there are fewer.
    for element, (tag, parent) in enumerate(zip(page.tags, page.parents, strict=True)):
        above = inside[parent]
        if tag in LEVELS:
            level = LEVELS[tag]
            above = above & ~7 | level if level else element << 3 | above & 7
        inside[element] = above
    return inside


@dataclass(slots=True)
class Structure:
    """A structure or part: its own lines, in no inner structure, and sums over all of its lines.

    `first` and `last` are the ends of all of its lines; `loose` words are in no row or item of it. `is_open` is one that is decided by what it holds: a part that
    is an article, a table that is a layout.
    """

    tag: str
    parent: int
    own: list[int]
    first: int
    last: int
    words: float = 0.0
    gain: float = 0.0
    longest_part: float = 0.0
    loose: float = 0.0
    holds_whole: bool = False
    holds_table: bool = False
    holds_paragraph: bool = False
    rows: int = 0
    is_open: bool = False
    kept: bool = False

    @property
    def is_one(self) -> bool:
        """True if all of it is kept or dropped.

        An item with paragraphs is a post and has a frame; a list with many words outside its items was never closed.
        """
        if self.tag in ITEMS:
            return not self.holds_paragraph or self.words <= POST
        return self.tag == "pre" or self.loose <= LARGE


def structures_of(
    lines: LineValues, innermost: Sequence[int], levels: Sequence[int], inside: Sequence[int]
) -> dict[int, Structure]:
    """Structures with lines, by element, in document order; headings are part of none."""
    structures = _with_own_lines(lines, innermost, levels, inside)
    page = lines.page
    # One function for all of them, and none for each: a page has hundreds.
    for element, structure in reversed(structures.items()):
        tag, words = structure.tag, structure.words
        if tag in PARTS:
            structure.is_open = words > LARGE or structure.holds_whole
        elif tag == "table":
            structure.is_open = structure.holds_table or structure.longest_part > LARGE
        if structure.parent >= 0:
            outer = structures[structure.parent]
            outer.words += words
            outer.gain += structure.gain
            outer.rows += tag == "tr"
            outer.last = max(outer.last, structure.last)
            outer.holds_paragraph = outer.holds_paragraph or structure.holds_paragraph or tag == "p"
            outer.loose += 0 if tag in ITEMS else structure.loose
            if structure.holds_whole or tag in WHOLE:
                outer.holds_whole = True
            is_header = tag == "table" and page.tags[page.parents[element]] == "th"
            if structure.holds_table or (tag == "table" and not is_header):
                outer.holds_table = True
            longest = words if tag == "tr" else structure.longest_part
            outer.longest_part = max(outer.longest_part, longest)
    return structures


def _with_own_lines(
    lines: LineValues, innermost: Sequence[int], levels: Sequence[int], inside: Sequence[int]
) -> dict[int, Structure]:
    page = lines.page
    holding: dict[int, Structure] = {}
    values = zip(innermost, levels, lines.words, lines.gains, strict=True)
    for line, (own, level, words, gain) in enumerate(values):
        if level or own < 0:
            continue
        if own not in holding:
            element = own
            while element >= 0 and element not in holding:
                outside = inside[page.parents[element]] >> 3
                holding[element] = Structure(page.tags[element], outside, [], line, line)
                element = outside
        structure = holding[own]
        structure.own.append(line)
        structure.last = line
        structure.words += words
        structure.loose += words
        structure.gain += words * gain
    return dict(sorted(holding.items()))


def enclosing_structures(structures: Mapping[int, Structure], element: int) -> Iterator[int]:
    """A structure, then the structures around it."""
    while element in structures:
        yield element
        element = structures[element].parent


def is_below(page: Page, element: int, ancestor: int) -> bool:
    while element > ancestor:
        element = page.parents[element]
    return element == ancestor


def heading_of(page: Page, element: int) -> int:
    return next(e for e in ancestors(page.parents, element) if LEVELS.get(page.tags[e]))
