"""The lines of a page and what can be measured on each: the units that the joint method judges.

A line is what a browser would set as one paragraph (dbce.blocks). Everything here is one pass over
plain values; lengths count a CJK character as half a word, since no spaces part words there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dbce.blocks import holders, lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.model import Page

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int64]

UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
STOPS = re.compile(r"[.!?…。！？]")
COMMAS = re.compile(r"[,;、，]")
ENDING = re.compile(r"[.!?…:。！？\"”’')\]]$")
WORDS = re.compile(r"\w+")
STRONG = frozenset({"b", "strong", "em", "i", "h1", "h2", "h3", "h4", "h5", "h6", "big", "th"})


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of a page; arrays have shape (lines,), `of_node` and `node_words` (nodes,).

    `holder` is the element that sets the line, `words` its length, `linked`, `strong` and `hidden`
    the part of it in links, in bold or the like, and in hidden elements.
    """

    of_node: Ints
    node_words: Ints
    texts: tuple[str, ...]
    holder: Ints
    words: Floats
    linked: Floats
    strong: Floats
    hidden: Floats


def read_lines(page: Page) -> Lines:
    """The lines of a page that has text."""
    holder = holders(page)
    of_node = lines(page, holder)
    linked, hidden = _inherited(page)
    pieces: list[list[str]] = [[] for _ in range(of_node[-1] + 1)]
    first: list[int] = [0] * len(pieces)
    sums = [[0.0, 0.0, 0.0, 0.0] for _ in pieces]
    node_words = []
    for node, line in zip(page.nodes, of_node, strict=True):
        text, element = node.text, node.element
        count = len(text.split())
        node_words.append(count)
        length: float = count
        if not text.isascii():
            length += 0.5 * len(UNSPACED.findall(text))
        if not pieces[line]:
            first[line] = holder[element]
        elif node.spaced:
            pieces[line].append(" ")
        pieces[line].append(text)
        of_line = sums[line]
        of_line[0] += length
        if linked[element]:
            of_line[1] += length
        if page.tags[element] in STRONG:
            of_line[2] += length
        if hidden[element]:
            of_line[3] += length
    words, in_links, in_strong, in_hidden = np.array(sums, dtype=np.float32).T
    return Lines(
        of_node=np.array(of_node),
        node_words=np.array(node_words),
        texts=tuple(" ".join("".join(line).split()) for line in pieces),
        holder=np.array(first),
        words=words,
        linked=in_links / words,
        strong=in_strong / words,
        hidden=in_hidden / words,
    )


def _inherited(page: Page) -> tuple[list[bool], list[bool]]:
    """For each element whether it is in a link, and whether it is hidden."""
    linked: list[bool] = []
    hidden: list[bool] = []
    for tag, parent, hides in zip(page.tags, page.parents, page.hidden, strict=True):
        linked.append(tag == "a" or (parent >= 0 and linked[parent]))
        hidden.append(hides or (parent >= 0 and hidden[parent]))
    return linked, hidden


def text_features(lines_: Lines, title: str) -> dict[str, Floats]:
    """What a line's own text says, by name."""
    texts = lines_.texts
    words = lines_.words
    characters = np.array([len(text) for text in texts], dtype=np.float32)
    stops = _counts(STOPS, texts)
    title_words = set(WORDS.findall(title.lower()))
    overlap = [_overlap(text, title_words) for text in texts]
    return {
        "words": words,
        "word_length": characters / words,
        "link_density": lines_.linked,
        "strong": lines_.strong,
        "hidden": lines_.hidden,
        "stops": stops,
        "stop_density": stops / words,
        "commas": _counts(COMMAS, texts),
        "digits": np.array([sum(map(str.isdigit, t)) for t in texts], np.float32) / characters,
        "capitals": np.array([sum(w[0].isupper() for w in t.split()) for t in texts], np.float32)
        / words,
        "ends": np.array([ENDING.search(text) is not None for text in texts], np.float32),
        "title_overlap": np.array([o[0] for o in overlap], np.float32),
        "title_cover": np.array([o[1] for o in overlap], np.float32),
    }


def _counts(pattern: re.Pattern[str], texts: tuple[str, ...]) -> Floats:
    return np.array([len(pattern.findall(text)) for text in texts], dtype=np.float32)


def _overlap(text: str, title_words: set[str]) -> tuple[float, float]:
    """Share of a line's words that the title has, and of the title's words that the line has."""
    if not title_words or len(text) > 300:
        return 0.0, 0.0
    own = set(WORDS.findall(text.lower()))
    both = len(own & title_words)
    return both / max(len(own), 1), both / len(title_words)
