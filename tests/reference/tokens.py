"""Paths of elements, and names, phrases and words of titles, as the features of lines have them."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from dbce.boilerplate.classify.lines import TITLE_LIKE, Forest, Lines
from dbce.boilerplate.classify.tokens import HEAD, MOST, NEAR, NEAR_SLOTS, PHRASE_SLOTS, SHORT
from dbce.model import LETTER_RUN, WORD_RUN, Page

CAMEL = re.compile(r"([a-z])([A-Z])")
LETTERS = re.compile(rb"[a-z]{2,}")


def number_paths(pages: Sequence[Page]) -> tuple[list[int], list[list[Any]]]:
    """(number of the path of each element, columns of the paths: path above, tag, classes, id, roles, hidden)."""
    numbers: dict[tuple[Any, ...], int] = {}
    of_all: list[int] = []
    for page in pages:
        own: list[int] = []
        columns = page.tags, page.classes, page.ids, page.roles, page.hidden
        for *step, parent in zip(*columns, page.parents, strict=True):
            above = own[parent] if parent >= 0 else -1
            own.append(numbers.setdefault((above, *step), len(numbers)))
        of_all += own
    return of_all, [list(column) for column in zip(*numbers, strict=True)]


def name_tokens(forest: Forest, lines: Lines) -> list[tuple[int, ...]]:
    """Sorted hashes of the name parts of the elements around each line, then of the near ones."""
    paths = forest.paths
    own = [
        _parts(" ".join([tag if "-" in tag else "", *names]))
        for tag, *names in zip(paths.tags, paths.classes, paths.ids, paths.roles, strict=True)
    ]

    def tokens(path: int) -> Iterator[int]:
        way = [own[one] for one in _way(paths.above, path)]
        yield from sorted(set().union(*way))
        yield from (NEAR_SLOTS + one for one in sorted(set().union(*way[:NEAR])))

    return [tuple(tokens(path)) for path in forest.path[lines.holder].tolist()]


def _way(above: Sequence[int], path: int) -> Iterator[int]:
    """The path, and those above it."""
    while path >= 0:
        yield path
        path = above[path]


def _parts(names: str) -> set[int]:
    """Hashes of the parts of some names: "commentList" has two."""
    parts = LETTERS.findall(CAMEL.sub(r"\1 \2", names).lower().encode())
    return {crc32(part) % NEAR_SLOTS for part in parts}


def phrase_tokens(lines: Lines) -> list[tuple[int, ...]]:
    """Sorted hashes of each line's words, of its beginning and of the whole of it."""
    return [_phrases(" ".join(text.split())) for text in _texts(lines)]


def _phrases(text: str) -> tuple[int, ...]:
    is_short = len(text) <= SHORT
    # In lower case some letters are two, and a sigma is what its word makes it: it is cut behind.
    small = _small_letters(text)[: None if is_short else HEAD]
    words = LETTER_RUN.findall("".join(small))
    hashes = set()
    if len(words) > 1:
        hashes.add(_hash("^" + " ".join(words[:2])))
    if words and is_short and len(words) <= MOST:
        hashes |= {_hash("=" + " ".join(words)), *map(_hash, words)}
    return tuple(sorted(hashes))


def _small_letters(text: str) -> list[str]:
    """Each letter in lower case; that of a capital I with a dot is two characters."""
    small = text.replace("\u0130", "I").lower()
    return ["i\u0307" if a == "\u0130" else b for a, b in zip(text, small, strict=True)]


def _hash(phrase: str) -> int:
    return crc32(phrase.encode("utf-8", "surrogatepass")) % PHRASE_SLOTS


def title_overlaps(lines: Lines, titles: Sequence[str]) -> NDArray[np.float64]:
    """Share of a line's words that the title has, and of the title's words that the line has."""
    texts = _texts(lines)
    shares = np.zeros((2, len(texts)))
    for line, (text, page) in enumerate(zip(texts, lines.page.tolist(), strict=True)):
        own, of_title = (set(WORD_RUN.findall(one.lower())) for one in (text, titles[page]))
        if len(" ".join(text.split())) <= TITLE_LIKE and (both := len(own & of_title)):
            shares[:, line] = both / len(own), both / len(of_title)
    return shares


def _texts(lines: Lines) -> list[str]:
    return [lines.text[start:end] for start, end in pairwise(lines.bounds.tolist())]
