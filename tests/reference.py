"""What dbce compiles, once more in Python: plain and slow, and what tests hold the compiled part to."""

import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import reduce
from itertools import groupby, pairwise
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dbce import html
from dbce.boilerplate.classify import LineValues
from dbce.boilerplate.classify.formulas import Axis, Formula, Operation
from dbce.boilerplate.classify.lines import (
    BEGIN,
    BEGIN_WITHIN,
    CAPITAL,
    STRONG,
    TITLE_LIKE,
    Counts,
    Lines,
    codes_of,
    kinds,
)
from dbce.boilerplate.classify.tokens import HEAD, MOST, NEAR, NEAR_SLOTS, PHRASE_SLOTS, SHORT
from dbce.boilerplate.decide import tree
from dbce.model import LETTER_RUN, WORD_RUN, Hashes, Page
from dbce.quality.kinds import SPREAD, KindModel, KindSigns


def shingles(words: Sequence[int]) -> list[int]:
    """Hashes of three words in a row each, by those of the words; of fewer words that of all."""
    rows = [words[at : at + 3] for at in range(max(1, len(words) - 2))] if words else []
    return [reduce(lambda above, word: (above * 0x9E3779B1 + word) % 2**32, row, 0) for row in rows]


def way_up(parents: Sequence[int], element: int) -> Iterator[int]:
    """The element and those above it; a root is its own parent, or has -1."""
    yield element
    while parents[element] not in (element, -1):
        element = parents[element]
        yield element


def nearest(parents: Sequence[int], element: int, wanted: Sequence[bool]) -> int:
    """The nearest wanted element, itself or above it, else the root."""
    *_, root = way_up(parents, element)
    return next((above for above in way_up(parents, element) if wanted[above]), root)


def inherited(above: Sequence[int], flags: Sequence[int], path: int) -> int:
    """Flags of a path and of all above it."""
    return reduce(operator.or_, (flags[step] for step in way_up(above, path)))


def set_lines(pages: Sequence[Page]) -> dict[str, Any]:
    """Attributes of the lines of some pages, as `read_lines` has them, by name."""
    texts: list[str] = []
    values: dict[str, list[float]] = {
        name: []
        for name in "of_node node_words node_linked element holder words linked strong hidden".split()
    }
    start = 0
    for page in pages:
        holder = html.holders(page)
        of_node = html.lines(page, holder)
        values["of_node"] += [len(texts) + line for line in of_node]
        for line in range(of_node[-1] + 1):
            nodes = [node for node, its in zip(page.nodes, of_node, strict=True) if its == line]
            spaced = [" " * (node.spaced or node is nodes[0]) + node.text for node in nodes]
            texts.append("".join(spaced))
            ways = [[*way_up(page.parents, node.element)] for node in nodes]
            own = [counts(node.text) for node in nodes]
            lengths = np.array([of.words + of.unspaced / 2 for of in own])
            parts = {
                "linked": [any(page.tags[n] == "a" for n in way) for way in ways],
                "strong": [page.tags[node.element] in STRONG for node in nodes],
                "hidden": [
                    any(page.hidden[n] for n in way) and of.alphanumeric > 0
                    for way, of in zip(ways, own, strict=True)
                ],
            }
            values["node_words"] += [of.words for of in own]
            values["node_linked"] += parts["linked"]
            values["element"].append(start + nodes[0].element)
            values["holder"].append(start + holder[nodes[0].element])
            values["words"].append(lengths.sum())
            for name, part in parts.items():
                values[name].append(np.float32(lengths @ part) / np.float32(lengths.sum()))
        start += len(page.tags)
    of_lines = zip(*map(counts, texts), strict=True)
    return (
        values
        | {f"counts.{name}": row for name, row in zip(Counts._fields, of_lines, strict=True)}
        | {"text": "".join(texts), "bounds": np.cumsum([0, *map(len, texts)])}
    )


def counts(text: str) -> Counts:
    """Counts of one text."""
    of = kinds(codes_of(text)).tolist()
    words = text.split()
    ink = [kind for kind, character in zip(of, text, strict=True) if not character.isspace()]
    return Counts(
        *(sum(kind >> bit & 1 for kind in of) for bit in range(9)),
        words=len(words),
        capital_words=sum(bool(kinds(codes_of(word))[0] & CAPITAL) for word in words),
        last=ink[-1] if ink else 0,
    )


def holders(page: Page, blocks: Collection[int]) -> list[int]:
    """For each element the nearest that is no inline one or one of the blocks, itself included, else the root."""
    sets_text = [tag not in html.INLINE or n in blocks for n, tag in enumerate(page.tags)]
    return [nearest(page.parents, element, sets_text) for element in range(len(page.tags))]


def enclosing(page: Page, chosen: Collection[int], step: int = 1) -> list[int]:
    """For each element the nearest chosen one, itself included, with a step of -1 the outermost; -1 where there is none."""
    ways = ([*way_up(page.parents, element)][::step] for element in range(len(page.tags)))
    return [next((above for above in way if above in chosen), -1) for way in ways]


ATTRIBUTE = (
    r"[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+\"?+|'[^']*+'?+|[^\s>\"'][^\s>]*+)?+)?+"
)


def attributes_of_tags(html: str) -> list[int]:
    """The number of attributes of each start tag."""
    tags = re.findall(rf"<[A-Za-z][^\s/>]*+((?:{ATTRIBUTE})*+)", html)
    return [len(re.findall(ATTRIBUTE, attributes)) for attributes in tags]


def ancestor_mask(page: Page, chosen: Collection[int]) -> list[int]:
    holding = {above for element in chosen for above in way_up(page.parents, element)}
    return [int(element in holding) for element in range(len(page.tags))]


def subtree_end(page: Page, element: int, most: int) -> int:
    """Behind the last element in one, or so many elements behind it."""
    own = [n for n in range(len(page.tags)) if element in way_up(page.parents, n)]
    return min(own[-1] + 1, element + most)


def differing(page: Page, runs: Sequence[Any], marks: Sequence[Any]) -> dict[int, list[Any]]:
    own: dict[int, list[Any]] = {}
    for run, mark in zip(runs, marks, strict=True):
        own.setdefault(page.nodes[run.node].element, []).append((run, mark))
    return {element: of for element, of in own.items() if len({mark for _, mark in of}) > 1}


def nodes_within(page: Page, element: int) -> list[int]:
    return [n for n, own in enumerate(page.nodes) if element in way_up(page.parents, own.element)]


def stems_in(text: str, stems: Sequence[str]) -> list[str]:
    return [stem for stem in stems if stem in text.lower()]


def sum_texts(texts: Sequence[str], prose: int, short: int) -> list[Any]:
    """Numbers of characters, of paragraphs and of signs in texts, and the short ones."""
    lengths = [*map(len, texts)]
    long = [length for length in lengths if length >= prose]
    signs = [sum(map("".join(texts).count, of)) for of in ("$€£¥₹", "?")]
    names = [text.strip().lower() for text in texts if len(text) <= short]
    return [sum(lengths), max(lengths, default=0), sum(long), len(long), *signs, names]


def kind_chances(model: KindModel, signs: KindSigns) -> Any:
    """Probability of each kind of page: a softmax of the weights of its signs."""
    counts = ((np.array(signs.counts) - model.means) / model.deviations).clip(-SPREAD, SPREAD)
    known = {of[name] for sign, of in model.row.items() for name in of.keys() & signs.names[sign]}
    scores = model.intercepts + counts @ model.weights + model.of_names[[*known]].sum(axis=0)
    return np.exp(scores) / np.exp(scores).sum()


def lines(page: Page) -> list[int]:
    """For each text node the number of its line."""
    holder, number, numbers = holders(page, ()), -1, []
    for before, node in zip([None, *page.nodes], page.nodes, strict=False):
        opened = page.tags[before.after + 1 : node.after + 1] if before else ()
        is_in_line = before and holder[before.element] == holder[node.element]
        number += not (is_in_line and html.INLINE.issuperset(opened))
        numbers.append(number)
    return numbers


def may_begin(text: str, heads: Collection[str], skipped: str) -> bool:
    """Return whether a head in lower case is behind characters skipped, or one that is not ASCII, or without heads nothing."""
    first = text.lstrip(skipped)[:4].translate({n: n + 32 for n in range(65, 91)})
    return not (first.isascii() and (first or heads)) or any(first.startswith(h[:4]) for h in heads)


def structures(lines: LineValues) -> tree.Structures:
    """Structures with lines, each with what stands in it."""
    page, is_one_of = lines.page, tree.WHOLE | tree.PARTS
    ways = [[*way_up(page.parents, element)] for element in lines.elements]
    levels = [
        0
        if aside
        else next((int(page.tags[n][1]) for n in way if page.tags[n] in html.HEADINGS), 0)
        for way, aside in zip(ways, lines.aside, strict=True)
    ]
    around = [
        [] if aside else [n for n in way if page.tags[n] in is_one_of]
        for way, aside in zip(ways, lines.aside, strict=True)
    ]
    held = [[] if level else own for own, level in zip(around, levels, strict=True)]
    elements = sorted({element for own in held for element in own})
    words = {
        element: sum(of for of, own in zip(lines.words, held, strict=True) if element in own)
        for element in elements
    }
    each = [_structure(lines, element, held, words) for element in elements]
    *columns, are_one, are_open = [[own[n] for own in each] for n in range(11)]
    of_line = [elements.index(own[0]) if own and own[0] in words else -1 for own in around]
    return tree.Structures(*columns, of_line, levels, are_one, are_open, [False] * len(each))


def _structure(
    lines: LineValues, element: int, held: list[list[int]], words: Mapping[int, float]
) -> tuple[Any, ...]:
    """One structure, and whether it is one and open; `held` are those around each line that counts, from the inside out, `words` of each."""
    page = lines.page
    tag = page.tags[element]
    its = [line for line, own in enumerate(held) if element in own]
    (outer,) = {(*own, -1)[own.index(element) + 1] for own in held if element in own}
    below = {n for line in its for n in held[line][: held[line].index(element)]}
    tags = {page.tags[n] for n in below}
    loose = [n for n in its if not any(page.tags[e] in tree.ITEMS for e in below & {*held[n]})]
    is_one = tag == "pre" or sum(lines.words[n] for n in loose) <= tree.LARGE
    if tag in tree.ITEMS:
        is_one = "p" not in tags or words[element] <= tree.POST
    is_open = False
    if tag in tree.PARTS:
        is_open = words[element] > tree.LARGE or not tags.isdisjoint(tree.WHOLE)
    elif tag == "table":
        longest = max((words[n] for n in below if page.tags[n] == "tr"), default=0)
        tables = (n for n in below if page.tags[n] == "table")
        has_table = any(page.tags[page.parents[n]] != "th" for n in tables)
        is_open = longest > tree.LARGE or has_table
    rows = {
        n
        for own in held
        for n, around in pairwise(own)
        if around == element and page.tags[n] == "tr"
    }
    place = sorted([-1, *words]).index(outer) - 1
    gain = sum(lines.words[n] * lines.gains[n] for n in its)
    values = element, place, tag, its[0], its[-1], words[element], gain, len(rows), "p" in tags
    return *values, is_one, is_open


def label_words(
    lines: Sequence[list[int]], ends: Hashes, before: Sequence[NDArray[Any]], size: int
) -> list[list[Any]]:
    """Label and rule of each word, and sums of its structures: the arguments are those of the compiled function."""
    of_node, kept, rules, structures = map(np.array, lines)
    of_word = np.repeat(of_node, np.diff(ends, prepend=0))
    labels = kept[of_word].astype(int)
    own = np.where(labels == before[0], before[1], rules[of_word])
    sums = [np.bincount(structures[of_word], by, size) for by in (None, labels, before[2])]
    return [labels.tolist(), own.tolist(), *(by.tolist() for by in sums)]


def runs(texts: Sequence[str], said: Sequence[Any]) -> list[tuple[int, int, int, Any]]:
    """Text, from, to and what is said of each run of words of one text, by what is said of each word of all."""
    rows, of_all = [], iter(said)
    for number, text in enumerate(texts):
        begins = [0, *[match.start() for match in re.finditer(r"\S+", text)][1:]]
        words = zip(begins, [*begins[1:], len(text)], of_all, strict=False)
        for its, run in groupby(words, key=operator.itemgetter(2)):
            edges = [edge for start, end, _ in run for edge in (start, end)]
            rows.append((number, edges[0], edges[-1], its))
    return rows


def repeated_siblings(page: Page, least: int) -> tuple[list[int], list[int]]:
    """The outermost repeated sibling around each element, and its place there; -1 outside of all."""
    names = [*zip(page.tags, page.classes, strict=True)]
    steps = [*zip(page.parents, names, strict=True)]
    found = {
        n for n, its in enumerate(steps) if its[1][0] in tree.SIBLINGS and steps.count(its) >= least
    }
    places: list[tuple[Any, ...]] = []
    siblings: list[int] = []
    for element in range(len(names)):
        way = [*way_up(page.parents, element)]
        siblings.append(max((n for n in way if n in found), key=way.index, default=-1))
        inside = way[: way.index(siblings[-1])] if siblings[-1] >= 0 else []
        places.append((siblings[-1] >= 0 and steps[siblings[-1]], *(names[n] for n in inside)))
    firsts = map(places.index, places)
    return siblings, [n if own >= 0 else -1 for n, own in zip(firsts, siblings, strict=True)]


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


def title_words(lines: Lines, titles: Sequence[str]) -> list[list[int]]:
    """Number of words of a short line, of those that the title has, too, and of the title's."""
    texts = _texts(lines)
    words = np.zeros((3, len(texts)), np.int64)
    for line, (text, page) in enumerate(zip(texts, lines.page.tolist(), strict=True)):
        own, of_title = (set(WORD_RUN.findall(one.lower())) for one in (text, titles[page]))
        if len(" ".join(text.split())) <= TITLE_LIKE and of_title:
            words[:, line] = len(own), len(own & of_title), len(of_title)
    return words.tolist()


def same_texts(lines: Lines) -> list[list[int]]:
    """The first line of the page with the text of each line, and the first with its first words."""
    texts = [text.strip() for text in _texts(lines)]
    begins = [tuple(text[:BEGIN_WITHIN].split(None, BEGIN)[:BEGIN]) for text in texts]
    firsts: list[dict[Any, int]] = [{}, {}]
    keys = [zip(lines.page.tolist(), of, strict=True) for of in (texts, begins)]
    return [
        [first.setdefault(key, line) for line, key in enumerate(of)]
        for first, of in zip(firsts, keys, strict=True)
    ]


def first_words(lines: Lines) -> list[str]:
    """The first four words of each line, by which it is found in a text."""
    heads = (re.match(4 * r"\W*(\w*)", text[:BEGIN_WITHIN].lower()) for text in _texts(lines))
    return [f" {' '.join(filter(None, head.groups()))} " for head in heads if head]


def line_means(of_nodes: Any, begins: Any, node_words: Any) -> Any:
    """The means of columns over the nodes of each line that are not NaN, by their words."""
    known = ~np.isnan(of_nodes)
    both = [node_words[:, None] * of for of in (np.where(known, of_nodes, 0), known)]
    total, weight = (np.add.reduceat(of, begins) for of in both)
    return (total / np.where(weight, weight, np.nan)).T


def cross_evidence(masks: Any, crosses: Any, votes: Any, begins: Any, node_words: Any) -> Any:
    """Shares of up and down of the first cross, the mean vote of all, and of all up and down the highest share and the mean."""
    words = np.add.reduceat(node_words, begins)
    own = [votes[n][16 + np.dot([8, 4, 2, 1], masks[of])] for n, of in enumerate(crosses)]
    starts = words.cumsum() - words
    *shares, votes = np.add.reduceat(np.array([*masks, np.sum(own, 0)], float), starts, 1) / words
    shares[-1][:] = np.nan
    of_others = [shares[n] for n in {*crosses[:, :2].flat} - {len(masks) - 1}]
    of_first = [shares[of] for of in crosses[0, :2]]
    return *of_first, votes / (2 * len(crosses)), np.max(of_others, 0), np.mean(of_others, 0)


def _texts(lines: Lines) -> list[str]:
    return [lines.text[start:end] for start, end in pairwise(lines.bounds.tolist())]


# Formulas of features, one number after another.


class Evaluation:
    """Values of formulas over some pages."""

    def __init__(self, lines: Lines, arrays: Mapping[str, Any]) -> None:
        self._lines = lines
        self._sizes = dict(zip(Axis, lines.sizes, strict=True))
        self._arrays = arrays
        self._known: dict[Formula, list[float]] = {}

    def column(self, of: Formula) -> list[np.float32]:
        """A value for each line, as columns have it."""
        values = self.values(of)
        return [
            np.float32(value)
            for value in values * (1 if len(values) > 1 else self._sizes[Axis.LINES])
        ]

    def values(self, of: Formula) -> list[float]:
        if of not in self._known:
            values = self._evaluated(of)
            assert len(values) == self._sizes[of.axis], of
            self._known[of] = values
        return self._known[of]

    def _evaluated(self, of: Formula) -> list[float]:
        operation, size = of.operation, self._sizes[of.axis]
        operands = [self.values(operand) for operand in of.of]
        if operation is Operation.NUMBER:
            return [of.array]
        if operation in (Operation.LOAD, Operation.PICK):
            row = np.atleast_2d(self._array(of.array))[of.row].astype(float).tolist()
            return [row[int(place)] for place in operands[0]] if operands else row[:size]
        if operation in EACH:
            each = [values * size if len(values) == 1 else values for values in operands]
            return [float(EACH[operation](*of_one)) for of_one in zip(*each, strict=True)]
        if operation in (Operation.TAKE, Operation.TOTAL, Operation.HIGHEST):
            return _grouped(operation, operands[0], [*map(int, operands[1])], size)
        return _around(operation, *operands)

    def _array(self, of: Any) -> Any:
        if not isinstance(of, str):
            return of.numbers
        return self._arrays[of] if of in self._arrays else operator.attrgetter(of)(self._lines)


EACH: Mapping[Operation, Callable[..., Any]] = {
    Operation.ADD: operator.add,
    Operation.SUBTRACT: operator.sub,
    Operation.MULTIPLY: operator.mul,
    Operation.DIVIDE: lambda a, b: a / b if b else a * np.inf if a else np.nan,
    Operation.LEAST: min,
    Operation.GREATEST: max,
    Operation.LESS: operator.lt,
    Operation.AT_MOST: operator.le,
    Operation.EQUAL: operator.eq,
    Operation.CHOOSE: lambda condition, a, b: a if condition else b,
    Operation.ROUND: lambda value: float(round(value)),
    Operation.SINGLE: np.float32,
    Operation.BIT: lambda value, place: int(value) >> int(place) & 1,
}


def _grouped(
    operation: Operation, values: list[float], places: list[int], size: int
) -> list[float]:
    if operation is Operation.TAKE:
        return [values[place] for place in places]
    each = values * len(places) if len(values) == 1 else values
    groups: list[list[float]] = [[] for _ in range(size)]
    for value, place in zip(each, places, strict=True):
        groups[place].append(value)
    if operation is Operation.HIGHEST:
        return [max(group, default=-np.inf) for group in groups]
    return [reduce(operator.add, group, 0.0) for group in groups]


def _around(
    operation: Operation, a: list[float], b: list[float], *more: list[float]
) -> list[float]:
    """What elements or paths, of which `b` are the parents, and lines, of which it is the page, have around them."""
    match operation:
        case Operation.TOTAL_BEFORE:
            before, sums = [], dict.fromkeys(b, 0.0)
            for value, group in zip(a, b, strict=True):
                before.append(sums[group])
                sums[group] += value
            return before
        case Operation.BELOW:
            return _sums_below(a, [*map(int, b)])
        case Operation.CLIMB:
            parents, wanted = [*map(int, b)], [*map(bool, a)]
            return [float(nearest(parents, int(element), wanted)) for element in more[0]]
        case Operation.MARK:
            marked = {above for element in a for above in way_up([*map(int, b)], int(element))}
            return [float(element in marked) for element in range(len(b))]
        case Operation.INHERIT:
            flags, above = [*map(int, a)], [*map(int, b)]
            return [float(inherited(above, flags, path)) for path in range(len(a))]
    return [_in_order(operation, a, b, line, *more) for line in range(len(a))]


def _sums_below(own: list[float], parents: list[int]) -> list[float]:
    """Children are added from the last to the first, as the last bits of a sum depend on that."""
    sums = own.copy()
    for element in reversed(range(len(parents))):
        if parents[element] not in (element, -1):
            sums[parents[element]] += sums[element]
    return sums


def _in_order(
    operation: Operation, a: list[float], page: list[float], line: int, *more: list[float]
) -> float:
    before = [value for value, of in zip(a[:line], page, strict=False) if of == page[line]]
    behind = [
        value for value, of in zip(a[line + 1 :], page[line + 1 :], strict=True) if of == page[line]
    ]
    match operation:
        case Operation.RUN:
            return reduce(operator.add, [*before, a[line]])
        case Operation.RISE:
            return max([*before, a[line]])
        case Operation.FALL:
            return min([*behind, a[line]])
        case Operation.SHIFT:
            there = line + int(more[0][0])
            is_there = 0 <= there < len(a) and page[there] == page[line]
            return a[there] if is_there else np.nan
    mean, decay = 0.0, more[0][0]
    for value in before if operation is Operation.MEAN_BEFORE else behind[::-1]:
        mean = decay * mean + (1 - decay) * value
    return mean


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
