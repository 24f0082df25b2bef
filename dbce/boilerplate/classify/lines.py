"""Lines of pages and the measures of each: the units that the joint method judges.

A line is what a browser would set as one paragraph (dbce.html.walk). Lengths count a character of a
script without spaces as half a word.
"""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dbce.boilerplate.classify import formulas as f
from dbce.boilerplate.classify.formulas import Axis, Formula, Formulas
from dbce.html import HEADINGS, INLINE
from dbce.kernel import compiled
from dbce.model import Mask, Page, first_alike

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]


# Kinds of characters in texts, and the characters that words are told by.

_IS: tuple[Callable[[str], object], ...] = (
    str.isspace,
    str.isdigit,
    str.isupper,
    frozenset(".!?…。！？").__contains__,
    frozenset(",;、，").__contains__,
    frozenset(".!?…:。！？\"”’')]").__contains__,
    re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]").match,
    str.isalnum,
    frozenset("$€£¥₹").__contains__,
)

SPACE, DIGIT, CAPITAL, STOP, COMMA, ENDING, UNSPACED, ALPHANUMERIC, CURRENCY = (
    1 << bit for bit in range(len(_IS))
)
"""Kinds of characters: white space; digits; capitals; ends of sentences; commas and the like; what
a finished line ends with; characters of scripts that put no spaces between words; letters and digits; signs of currencies."""


class Counts(NamedTuple):
    """Number of characters of each kind in some texts, and of words and of those that begin with a capital.

    `last` are the kinds of the last character that is no white space, 0 where there is none.
    """

    spaces: Ints
    digits: Ints
    capitals: Ints
    stops: Ints
    commas: Ints
    endings: Ints
    unspaced: Ints
    alphanumeric: Ints
    currency: Ints
    words: Ints
    capital_words: Ints
    last: Ints


FOLDED_SPACE, FOLDED_WORD, FOLDED_LETTER, FOLDED_END = 1 << 21, 1 << 22, 1 << 23, 1 << 24
"""Bits of a folded character above those of its code: white space; what `\\w` stands for; that without digits and _;
the last of its word."""

SIGMA = "\u03a3"  # the only capital that is written small by where it stands in its word

DOTTED_I = "\u0130"
"""The only capital that is two characters in lower case, an i and a dot above it, which ends a word."""

_WORD_CHARACTER = re.compile(r"\w")
_LETTER = re.compile(r"[^\W\d_]")


def fold_characters(text: str) -> NDArray[np.uint32]:
    """Code of every character, in lower case, and what it is to a word, as the compiled part takes texts."""
    if SIGMA in text:
        small = text.replace(DOTTED_I, "I").lower()  # as long as the text
        text = re.sub(SIGMA, lambda match: small[match.start()], text)
    return _FOLDED(codes_of(text))


def codes_of(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


class _ValuesOfCodes:
    """Values of a function of the codes of characters; it is called once for each code that occurs."""

    def __init__(self, of: Callable[[int], int]) -> None:
        self._of = of
        # More than the value; 0 of those that are not known. The system gives room only where it is written to.
        self._table = np.zeros(sys.maxunicode + 1, np.uint32)

    def __call__(self, codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
        values = np.empty(len(codes), np.uint32)
        at = 0
        while (at := compiled.look_up(codes, self._table, at, values)) < len(codes):
            code = int(codes[at])
            self._table[code] = self._of(code) + 1
        return values


def _folded_code(code: int) -> int:
    lower = chr(code).lower()
    small = lower[0]
    bits = FOLDED_SPACE * small.isspace() | FOLDED_END * (len(lower) > 1)
    bits |= FOLDED_WORD * (_WORD_CHARACTER.match(small) is not None)
    bits |= FOLDED_LETTER * (_LETTER.match(small) is not None)
    return ord(small) | bits


kinds = _ValuesOfCodes(lambda code: sum(bool(is_it(chr(code))) << n for n, is_it in enumerate(_IS)))
_FOLDED = _ValuesOfCodes(_folded_code)


# The elements of many pages as one forest: what is asked of each is asked of all at once.
#
# Pages of a template repeat themselves. What depends on nothing but the way from the root to an
# element is worked out once for each distinct way, its path.

LEVELS = (0, 1, 2, 3, 5)
"""Ancestors of a line's holder whose sums are features: itself, its parent, ..."""

TAGS = tuple(
    "a abbr acronym address area article aside audio b basefont bdi bdo big blink blockquote body button canvas caption "
    "center cite code data dd del details dfn div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 "
    "h4 h5 h6 header i img input ins kbd label legend li main map mark meter nav nobr object ol option output p "
    "picture pre progress q rb rp rt rtc ruby s samp section select slot small source span strike strong sub summary "
    "sup svg table td textarea th time tr tt u ul var video wbr".split()
)
"""Tags that features tell from others."""


_PLACES = {tag: place for place, tag in enumerate(TAGS)}


@dataclass(frozen=True, slots=True, eq=False)
class Paths:
    """Ways from the root, each behind the one above it: its last step, and the path above it, -1 for a root."""

    above: Ints
    tags: list[str]
    classes: list[str]
    ids: list[str]
    roles: list[str]
    hides: Ints

    def __len__(self) -> int:
        return len(self.tags)


@dataclass(frozen=True, slots=True, eq=False)
class Forest:
    """Elements of several pages, page after page, each page in document order.

    Page i has the elements from `starts[i]` to `starts[i + 1]`. Arrays of shape (elements,): a
    root is its own parent; `page` is an element's page, `path` a place in `paths`, `kind` the same for elements of a
    page that have the same path. `tag` is the place of the tag of each path in what `tag_values` gives.
    """

    starts: Ints
    parents: Ints
    depth: Ints
    page: Ints
    path: Ints
    kind: Ints
    paths: Paths
    tag: Ints


def plant(pages: Sequence[Page]) -> Forest:
    starts = offsets(len(page.tags) for page in pages)
    of_page = numbers(starts)
    columns = [
        (page.tags, page.classes, page.ids, page.roles, page.hidden, page.parents) for page in pages
    ]
    values = np.empty((6, starts[-1]), np.int64)
    names = compiled.number_paths(columns, _PLACES, values)
    path, parents, depth = values[:3]
    above, tag, hides = values[3:, : len(names[0])]
    paths = Paths(above, *names, hides)
    kind = path
    if len(pages) > 1:
        kind = first_alike(path + of_page * len(paths))
    return Forest(starts, parents, depth, of_page, path, kind, paths, tag)


def offsets(sizes: Iterable[int]) -> Ints:
    """Places where things of these sizes begin when they stand in a row, and the end of the last."""
    return np.fromiter(accumulate(sizes, initial=0), np.int64)


def numbers(starts: Ints) -> Ints:
    """Number of the group of each thing in a row, by where groups begin and the last one ends."""
    return np.arange(len(starts) - 1).repeat(starts[1:] - starts[:-1])


def tag_values(of: Callable[[str], int]) -> Ints:
    """Values of a function of tags: of TAGS, and last of all others, which it has to take for the same."""
    return np.array([of(tag) for tag in (*TAGS, "")])


def tag_table(of: Callable[[str], int]) -> f.Table:
    return f.Table(tag_values(of))


# Lines and the measures of each.

STRONG = frozenset({"b", "strong", "em", "i", *HEADINGS, "big", "th"})

SENTENCE = 5  # words from which on it tells something that a page has a line twice
BEGIN = 3  # words at the beginning of a line that others may begin with
BEGIN_WITHIN = 120  # characters in which the first words of a line are looked for
TITLE_LIKE = 300  # characters up to which a line may be a headline

_LINKED, _HIDDEN, _STRONG, _SETS_LINES = 1, 2, 4, 8
"""Flags of paths, as compiled code has them (dbce/kernel/lines.pxi); the first two are those of all below, too."""

_LINKS = tag_values(lambda tag: _LINKED * (tag == "a"))
_OWN_FLAGS = tag_values(lambda tag: _STRONG * (tag in STRONG) | _SETS_LINES * (tag not in INLINE))


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Lines of some pages, page after page; page i has those from `starts[i]` on.

    `text` holds the lines one after another, white space as parsed; line i goes from `bounds[i]` to
    `bounds[i + 1]`, `counts` are those of its characters, and `folded` what words are told by
    (`fold_characters`). `same_texts` are the first line of the page that says the same, and the first that begins alike, shape (2, lines). Arrays of shape (nodes,): `of_node` is a text node's line, `node_words` its number of words; page i has the nodes from `node_starts[i]`
    on, `node_linked` says which are in links. Arrays of shape (lines,): `first_node` is the first text node, `element` that of the forest which holds it,
    `holder` the one that sets the line, `words` its length, `linked`, `strong` and `hidden` the part of it in links, in bold or
    the like, and in hidden elements.
    """

    forest: Forest
    starts: Ints
    node_starts: Ints
    of_node: Ints
    node_words: Ints
    node_linked: Mask
    first_node: Ints
    element: Ints
    text: str
    bounds: Ints
    counts: Counts
    folded: NDArray[np.uint32]
    same_texts: Ints
    page: Ints
    holder: Ints
    words: Floats
    linked: Floats
    strong: Floats
    hidden: Floats

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of things along each axis of formulas, in the order of `Axis`."""
        forest = self.forest
        return 1, len(self.starts) - 1, len(self.page), len(forest.parents), len(forest.paths)

    def places(self, page: int) -> tuple[Ints, Ints, Ints, Mask]:
        """The line of each text node of a page, the first node of each line and the end, its element, and which nodes are in links, by the page's own numbers."""
        line, end = self.starts[page : page + 2]
        node, behind = self.node_starts[page : page + 2]
        of_node, first = self.of_node[node:behind] - line, self.first_node[line:end] - node
        element = self.element[line:end] - self.forest.starts[page]
        return of_node, np.append(first, behind - node), element, self.node_linked[node:behind]

    @property
    def texts(self) -> tuple[str, ...]:
        edges = pairwise(self.bounds.tolist())
        return tuple(" ".join(self.text[start:end].split()) for start, end in edges)


def read_lines(pages: Sequence[Page]) -> Lines:
    forest = plant(pages)
    node_starts = offsets(len(page.nodes) for page in pages)
    count = node_starts[-1]
    columns, node_bounds = np.empty((5, count), np.int64), np.empty(count + 1, np.int64)
    flags = _flags(forest)[forest.path]
    of_pages = [page.nodes for page in pages]
    text = compiled.set_lines(of_pages, forest.starts, forest.parents, flags, columns, node_bounds)
    of_node = columns[0]
    starts = np.append(of_node[node_starts[:-1]], of_node[-1] + 1)
    holder, begins, element = columns[2:, : starts[-1]]
    node_words = np.empty(count, np.int64)
    of_lines, lengths = (
        np.empty((len(Counts._fields), len(holder)), np.int64),
        np.zeros((4, len(holder))),
    )
    codes = codes_of(text)
    of_characters = kinds(codes)
    compiled.count_lines(of_characters, node_bounds, columns, node_words, of_lines, lengths)
    bounds, page = np.append(begins, len(text)), numbers(starts)
    hashes = np.empty((2, len(page)), np.int64)
    compiled.hash_lines(codes, of_characters, bounds, BEGIN, BEGIN_WITHIN, hashes)
    rounded = lengths.astype(np.float32)
    words, (linked, strong, hidden) = rounded[0], rounded[1:] / rounded[0]
    return Lines(
        forest=forest,
        starts=starts,
        node_starts=node_starts,
        of_node=of_node,
        node_words=node_words,
        node_linked=columns[1] & _LINKED > 0,
        first_node=of_node.searchsorted(np.arange(starts[-1])),
        element=element,
        text=text,
        bounds=bounds,
        counts=Counts(*of_lines),
        folded=fold_characters(text),
        same_texts=np.array([first_alike(line_hash + page) for line_hash in hashes]),
        page=page,
        holder=holder,
        words=words,
        linked=linked,
        strong=strong,
        hidden=hidden,
    )


def _flags(forest: Forest) -> Ints:
    """Flags of each path."""
    paths = forest.paths
    flags = _LINKS[forest.tag] | _HIDDEN * paths.hides
    compiled.inherit(paths.above, flags)
    return flags | _OWN_FLAGS[forest.tag] | _SETS_LINES * (paths.above < 0)


_OF_LINE, _IN_BOTH, _OF_TITLE = (f.load("title_words", Axis.LINES, row) for row in range(3))
TITLE_COVER = _IN_BOTH / f.maximum(_OF_TITLE, 1)  # where no word is in both, there may be none
_CHARACTERS = f.load("characters", Axis.LINES)
SAME_TEXT, SAME_BEGIN = (f.load("same_texts", Axis.LINES, row) for row in range(2))


def count_of(name: str) -> Formula:
    return f.load(f"counts.{name}", Axis.LINES)


def text_features() -> Formulas:
    """Features of each line's own text, by name, of the arrays that `text_arrays` has."""
    stops, is_long = count_of("stops"), f.WORDS >= SENTENCE
    said_before = is_long.total_before(SAME_TEXT)
    repeated = is_long.total(SAME_TEXT, Axis.LINES).take(SAME_TEXT)
    return {
        "words": f.WORDS,
        "word_length": _CHARACTERS / f.WORDS,
        "link_density": f.LINKED,
        "strong": f.load("strong", Axis.LINES),
        "hidden": f.load("hidden", Axis.LINES),
        "stops": stops,
        "stop_density": stops / f.WORDS,
        "commas": count_of("commas"),
        "digits": count_of("digits") / _CHARACTERS,
        "capitals": count_of("capital_words") / f.WORDS,
        "ends": count_of("last").bit(ENDING.bit_length() - 1),
        "title_overlap": _IN_BOTH / f.maximum(_OF_LINE, 1),
        "title_cover": TITLE_COVER,
        "said_before": is_long & (said_before > 0),
        "said_after": is_long & (repeated - said_before > 1),
    }


def text_arrays(lines: Lines, titles: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Arrays that features of texts load beside counts, by name; `titles` are those of the pages."""
    # With its white space collapsed, a line has a space before each word but the first.
    ink = lines.bounds[1:] - lines.bounds[:-1] - lines.counts.spaces
    characters = (ink + lines.counts.words - 1).astype(np.float32)
    return {"characters": characters, "title_words": _title_words(lines, titles, characters)}


def _title_words(lines: Lines, titles: Sequence[str], characters: Floats) -> Ints:
    """Number of words of a short line, of those that the title has, too, and of the title's, shape (3, lines)."""
    is_short = (characters <= TITLE_LIKE).view(np.uint8)
    in_row = fold_characters("".join(f"{title} " for title in titles))
    edges = offsets(len(title) + 1 for title in titles)
    words = np.zeros((3, len(is_short)), np.int64)
    compiled.find_titles(lines.folded, lines.bounds, is_short, lines.starts, in_row, edges, words)
    return words
