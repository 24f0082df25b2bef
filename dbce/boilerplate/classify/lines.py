"""The lines of pages and the measures of each: the units that the joint method judges.

A line is what a browser would set as one paragraph (dbce.html.lines). Lengths count a character of a
script without spaces as half a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify.characters import (
    ALPHANUMERIC,
    CAPITAL,
    COMMA,
    DIGIT,
    ENDING,
    SPACE,
    STOP,
    UNSPACED,
    counts,
    folded,
    kinds,
    word_starts,
)
from dbce.boilerplate.classify.forest import by_tag, inherited, nearest, offsets
from dbce.html import INLINE
from dbce.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats, Ints
    from dbce.boilerplate.classify.forest import Forest
    from dbce.model import Page

WORDS = re.compile(r"\w+")
STRONG = frozenset({"b", "strong", "em", "i", "h1", "h2", "h3", "h4", "h5", "h6", "big", "th"})

SENTENCE = 5
"""Words from which on it tells something that a page has a line twice."""

TITLE_LIKE = 300
"""Characters up to which a line may be a headline."""

_LINKED, _HIDDEN = 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of some pages, page after page; page i has those from `starts[i]` on.

    `text` holds the lines one after another, white space as parsed; line i goes from `bounds[i]` to
    `bounds[i + 1]`, `kinds` are those of its characters, and `folded` what words are told by; None where
    Python tells them. Arrays of shape (nodes,): `of_node` is
    a text node's line, `node_words` its number of words; page i has the nodes from `node_starts[i]`
    on. Arrays of shape (lines,): `holder` is the element of the forest that sets the line, `words`
    its length, `linked`, `strong` and `hidden` the part of it in links, in bold or the like, and in
    hidden elements.
    """

    starts: Ints
    node_starts: Ints
    of_node: Ints
    node_words: Ints
    text: str
    bounds: Ints
    kinds: NDArray[np.uint8]
    folded: NDArray[np.uint32] | None
    holder: Ints
    words: Floats
    linked: Floats
    strong: Floats
    hidden: Floats

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of every line, its white space collapsed."""
        edges = pairwise(self.bounds.tolist())
        return tuple(" ".join(self.text[start:end].split()) for start, end in edges)

    @property
    def page(self) -> Ints:
        """The number of every line's page."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


def read_lines(pages: Sequence[Page], forest: Forest) -> Lines:
    """The lines of pages that have text; `forest` is theirs."""
    nodes = list(chain.from_iterable(page.nodes for page in pages))
    node_starts = offsets(len(page.nodes) for page in pages)
    shift = np.repeat(forest.starts[:-1], np.diff(node_starts))
    element = np.array([node.element for node in nodes]) + shift
    after = np.array([node.after for node in nodes]) + shift
    holder, begins = _holders(forest, element, after)
    of_node = np.cumsum(begins) - 1
    first = np.flatnonzero(begins)
    apart = begins | [node.spaced for node in nodes]
    text, node_bounds = _joined([node.text for node in nodes], apart)
    of_characters = kinds(text)
    node_words = _word_counts(of_characters, node_bounds)
    length = node_words + counts((of_characters & UNSPACED) > 0, node_bounds) / 2
    in_links, in_strong, in_hidden = _parts(forest, forest.path[element])
    # The sign that a headline shows when the mouse is over it hides nothing to be read.
    in_hidden &= counts((of_characters & ALPHANUMERIC) > 0, node_bounds) > 0
    words, linked, strong, hidden = (
        np.add.reduceat(length * part, first).astype(np.float32)
        for part in (np.ones_like(begins), in_links, in_strong, in_hidden)
    )
    return Lines(
        starts=np.append(of_node[node_starts[:-1]], len(first)),
        node_starts=node_starts,
        of_node=of_node,
        node_words=node_words,
        text=text,
        bounds=np.append(node_bounds[first], len(text)),
        kinds=of_characters,
        folded=folded(text) if kernel() else None,
        holder=holder[first],
        words=words,
        linked=linked / words,
        strong=strong / words,
        hidden=hidden / words,
    )


def _holders(forest: Forest, element: Ints, after: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """The element that sets the line of each text node, and true of the nodes that begin one.

    The same as in dbce.html.lines, but of all pages at once.
    """
    sets_lines = by_tag(forest, lambda tag: tag not in INLINE)[forest.path] | (forest.depth == 0)
    holder = nearest(forest, element, sets_lines)
    blocks = np.cumsum(sets_lines)[after]
    same = (holder[1:] == holder[:-1]) & (blocks[1:] == blocks[:-1])
    return holder, np.concatenate([[True], ~same])


def _joined(texts: Sequence[str], apart: NDArray[np.bool_]) -> tuple[str, Ints]:
    """Texts in a row, a space before each that is apart, and where each begins with its space."""
    gaps = np.where(apart, " ", "").tolist()
    text = "".join(chain.from_iterable(zip(gaps, texts, strict=True)))
    return text, offsets(np.array([len(text) for text in texts]) + apart)


def _word_counts(of_characters: NDArray[np.uint8], node_bounds: Ints) -> Ints:
    """The number of words of every text node; a word that goes on in the next counts in both."""
    begins = word_starts(of_characters)
    first = node_bounds[:-1]
    begins[first] = (of_characters[first] & SPACE) == 0
    return counts(begins, node_bounds)


def _parts(forest: Forest, path: Ints) -> tuple[NDArray[np.bool_], ...]:
    """True of the text nodes in links; of those in bold or the like; of those in hidden elements."""
    links = by_tag(forest, lambda tag: tag == "a")
    flags = inherited(forest, _LINKED * links | _HIDDEN * forest.paths.hides)[path]
    strong = by_tag(forest, lambda tag: tag in STRONG)[path] > 0
    return (flags & _LINKED) > 0, strong, (flags & _HIDDEN) > 0


def text_features(lines: Lines, titles: Sequence[str]) -> dict[str, Floats]:
    """Features of each line's own text, by name; `titles` are those of the pages."""
    words, of, bounds = lines.words, lines.kinds, lines.bounds
    begins, ink = word_starts(of), (of & SPACE) == 0
    # With its white space collapsed, a line has a space before each word but the first.
    characters = (counts(ink, bounds) + counts(begins, bounds) - 1).astype(np.float32)
    last = np.flatnonzero(ink)
    last = last[np.searchsorted(last, bounds[1:]) - 1]
    stops = counts((of & STOP) > 0, bounds).astype(np.float32)
    columns = {
        "words": words,
        "word_length": characters / words,
        "link_density": lines.linked,
        "strong": lines.strong,
        "hidden": lines.hidden,
        "stops": stops,
        "stop_density": stops / words,
        "commas": counts((of & COMMA) > 0, bounds),
        "digits": counts((of & DIGIT) > 0, bounds) / characters,
        "capitals": counts(begins & ((of & CAPITAL) > 0), bounds) / words,
        "ends": (of[last] & ENDING) > 0,
    }
    columns["title_overlap"], columns["title_cover"] = _beside_titles(lines, titles, characters)
    columns["said_before"], columns["said_after"] = _repeated_lines(lines)
    return {name: values.astype(np.float32, copy=False) for name, values in columns.items()}


def _beside_titles(lines: Lines, titles: Sequence[str], characters: Floats) -> NDArray[np.float64]:
    """Share of a line's words that the title has, and of the title's words that the line has."""
    short = characters <= TITLE_LIKE
    in_row = folded("".join(titles))
    if (compiled := kernel()) is None or lines.folded is None or in_row is None:
        return _shares(lines, titles, short.tolist())
    numbers = np.zeros((3, len(short)), np.int64)
    edges = offsets(map(len, titles))
    is_short = short.view(np.uint8)
    compiled.find_titles(lines.folded, lines.bounds, is_short, lines.starts, in_row, edges, numbers)
    of_line, both, of_title = numbers
    # Where no word is in both, there may be none in either.
    return np.stack([both / np.maximum(of_line, 1), both / np.maximum(of_title, 1)])


def _shares(lines: Lines, titles: Sequence[str], short: Sequence[bool]) -> NDArray[np.float64]:
    """The same where nothing is compiled."""
    shares = np.zeros((2, len(short)))
    bounds = lines.bounds.tolist()
    for title, (start, end) in zip(titles, pairwise(lines.starts.tolist()), strict=True):
        of_title = _words(title)
        if not of_title:
            continue
        for line in range(start, end):
            if short[line]:
                own = _words(lines.text[bounds[line] : bounds[line + 1]])
                both = len(own & of_title)
                if both:
                    shares[:, line] = both / len(own), both / len(of_title)
    return shares


def _repeated_lines(lines: Lines) -> NDArray[np.bool_]:
    """True where the page has a line's text before it, and after it; short lines do not count.

    Pages bring an article twice: short and in full, for the screen and for print.
    """
    repeated = np.zeros((2, len(lines.words)), dtype=np.bool_)
    bounds, long_ones = lines.bounds.tolist(), np.flatnonzero(lines.words >= SENTENCE)
    last: dict[tuple[int, str], int] = {}
    for line, page in zip(long_ones.tolist(), lines.page[long_ones].tolist(), strict=True):
        key = page, lines.text[bounds[line] : bounds[line + 1]].strip()
        if key in last:
            repeated[0, line] = repeated[1, last[key]] = True
        last[key] = line
    return repeated


@lru_cache(maxsize=10_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(WORDS.findall(text.lower()))
