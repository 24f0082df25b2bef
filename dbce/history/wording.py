"""Wording of a reworded unit: words that stayed, were removed or added, the kind of correction, and lines that say nothing.

Such lines are dates of the last change, clocks, counters, and line numbers.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel, LCSseq, Opcode

from dbce.metadata import MONTHS
from dbce.model import UNSPACED_LETTERS, unify_signs, word_lists

WORD_LISTS = {name: words.split() for name, words in word_lists("dbce.history").items()}
"""The lists of `words.txt`, in lower case."""

_WORD = rf"[^\W{UNSPACED_LETTERS}]+"

_TOKEN = re.compile(
    rf"(?:https?|ftp)://[!-~]*[\w/]|[{UNSPACED_LETTERS}]|{_WORD}(?:[.,:/'’-]{_WORD})*|[^\w\s]"
)
"""An address, a word with what joins its parts (1,234.5 and 2016-05-01 are one), or a sign."""

LARGEST = 4_000_000  # pairs of words, or of letters, aligned to find those that stayed; longer units are shown whole
ISLAND = 2  # words that stayed between changes and are shown with them: a lone "the" says nothing
MOST_CORRECTIONS = 4  # places at which a unit is corrected; one with more is reworded
SAME_WORD = 0.8  # minimum similarity, letter by letter, for a word to be another one respelled
LONGEST_CORRECTION = 6  # maximum words of a number, date or name


class Stretch(NamedTuple):
    """Words one after another that stayed, or that were removed, added, or both, one in the place of the other."""

    before: str
    after: str
    stayed: bool
    spaced: bool = False  # white space stands before them


class Tokens(NamedTuple):
    """Words and signs of a text, with one form of quotation marks and dashes, and the span of each."""

    text: str
    spans: tuple[tuple[int, int], ...]
    words: tuple[str, ...]

    def has_space_before(self, index: int) -> bool:
        start = self.spans[index][0] if index < len(self.spans) else len(self.text)
        return start > 0 and self.text[start - 1].isspace()

    def cut(self, start: int, end: int) -> str:
        """Return the text from a word to before another."""
        if start >= end:
            return ""
        return self.text[self.spans[start][0] : self.spans[end - 1][1]]


def tokens(text: str) -> Tokens:
    matches = list(_TOKEN.finditer(text))
    words = tuple(unify_signs(match[0]) for match in matches)
    return Tokens(text, tuple(match.span() for match in matches), words)


def is_word(token: str) -> bool:
    """Return whether a token is a word or number, and no sign alone."""
    return any(map(str.isalnum, token))


def stretches(before: str, after: str) -> tuple[Stretch, ...]:
    """Return the wording of a unit before and after, as stretches that stayed and that did not, in order."""
    old, new = tokens(before), tokens(after)
    if len(old.words) * len(new.words) > LARGEST:
        return (Stretch(before, after, stayed=False),)
    spans: list[list[int]] = []  # of stretches that changed, in both, one behind the other
    for step in LCSseq.opcodes(old.words, new.words):
        if step.tag == "equal":
            continue
        if spans and _is_island(spans[-1], step):
            spans[-1][1], spans[-1][3] = step.src_end, step.dest_end
        else:
            spans.append([step.src_start, step.src_end, step.dest_start, step.dest_end])
    return tuple(_changed_wording(old, new, spans))


def _is_island(changed: Sequence[int], step: Opcode) -> bool:
    """Return whether too few words stayed between two changes to show these apart."""
    start, end, new_start, new_end = changed
    stayed = step.src_start - end
    previous_changed = max(end - start, new_end - new_start)
    next_changed = max(step.src_end - step.src_start, step.dest_end - step.dest_start)
    return stayed <= ISLAND and stayed < previous_changed + next_changed - 1


def _changed_wording(old: Tokens, new: Tokens, spans: Sequence[Sequence[int]]) -> Iterator[Stretch]:
    old_place = place = 0
    sentinel = [len(old.words)] * 2 + [len(new.words)] * 2
    for start, end, new_start, new_end in [*spans, sentinel]:
        if stayed := new.cut(place, new_start):
            # Where words were only removed, the space may have gone with them, and they are shown all the same.
            spaced = new.has_space_before(place) or old.has_space_before(old_place)
            yield Stretch(stayed, stayed, stayed=True, spaced=spaced)
        old_place, place = end, new_end
        if start < end or new_start < new_end:
            added = new.cut(new_start, new_end)
            spaced = new.has_space_before(new_start) if added else old.has_space_before(start)
            yield Stretch(old.cut(start, end), added, stayed=False, spaced=spaced)


_MEANINGFUL = re.compile(r"(?<![^\s(])[-+](?=\d)|[^\W_]+(?:[.,:]\d+)*|[+=<>^~%‰#@&*$€£¥₹°÷±\xd7]")
"""Words, numbers with what joins their parts, and meaningful signs: of sums, currencies, shares."""


def says_the_same(before: str, after: str) -> bool:
    """Return whether two texts differ in punctuation and capitals alone."""
    sides = (_MEANINGFUL.findall(unify_signs(text)) for text in (before, after))
    old, new = ([word.casefold() for word in side] for side in sides)
    return old == new and bool(old)


# Kinds of corrections, the more specific first; signs may change along with them.
CORRECTED = ("date", "name", "number", "address", "spelling")


def correction_kind(wording: Sequence[Stretch], *, has_names: bool) -> str:
    """Return the kind of correction, one of CORRECTED; "" for other changes. `has_names`: a capital marks a name."""
    changed = [(n, part) for n, part in enumerate(wording) if not part.stayed]
    if not changed or len(changed) > MOST_CORRECTIONS:
        return ""
    size = sum(max(len(tokens(p.before).words), len(tokens(p.after).words)) for _, p in changed)
    stayed = [word for part in wording if part.stayed for word in tokens(part.after).words]
    if size > len(stayed) + 1:
        return ""
    names = has_names and sum(word[:1].islower() for word in stayed) >= len(stayed) / 2
    kinds = set()
    for n, part in changed:
        neighbours = [
            *(tokens(wording[n - 1].after).words[-1:] if n else ()),
            *(tokens(wording[n + 1].after).words[:1] if n + 1 < len(wording) else ()),
        ]
        kinds.add(_kind(part, neighbours, has_names=names and n > 0))
    return "" if "" in kinds else next((kind for kind in CORRECTED if kind in kinds), "")


_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?!\d)")
_DATE = re.compile(r"\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2(?:\d{4}|\d\d)(?!\.\d)")


def _kind(part: Stretch, neighbours: Sequence[str], *, has_names: bool) -> str:
    sides = [tokens(side).words for side in (part.before, part.after)]
    words = [word for side in sides for word in side if is_word(word)]
    if not words:
        return "punctuation"
    if not all(sides) or max(map(len, sides)) > LONGEST_CORRECTION:
        return ""
    if all("://" in word for word in words):
        return "address"
    if all(any(map(str.isdigit, word)) or _is_month(word) for word in words):
        is_date = any(_YEAR.fullmatch(w) or _DATE.fullmatch(w) for w in words)
        return "date" if is_date or any(map(_is_month, [*words, *neighbours])) else "number"
    before, after = part.before.lower(), part.after.lower()
    is_one_word = len(sides[0]) == len(sides[1]) == 1 and len(before) * len(after) <= LARGEST
    is_long = min(len(before), len(after)) > 3
    similarity = Indel.normalized_similarity(before, after) if is_one_word else 0
    if is_one_word and (before == after or (is_long and similarity >= SAME_WORD)):
        return "spelling"
    return "name" if has_names and all(word[:1].isupper() for word in words) else ""


def _is_month(word: str) -> bool:
    return word.lower() in MONTHS and word[:1].isupper()


CONTEXT = 12  # words on each side of a change that are shown with it


def shorten(wording: Sequence[Stretch]) -> tuple[Stretch, ...]:
    """Return the wording with an ellipsis for words that stayed far from any change."""
    last = len(wording) - 1
    return tuple(
        _shorten_part(part, is_first=n == 0, is_last=n == last) if part.stayed else part
        for n, part in enumerate(wording)
    )


def _shorten_part(part: Stretch, *, is_first: bool, is_last: bool) -> Stretch:
    part_tokens = tokens(part.after)
    count = len(part_tokens.words)
    if count <= CONTEXT * (1 if is_first or is_last else 2) + 4:
        return part
    head = "" if is_first else part_tokens.cut(0, CONTEXT)
    tail = "" if is_last else part_tokens.cut(count - CONTEXT, count)
    text = f"{head} … {tail}".strip()
    return part._replace(before=text, after=text)


LONGEST = 14  # maximum words of a stamp

_STAMPED = WORD_LISTS["stamped"]

_CJK = "年月日時分秒点最終更新時刻版発布公開日付曜火水木金土期间間于於本页頁面时后後修改来訪问訪者数數次"


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_NUMBER = r"\d++(?:st|nd|rd|th|h|z)?(?![^\W\d_])"
_MONTH = rf"(?:{_any_of(MONTHS)})(?!\w)"
_LINE = re.compile(
    rf"(?:\W|\d++t\d++(?=\W)|{_NUMBER}|\d++(?=[{_CJK}])|[{_CJK}]|(?:{_any_of(WORD_LISTS['stamp'] + _STAMPED)})(?!\w)|{_MONTH})+"
)
_STAMP = re.compile(rf"(?<!\w)(?:{_any_of(_STAMPED)})(?!\w)|最終|更新|修改|発布|公開|©")
_DATED = re.compile(
    rf"(?<!\w){_MONTH}\W{{0,3}}\d|\d\W{{0,3}}(?:de\s)?{_MONTH}|(?<!\d)(?:\d{{4}}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{{4}}|\d\d?/\d\d?/\d\d)(?!\d)|\d年"
)


def is_gutter(text: str) -> bool:
    """Return whether a text is a column of line numbers: two or more consecutive numbers."""
    words = text.split()
    if len(words) < 2 or not all(word.isdecimal() for word in words):
        return False
    numbers = list(map(int, words))
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def is_stamp(text: str) -> bool:
    """Return whether a line has a date or a counter, and nothing else.

    "Last update: 3 May 2014, 10:15", "2014-05-03", "Visitors: 12345", "3 comments" do; a bare number is none, nor is
    "May 2014: the ferry is back".
    """
    lower = text.lower()
    if not any(letter.isdigit() for letter in lower) or not _LINE.fullmatch(lower):
        return False
    return bool(_STAMP.search(lower) or _DATED.search(lower))
