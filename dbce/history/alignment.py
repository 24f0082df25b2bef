"""Units of a main text, and their alignment between two snapshots: the one account of a change of text.

Units are sentences, headings, items, rows of tables, lines of code. A history describes the change of each, `dbce changes`
sums them up, and the viewer draws them. Everything is bounded: of two long texts only units with rare words in common are
compared, or none.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from operator import itemgetter
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from rapidfuzz.distance import Indel, LCSseq

from dbce.formats import Part, block_rows
from dbce.history.wording import (
    LARGEST,
    WORD_LISTS,
    Stretch,
    correction_kind,
    is_stamp,
    is_word,
    says_the_same,
    stretches,
    tokens,
)
from dbce.html import HEADINGS, VERBATIM
from dbce.model import as_numbers, key_of

Places = list[tuple[int, int]]  # places in the older and the newer text, both rising

HEADING = "heading"
SENTENCE = "sentence"
ITEM = "item"
ROW = "row"
CODE = "code"

KINDS = {
    "heading": HEADING,
    **dict.fromkeys(("paragraph", "quotation", "caption"), SENTENCE),
    **dict.fromkeys(("item", "term", "definition"), ITEM),
    "code": CODE,
}
"""The kind of unit that the text of a block consists of, by the type of the block."""

LONGEST_ROW = 400  # characters of a table's row that is one unit: longer ones hold prose

BETWEEN_CELLS = " | "


class TextUnit(NamedTuple):
    """A unit of a main text, and the last heading above it.

    Units whose `key` is equal say the same: white space, hyphenation, forms of quotation marks and dashes make no
    difference, for templates set them as they like.
    """

    kind: str
    text: str
    key: str
    section: str


def units_of(blocks: Sequence[Part]) -> Iterator[TextUnit]:
    section = ""
    for kind, text in _texts(blocks):
        if key := key_of(text):
            yield TextUnit(kind, text, key, section)
            if kind == HEADING:
                section = text


_KINDS_OF_TAGS = {
    **dict.fromkeys(VERBATIM, CODE),
    **dict.fromkeys(("td", "th"), ROW),
    **dict.fromkeys(("li", "dt", "dd"), ITEM),
    **dict.fromkeys(HEADINGS, HEADING),
}


def units_of_line(tags: Sequence[str], text: str) -> Iterator[TextUnit]:
    """Yield the units of a line of a page by the elements around it, the innermost last: cells of tables one by one."""
    kind = next((k for k in map(_KINDS_OF_TAGS.get, reversed(tags)) if k), SENTENCE)
    texts = _unit_texts(kind, text)
    yield from (TextUnit(kind, part, key, "") for part in texts if (key := key_of(part)))


def _unit_texts(kind: str, text: str) -> Iterable[str]:
    if kind in (HEADING, ROW):
        return (_in_a_line(text),)
    return text.split("\n") if kind == CODE else sentences(text)


def _texts(blocks: Sequence[Part]) -> Iterator[tuple[str, str]]:
    for (_, row), group in groupby(block_rows(blocks), key=itemgetter("structure", "row")):
        if row is None:
            for block in group:
                kind = KINDS[block["type"]]
                yield from ((kind, text.rstrip()) for text in _unit_texts(kind, block["text"]))
        else:
            yield from _row_texts(group)


def _row_texts(blocks: Iterable[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    cells = [
        " ".join(_in_a_line(block["text"]) for block in cell_blocks)
        for _, cell_blocks in groupby(blocks, key=itemgetter("column"))
    ]
    row = BETWEEN_CELLS.join(filter(None, cells))
    if len(row) <= LONGEST_ROW:
        yield ROW, row
    else:
        yield from ((ROW, text) for cell in cells for text in sentences(cell))


def _in_a_line(text: str) -> str:
    return " ".join(text.split())


ABBREVIATED = frozenset(WORD_LISTS["abbreviated"])
"""Words before a full stop that ends no sentence, in lower case."""

LONGEST_ABBREVIATION = 20  # characters before a full stop that are looked at

_STOP = re.compile(
    r"(?:(?<![.!?…])[.!?…]++[\"'”’»)\]]*\s+|(?<![。！？｡])[。！？｡]++[」』”’）\"]*\s*|\n)"  # noqa: RUF001
)
_LAST_WORD = re.compile(r"(?<![\d.,:])\w+$")
_OPENING = "\"'“‘«([¿¡„»"  # noqa: RUF001


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text; a line end ends one, too."""
    start = 0
    for stop in _STOP.finditer(text):
        before = text[max(start, stop.start() - LONGEST_ABBREVIATION) : stop.start()]
        if _ends_sentence(before, stop[0], text[stop.end() : stop.end() + 2]):
            yield _in_a_line(text[start : stop.end()])
            start = stop.end()
    yield _in_a_line(text[start:])


def _ends_sentence(before: str, stop: str, after: str) -> bool:
    """Return whether a sentence ends at a stop, a sign or line end that may end one."""
    if not stop.startswith(".") or stop.startswith(".."):
        return stop[0] in "\n。！？｡" or not after.lstrip(_OPENING)[:1].islower()
    if after.lstrip(_OPENING)[:1].islower():
        return False
    last = _LAST_WORD.search(before)
    word = last[0].lower() if last else ""
    # **choice**: a number of two digits is an ordinal, or begins an item: "3. Mai", "2. Methods".
    is_ordinal = word.isdigit() and len(word) <= 2
    return not (is_ordinal or word in ABBREVIATED or (len(word) == 1 and word.isalpha()))


class PassageKind(StrEnum):
    """Kind of change of a unit of text from one snapshot to the next."""

    KEPT = "kept"
    MOVED = "moved"
    ADDED = "came"  # as tables and JSON name it
    REMOVED = "went"
    REWORDED = "reworded"
    CORRECTED = "corrected"  # a number, date, name, address or spelling
    PUNCTUATION = "punctuation"  # or capitals, and nothing else
    STAMP = "stamp"  # a line with a date or a counter alone, however it changed

    @property
    def word(self) -> str:
        """Kind as readers see it."""
        return {"came": "added", "went": "removed"}.get(self.value, self.value)


SAYS_THE_SAME = frozenset({PassageKind.KEPT, PassageKind.PUNCTUATION, PassageKind.STAMP})
"""Kinds of change that do not change the meaning of a text."""


class Unit(Protocol):
    """A unit of text, as `TextUnit` without its heading."""

    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def key(self) -> str: ...


U = TypeVar("U", bound=Unit)


class AlignedUnit(NamedTuple, Generic[U]):
    """A unit in both snapshots, or in one."""

    kind: PassageKind
    old: U | None  # None of an added one
    new: U | None  # None of a removed one
    wording: tuple[Stretch, ...] = ()  # of a unit in other words
    corrected: str = ""  # the kind of thing in it that was corrected


Fates = dict[int, tuple[PassageKind, int]]
"""Fates of units, by their places in the newer text, and their places in the older one."""


def align(old: Sequence[U], new: Sequence[U], *, has_names: bool = True) -> list[AlignedUnit[U]]:
    """Return the units of two snapshots in the order of the newer one; removed ones in their old places."""
    kept = common_places([unit.key for unit in old], [unit.key for unit in new])
    fates: Fates = {after: (PassageKind.KEPT, before) for before, after in kept}
    removed, added = _places_left(old, new, fates)
    sides = ((n, old[n].key) for n in removed), ((n, new[n].key) for n in added)
    for before, after in equal_pairs(*sides):
        fates[after] = PassageKind.MOVED, before
    for before, after in _reworded_pairs(old, new, kept, *_places_left(old, new, fates)):
        fates[after] = PassageKind.REWORDED, before
    return [_classify(aligned, has_names=has_names) for aligned in _in_order(old, new, fates)]


def _classify(aligned: AlignedUnit[U], *, has_names: bool) -> AlignedUnit[U]:
    """Return a unit with a stamp named as such, and a rewording by what it changes."""
    before, after = aligned.old, aligned.new
    if aligned.kind is PassageKind.KEPT:
        return aligned
    if all(is_stamp(unit.text) for unit in (before, after) if unit):
        return aligned._replace(kind=PassageKind.STAMP)
    if aligned.kind is not PassageKind.REWORDED or before is None or after is None:
        return aligned
    wording = stretches(before.text, after.text)
    if after.kind != CODE and says_the_same(before.text, after.text):
        return aligned._replace(kind=PassageKind.PUNCTUATION, wording=wording)
    correction = correction_kind(wording, has_names=has_names and after.kind in (SENTENCE, ITEM))
    kind = PassageKind.CORRECTED if correction else PassageKind.REWORDED
    return aligned._replace(kind=kind, wording=wording, corrected=correction)


def _places_left(old: Sequence[U], new: Sequence[U], fates: Fates) -> tuple[list[int], list[int]]:
    """Return the places of the units that are unpaired in the older and in the newer text."""
    taken = {before for _, before in fates.values()}
    removed = [place for place in range(len(old)) if place not in taken]
    return removed, [place for place in range(len(new)) if place not in fates]


def _in_order(old: Sequence[U], new: Sequence[U], fates: Fates) -> Iterator[AlignedUnit[U]]:
    removed, _ = _places_left(old, new, fates)
    done = 0
    untils = _untils(len(old), len(new), fates)
    for after, unit in enumerate(new):
        fate, before = fates.get(after, (PassageKind.ADDED, -1))
        until = bisect_left(removed, untils[after])
        yield from (AlignedUnit(PassageKind.REMOVED, old[n], None) for n in removed[done:until])
        done = max(done, until)
        yield AlignedUnit(fate, old[before] if before >= 0 else None, unit)
    yield from (AlignedUnit(PassageKind.REMOVED, old[n], None) for n in removed[done:])


def _untils(old: int, new: int, fates: Fates) -> list[int]:
    """Return for each of `new` units the place among `old` up to which removed units are yielded before it.

    It is that of the next unit that stayed in place: added units come after removed ones.
    """
    untils = []
    bound = old
    for after in range(new - 1, -1, -1):
        fate, before = fates.get(after, (PassageKind.ADDED, old))
        if fate is PassageKind.KEPT or (fate is PassageKind.REWORDED and before < bound):
            bound = before
        untils.append(bound)
    return untils[::-1]


LARGEST_GAP = 100_000_000  # pairs of units whose exact LCS is computed: 12 MB, a tenth of a second


def common_places(old: Sequence[str], new: Sequence[str]) -> Places:
    """Return the places of a longest common subsequence; of very long ones of a common one that is nearly as long."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    inner = _inner_places(old[start : len(old) - end], new[start : len(new) - end])
    return [
        *((place, place) for place in range(start)),
        *((before + start, after + start) for before, after in inner),
        *((len(old) - end + n, len(new) - end + n) for n in range(end)),
    ]


def _inner_places(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    if len(old) * len(new) > LARGEST_GAP:
        yield from _next_places(old, new)
        return
    for block in LCSseq.opcodes(*as_numbers(old, new)).as_matching_blocks():
        yield from ((block.a + n, block.b + n) for n in range(block.size))


def _next_places(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield each unit of the newer text with the next equal one of the older, unless that is far ahead."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, key in enumerate(old):
        places[key].append(place)
    last = -1
    max_skip = max(1, len(old) // 10)  # a unit from the end would leave all before it unpaired
    for after, key in enumerate(new):
        matches = places.get(key, [])
        index = bisect_right(matches, last)
        if index < len(matches) and matches[index] - last <= max_skip:
            last = matches[index]
            yield last, after


def equal_pairs(
    old: Iterable[tuple[int, Hashable]], new: Iterable[tuple[int, Hashable]]
) -> Iterator[tuple[int, int]]:
    """Yield the places of things with equal keys on two sides, each in one pair and in order."""
    unpaired: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for before, key in old:
        unpaired[key].append(before)
    for after, key in new:
        if unpaired.get(key):
            yield unpaired[key].popleft(), after


NEAR = 400  # pairs of units between two that were kept that are all compared
RARE = 50  # maximum units with a word for it to propose them as candidates
NEIGHBOURS = 2  # units compared on each side of a unit's corresponding place in a longer gap
WORDS = 8  # rarest words of a unit that propose candidates
CANDIDATES = 6  # candidates by rare words that a unit is compared with
SIMILAR = 0.6  # minimum share of common words for a unit to be another one reworded
SIMILAR_FAR = 0.75  # the same for units in different gaps between kept ones
FEW = 4  # maximum words of a short unit: common letters are enough
RESPELLED = 0.8  # minimum share of common letters for a short unit to be another one respelled


def _reworded_pairs(
    old: Sequence[Unit],
    new: Sequence[Unit],
    kept: Places,
    removed: Sequence[int],
    added: Sequence[int],
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of places of reworded units, the most similar first, each place once."""
    words = _Words()
    old_words = {place: words.numbers(old[place]) for place in removed}
    new_words = {place: words.numbers(new[place]) for place in added}
    scored = []
    for before, after, is_near in _candidates(old_words, new_words, kept):
        # Code stays code, and rows rows.
        if all((old[before].kind == kind) == (new[after].kind == kind) for kind in (CODE, ROW)):
            similarity = words.similarity(old[before], new[after])
            if similarity >= (SIMILAR if is_near else SIMILAR_FAR):
                scored.append((-similarity, abs(before - after), after, before))
    paired_old, paired_new = set(), set()
    for _, _, after, before in sorted(scored):
        if before not in paired_old and after not in paired_new:
            paired_old.add(before)
            paired_new.add(after)
            yield before, after


class _Words:
    """Words of all units as numbers, in lower case, each unit tokenised once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._known: dict[tuple[str, str], list[int]] = {}

    def numbers(self, unit: Unit) -> list[int]:
        cache_key = unit.kind, unit.text
        if cache_key not in self._known:
            all_words = tokens(unit.text.lower()).words
            # Signs matter in code; elsewhere they would make short units similar.
            words = [] if unit.kind == CODE else list(filter(is_word, all_words))
            self._known[cache_key] = [
                self._numbers.setdefault(word, len(self._numbers)) for word in words or all_words
            ]
        return self._known[cache_key]

    def similarity(self, before: Unit, after: Unit) -> float:
        """Return the share of words in common; of short units also that of letters, if these are nearly the same."""
        old, new = self.numbers(before), self.numbers(after)
        if len(old) * len(new) > LARGEST:
            return 2 * (Counter(old) & Counter(new)).total() / (len(old) + len(new))
        share: float = Indel.normalized_similarity(old, new)
        is_short = len(before.key) * len(after.key) <= LARGEST and min(len(old), len(new)) <= FEW
        if share >= SIMILAR or not is_short:
            return share
        letters: float = Indel.normalized_similarity(before.key, after.key)
        return max(share, letters) if letters >= RESPELLED else share


def _candidates(
    removed: Mapping[int, list[int]], added: Mapping[int, list[int]], kept: Places
) -> Iterator[tuple[int, int, bool]]:
    """Yield pairs to compare by their words, and whether both lie in the same gap between kept units."""
    befores, afters = zip(*kept, strict=True) if kept else ((), ())
    gaps: defaultdict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    gap_of = {before: bisect_left(befores, before) for before in removed}
    for before, gap in gap_of.items():
        gaps[gap][0].append(before)
    for after in added:
        gaps[bisect_left(afters, after)][1].append(after)
    for old, new in gaps.values():
        if len(old) * len(new) <= NEAR:
            yield from ((before, after, True) for before in old for after in new)
            continue
        for place, after in enumerate(new):
            middle = place * len(old) // len(new)
            near = old[max(0, middle - NEIGHBOURS) : middle + NEIGHBOURS + 1]
            yield from ((before, after, True) for before in near)
    with_word: defaultdict[int, list[int]] = defaultdict(list)
    for before, words in removed.items():
        for word in set(words):
            with_word[word].append(before)
    for after, words in added.items():
        rare = [word for word in dict.fromkeys(words) if 0 < len(with_word.get(word, ())) <= RARE]
        rare.sort(key=lambda word: len(with_word[word]))
        shared = Counter(before for word in rare[:WORDS] for before in with_word[word])
        ranked = sorted(shared, key=lambda before: (-shared[before], abs(before - after), before))
        gap = bisect_left(afters, after)
        yield from ((before, after, gap_of[before] == gap) for before in ranked[:CANDIDATES])
