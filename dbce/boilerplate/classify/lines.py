"""Lines of pages and the measures of each: the units that the joint method judges.

A line is what a browser would set as one paragraph (dbce.html.walk). Lengths count a character of a
script without spaces as half a word.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dbce.html import INLINE
from dbce.kernel import compiled
from dbce.model import Page

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


# Kinds of characters in texts, and the characters that words are told by.


Number = TypeVar("Number", np.uint8, np.uint32)

_IS: tuple[Callable[[str], object], ...] = (
    str.isspace,
    str.isdigit,
    str.isupper,
    frozenset(".!?…。！？").__contains__,
    frozenset(",;、，").__contains__,
    frozenset(".!?…:。！？\"”’')]").__contains__,
    re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]").match,
    str.isalnum,
)

SPACE, DIGIT, CAPITAL, STOP, COMMA, ENDING, UNSPACED, ALPHANUMERIC = (
    1 << bit for bit in range(len(_IS))
)
"""Kinds of characters: white space; digits; capitals; ends of sentences; commas and the like; what
a finished line ends with; characters of scripts that put no spaces between words; letters and digits."""


def kinds(text: str) -> NDArray[np.uint8]:
    """Kinds of every character of a text, as a sum of bits."""
    return _map_codes(text, _kinds, np.uint8)


def counts(chosen: NDArray[np.bool_], bounds: Ints) -> Ints:
    """Number of the chosen characters in each text; text i goes from `bounds[i]` to the next."""
    return np.diff(np.searchsorted(np.flatnonzero(chosen), bounds))


def word_starts(of_characters: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Characters that begin a word, after white space or at the beginning of the text."""
    space = (of_characters & SPACE) > 0
    starts = ~space
    starts[1:] &= space[:-1]
    return starts


FOLDED_SPACE, FOLDED_WORD, FOLDED_LETTER, FOLDED_END = 1 << 21, 1 << 22, 1 << 23, 1 << 24
"""Bits of a folded character above those of its code: white space; what `\\w` stands for; that without digits and _;
the last of its word."""

SIGMA = "\u03a3"
"""The only capital that is written small by where it stands in its word."""

DOTTED_I = "\u0130"
"""The only capital that is two characters in lower case, an i and a dot above it, which ends a word."""

_WORD_CHARACTER = re.compile(r"\w")
_LETTER = re.compile(r"[^\W\d_]")


def fold_characters(text: str) -> NDArray[np.uint32]:
    """Code of every character, in lower case, and what it is to a word, as the compiled part takes texts."""
    if SIGMA in text:
        small = text.replace(DOTTED_I, "I").lower()  # as long as the text
        text = re.sub(SIGMA, lambda match: small[match.start()], text)
    return _map_codes(text, _folded_code, np.uint32)


def _map_codes(text: str, of: Callable[[int], int], kind: type[Number]) -> NDArray[Number]:
    """A value of the code of every character; few of all that there are occur in a text: each is looked at once."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    occurs = np.zeros(codes.max(initial=0) + 1, dtype=np.bool_)
    occurs[codes] = True
    table = np.zeros(len(occurs), kind)
    for code in np.flatnonzero(occurs).tolist():
        table[code] = of(code)
    values: NDArray[Number] = table[codes]
    return values


@lru_cache(maxsize=20_000)
def _kinds(code: int) -> int:
    return sum(1 << bit for bit, holds in enumerate(_IS) if holds(chr(code)))


@lru_cache(maxsize=20_000)
def _folded_code(code: int) -> int:
    lower = chr(code).lower()
    small = lower[0]
    bits = FOLDED_SPACE * small.isspace() | FOLDED_END * (len(lower) > 1)
    bits |= FOLDED_WORD * (_WORD_CHARACTER.match(small) is not None)
    bits |= FOLDED_LETTER * (_LETTER.match(small) is not None)
    return ord(small) | bits


# The elements of many pages as one forest: what is asked of each is asked of all at once.
#
# Pages of a template repeat themselves. What depends on nothing but the way from the root to an
# element is worked out once for each distinct way, its path.


LEVELS = (0, 1, 2, 3, 5)
"""Ancestors of a line's holder whose sums are features: itself, its parent, ..."""


@dataclass(frozen=True, slots=True, eq=False)
class Paths:
    """Ways from the root, each as its last step and the number of the path above it, -1 for a root.

    Each comes after the one above it.
    """

    above: Ints
    tags: list[str]
    classes: list[str]
    ids: list[str]
    roles: list[str]
    hides: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.tags)


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Elements of several pages, page after page, each page in document order.

    Page i has the elements from `starts[i]` to `starts[i + 1]`. Arrays of shape (elements,): a
    root is its own parent; `path` is a place in `paths`. `tags` are the different tags of the paths, and `tag` the
    place of that of each path there; `levels` are the paths of each depth, from below the roots on.
    """

    starts: Ints
    parents: Ints
    depth: Ints
    path: Ints
    paths: Paths
    tag: Ints
    tags: tuple[str, ...]
    levels: tuple[Ints, ...]


def plant(pages: Sequence[Page]) -> Forest:
    """Forest of some pages."""
    starts = offsets(len(page.tags) for page in pages)
    above = flat(page.parents for page in pages)
    parents = np.where(above < 0, 0, above) + np.repeat(starts[:-1], np.diff(starts))
    path, depth, paths = _number_paths(pages, int(starts[-1]))
    tags: dict[str, int] = {}
    tag = np.array([tags.setdefault(each, len(tags)) for each in paths.tags])
    order = np.argsort(depth, kind="stable")
    levels = np.split(order, np.cumsum(np.bincount(depth))[:-1])[1:]
    return Forest(starts, parents, depth[path], path, paths, tag, tuple(tags), tuple(levels))


def _number_paths(pages: Sequence[Page], elements: int) -> tuple[Ints, Ints, Paths]:
    """(the path of every element of all pages, the depth of every path, the paths), as they are met first."""
    columns = [
        (page.tags, page.classes, page.ids, page.roles, page.hidden, page.parents) for page in pages
    ]
    path = np.empty(elements, np.int64)
    above, depth, tags, classes, ids, roles, hides = compiled.number_paths(columns, path)
    paths = Paths(np.array(above), tags, classes, ids, roles, np.array(hides))
    return path, np.array(depth), paths


def offsets(sizes: Iterable[int]) -> Ints:
    """Places where things of these sizes begin when they stand in a row, and the end of the last."""
    return np.cumsum([0, *sizes], dtype=np.int64)


def flat(columns: Iterable[Iterable[int]]) -> Ints:
    """Whole numbers of several pages as one array."""
    return np.fromiter(chain.from_iterable(columns), np.int64)


def by_tag(forest: Forest, of: Callable[[str], int]) -> Ints:
    """Value of a function of the tag of each path's last step; it is called once a tag."""
    return np.array([of(tag) for tag in forest.tags])[forest.tag]


def inherit_flags(forest: Forest, own: Ints) -> Ints:
    """Flags of each path and of those above it; `own` are those of its last step."""
    of_paths = own.astype(np.int64)
    for level in forest.levels:
        of_paths[level] |= of_paths[forest.paths.above[level]]
    return of_paths


def nearest_ancestors(forest: Forest, elements: Ints, wanted: NDArray[np.bool_]) -> Ints:
    """Nearest wanted element of each of some elements, itself included; every root is wanted."""
    climbed = elements.copy()
    searching = np.flatnonzero(~wanted[climbed])
    while len(searching):
        climbed[searching] = forest.parents[climbed[searching]]
        searching = searching[~wanted[climbed[searching]]]
    return climbed


def ancestors(forest: Forest, elements: Ints, levels: Iterable[int]) -> Iterator[tuple[int, Ints]]:
    """Yield (level, the elements so many levels up from some) for each level; a root stays itself."""
    climbed = 0
    for level in levels:
        for _ in range(level - climbed):
            elements = forest.parents[elements]
        climbed = level
        yield level, elements


def with_all_below(forest: Forest, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of values, shape (columns, elements), over each element and all below it."""
    sums = values.copy()
    # Level by level from the deepest. In document order the children of one parent follow each
    # other on their level.
    order = np.argsort(forest.depth, kind="stable")
    levels = np.searchsorted(forest.depth[order], np.arange(forest.depth.max() + 2))
    for start, end in reversed([*pairwise(levels.tolist())][1:]):
        level = order[start:end]
        parents = forest.parents[level]
        first = np.flatnonzero(np.diff(parents, prepend=-1))
        sums[:, parents[first]] += np.add.reduceat(sums[:, level], first, axis=1)
    return sums


# Lines and the measures of each.


STRONG = frozenset({"b", "strong", "em", "i", "h1", "h2", "h3", "h4", "h5", "h6", "big", "th"})

SENTENCE = 5
"""Words from which on it tells something that a page has a line twice."""

TITLE_LIKE = 300
"""Characters up to which a line may be a headline."""

_LINKED, _HIDDEN = 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Lines of some pages, page after page; page i has those from `starts[i]` on.

    `text` holds the lines one after another, white space as parsed; line i goes from `bounds[i]` to
    `bounds[i + 1]`, `kinds` are those of its characters, and `folded` what words are told by
    (`fold_characters`). Arrays of shape (nodes,): `of_node` is a text node's line, `node_words` its number of words; page i has the nodes from `node_starts[i]`
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
    folded: NDArray[np.uint32]
    holder: Ints
    words: Floats
    linked: Floats
    strong: Floats
    hidden: Floats

    @property
    def texts(self) -> tuple[str, ...]:
        """Text of every line, its white space collapsed."""
        edges = pairwise(self.bounds.tolist())
        return tuple(" ".join(self.text[start:end].split()) for start, end in edges)

    @property
    def page(self) -> Ints:
        """Number of every line's page."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


def read_lines(pages: Sequence[Page], forest: Forest) -> Lines:
    """Lines of pages with text; `forest` is theirs."""
    nodes = list(chain.from_iterable(page.nodes for page in pages))
    node_starts = offsets(len(page.nodes) for page in pages)
    shift = np.repeat(forest.starts[:-1], np.diff(node_starts))
    element = np.array([node.element for node in nodes]) + shift
    after = np.array([node.after for node in nodes]) + shift
    holder, begins = _holders(forest, element, after)
    of_node = np.cumsum(begins) - 1
    first = np.flatnonzero(begins)
    apart = begins | [node.spaced for node in nodes]
    text, node_bounds = _concatenate([node.text for node in nodes], apart)
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
        folded=fold_characters(text),
        holder=holder[first],
        words=words,
        linked=linked / words,
        strong=strong / words,
        hidden=hidden / words,
    )


def _holders(forest: Forest, element: Ints, after: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """(element that sets the line of each text node, true of nodes that begin one).

    The same as in dbce.html.walk, but of all pages at once.
    """
    sets_lines = by_tag(forest, lambda tag: tag not in INLINE)[forest.path] | (forest.depth == 0)
    holder = nearest_ancestors(forest, element, sets_lines)
    blocks = np.cumsum(sets_lines)[after]
    same = (holder[1:] == holder[:-1]) & (blocks[1:] == blocks[:-1])
    return holder, np.concatenate([[True], ~same])


def _concatenate(texts: Sequence[str], apart: NDArray[np.bool_]) -> tuple[str, Ints]:
    """Texts in a row, a space before each that is apart, and where each begins with its space."""
    gaps = np.where(apart, " ", "").tolist()
    text = "".join(chain.from_iterable(zip(gaps, texts, strict=True)))
    return text, offsets(np.array([len(text) for text in texts]) + apart)


def _word_counts(of_characters: NDArray[np.uint8], node_bounds: Ints) -> Ints:
    """Number of words of every text node; a word that goes on in the next counts in both."""
    begins = word_starts(of_characters)
    first = node_bounds[:-1]
    begins[first] = (of_characters[first] & SPACE) == 0
    return counts(begins, node_bounds)


def _parts(forest: Forest, path: Ints) -> tuple[NDArray[np.bool_], ...]:
    """True of the text nodes in links; of those in bold or the like; of those in hidden elements."""
    links = by_tag(forest, lambda tag: tag == "a")
    flags = inherit_flags(forest, _LINKED * links | _HIDDEN * forest.paths.hides)[path]
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
    columns["title_overlap"], columns["title_cover"] = _title_overlaps(lines, titles, characters)
    columns["said_before"], columns["said_after"] = _repeated_lines(lines)
    return {name: values.astype(np.float32, copy=False) for name, values in columns.items()}


def _title_overlaps(lines: Lines, titles: Sequence[str], characters: Floats) -> NDArray[np.float64]:
    """Share of a line's words that the title has, and of the title's words that the line has."""
    short = characters <= TITLE_LIKE
    in_row = fold_characters("".join(f"{title} " for title in titles))
    numbers = np.zeros((3, len(short)), np.int64)
    edges = offsets(len(title) + 1 for title in titles)
    is_short = short.view(np.uint8)
    compiled.find_titles(lines.folded, lines.bounds, is_short, lines.starts, in_row, edges, numbers)
    of_line, both, of_title = numbers
    # Where no word is in both, there may be none in either.
    return np.stack([both / np.maximum(of_line, 1), both / np.maximum(of_title, 1)])


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
