"""What dbce compiles, once more in Python: plain and slow, and what tests hold the compiled part to."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dbce import html
from dbce.boilerplate.classify.lines import CAPITAL, TITLE_LIKE, Counts, Lines, kinds
from dbce.boilerplate.classify.tokens import HEAD, MOST, NEAR, NEAR_SLOTS, PHRASE_SLOTS, SHORT
from dbce.model import LETTER_RUN, WORD_RUN, Hashes, Page

Values = NDArray[np.float64]


def way_up(parents: Sequence[int], element: int) -> Iterator[int]:
    """The element and those above it; a root is its own parent, or has -1."""
    yield element
    while parents[element] not in (element, -1):
        element = parents[element]
        yield element


def with_all_below(parents: Sequence[int], values: Values) -> Values:
    """Sums of the rows over each element and all below it, by way of each element to its root."""
    sums = np.zeros(values.shape)
    for element in range(len(parents)):
        for above in way_up(parents, element):
            sums[:, above] += values[:, element]
    return sums


def nearest(parents: Sequence[int], element: int, wanted: Sequence[bool]) -> int:
    """The nearest wanted element, itself or above it, else the root."""
    *_, root = way_up(parents, element)
    return next((above for above in way_up(parents, element) if wanted[above]), root)


def inherited(above: Sequence[int], flags: Sequence[int], path: int) -> int:
    """Flags of a path and of all above it."""
    all_of = 0
    for one in way_up(above, path):
        all_of |= flags[one]
    return all_of


def counts(text: str) -> Counts:
    """Counts of one text."""
    of = kinds(text).tolist()
    words = text.split()
    ink = [kind for kind, character in zip(of, text, strict=True) if not character.isspace()]
    return Counts(
        *(sum(kind >> bit & 1 for kind in of) for bit in range(9)),
        words=len(words),
        capital_words=sum(bool(kinds(word)[0] & CAPITAL) for word in words),
        last=ink[-1] if ink else 0,
    )


def around(values: Sequence[float], starts: Sequence[int], offset: int) -> list[float]:
    """The value so many lines on from each, NaN beyond its page."""
    page_of = [page for page, size in enumerate(np.diff(starts)) for _ in range(size)]
    there = [line + offset for line in range(len(values))]
    return [
        values[line] if 0 <= line < len(values) and page_of[line] == page else np.nan
        for line, page in zip(there, page_of, strict=True)
    ]


def mean_before(values: Sequence[float], decay: float) -> float:
    """Exponential mean of the values of a page before a line."""
    weights = [(1 - decay) * decay**back for back in range(len(values))]
    return sum(weight * value for weight, value in zip(weights, reversed(values), strict=True))


def holders(page: Page, blocks: Collection[int]) -> list[int]:
    """For each element the nearest that is no inline one or one of the blocks, itself included, else the root."""
    sets_text = [tag not in html.INLINE or n in blocks for n, tag in enumerate(page.tags)]
    return [nearest(page.parents, element, sets_text) for element in range(len(page.tags))]


def enclosing(page: Page, chosen: Collection[int]) -> list[int]:
    """For each element the nearest chosen one, itself included; -1 where there is none."""
    ways = (way_up(page.parents, element) for element in range(len(page.tags)))
    return [next((above for above in way if above in chosen), -1) for way in ways]


# Paths of elements, and names, phrases and words of titles, as the features of lines have them.


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


def name_tokens(lines: Lines) -> list[tuple[int, ...]]:
    """Sorted hashes of the name parts of the elements around each line, then of the near ones."""
    paths = lines.forest.paths
    own = [
        _parts(" ".join([tag if "-" in tag else "", *names]))
        for tag, *names in zip(paths.tags, paths.classes, paths.ids, paths.roles, strict=True)
    ]

    def tokens(path: int) -> Iterator[int]:
        way = [own[one] for one in way_up(paths.above, path)]
        yield from sorted(set().union(*way))
        yield from (NEAR_SLOTS + one for one in sorted(set().union(*way[:NEAR])))

    return [tuple(tokens(path)) for path in lines.forest.path[lines.holder].tolist()]


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


# Hashes of texts, and what a sketch keeps of a page.


def hash_strings(strings: Sequence[str]) -> Hashes:
    """Hashes of strings by pandas."""
    array = np.array(strings, dtype=object)
    return pd.util.hash_array(array, categorize=False).astype(np.uint32)


def word_hashes(page: Page) -> tuple[Hashes, Hashes]:
    """(hash of every word of all text nodes, end of each node among them)."""
    words: list[str] = []
    ends = []
    for node in page.nodes:
        words += node.text.split()
        ends.append(len(words))
    return hash_strings(words), np.array(ends, dtype=np.uint32)


def template_hashes(
    tags: Sequence[str], classes: Sequence[str], parents: Sequence[int]
) -> list[int]:
    """Place in the template of each element; parents come before their children."""
    hashes: list[int] = []
    for tag, names, parent in zip(tags, classes, parents, strict=True):
        hashes.append(html.template_hash(tag, names, hashes[parent] if parent >= 0 else 0))
    return hashes


def node_places(page: Page) -> Hashes:
    """Place in the template of each text node: that of the element that sets its line."""
    of_element = template_hashes(page.tags, page.classes, page.parents)
    holder = html.holders(page)
    return np.array([of_element[holder[node.element]] for node in page.nodes], dtype=np.uint32)


def path_tokens(page: Page) -> set[str]:
    """The last three steps (tag and sorted classes) of every element's path."""
    tokens = set()
    for element in range(len(page.tags)):
        steps: list[str] = []
        while element >= 0 and len(steps) < 3:
            names = sorted(set(page.classes[element].split()))
            steps.insert(0, ".".join([page.tags[element], *names]))
            element = page.parents[element]  # noqa: PLW2901 - a climb
        tokens.add(">".join(steps))
    return tokens
