"""Words of a text as they are counted, and those that came and went; likewise links and images."""

from __future__ import annotations

import re
from enum import IntFlag
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from dbce.metadata import MONTHS
from dbce.model import WORD, hash_strings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dbce.model import Hashes
    from dbce.visual.changes.snapshot import BlockColumns, References

    Mask = NDArray[np.bool_]

    Counts = NDArray[np.int64]

_END = "\0"
"""Separator of texts: no text has it (dbce.html.parse)."""

_OF_PROSE = re.compile(rf"{_END}|{WORD.pattern}")
_OF_CODE = re.compile(rf"{_OF_PROSE.pattern}|[^\w\s]")
"""In code a sign is a word: `- 20` is not `+ 20`."""


class WordTrait(IntFlag):
    """Properties of a word that say how much it matters when it changes."""

    NUMBER = 1
    DATE = 2
    NAME = 4
    NEGATION = 8
    SIGN = 16


NEGATIONS = frozenset(
    "no not never none nor neither without cannot isn aren wasn weren don doesn didn couldn wouldn shouldn "
    "nicht kein keine keinen keiner nie niemals ohne ne pas jamais sans aucun aucune nunca sin ningún non mai "
    "senza nessun niet geen nooit zonder não sem nenhum inte ingen inget aldrig utan ikke aldri uden nie bez "
    "nigdy не нет без никогда 不 没 無 非 未".split()
)
"""Words that turn a sentence round, in the languages that archives have most of; with n't, the part before it."""


class TextWords(NamedTuple):
    """The words of some texts: their hashes, their traits (WordTrait), and where those of each text end."""

    hashes: Hashes
    traits: NDArray[np.uint8]
    ends: NDArray[np.int64]


def text_words(texts: Sequence[str], code: Sequence[str] = ()) -> TextWords:
    """The words of some texts, in lower case, and of some texts that are code behind them."""
    pieces = _OF_PROSE.findall(_END.join([*texts, ""])) + _OF_CODE.findall(_END.join([*code, ""]))
    encoded = pa.array(pieces, pa.string()).dictionary_encode()
    distinct, numbers = encoded.dictionary.to_pylist(), encoded.indices.to_numpy()
    hashes = hash_strings([word.lower() for word in distinct])[numbers]
    traits = np.array([_trait(word) for word in distinct], np.uint8)[numbers]
    is_end = hashes == hash_strings([_END])[0]
    stops = np.flatnonzero(is_end)
    return TextWords(hashes[~is_end], traits[~is_end], stops - np.arange(len(stops)))


def _trait(word: str) -> int:
    lower = word.lower()
    return (
        WordTrait.NUMBER * (word[0].isdigit() or word[-1].isdigit())
        | WordTrait.DATE * (lower in MONTHS)
        | WordTrait.NAME * word[0].isupper()
        | WordTrait.SIGN * (not (word[0].isalnum() or word[0] == "_"))
        | WordTrait.NEGATION * (lower in NEGATIONS)
    )


def word_hashes(texts: Sequence[str]) -> tuple[Hashes, NDArray[np.int64]]:
    """The hashes of the words of some texts, and where those of each end, as `words`."""
    found = text_words(texts)
    return found.hashes, found.ends


def words(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """The lower-cased words of some texts, and where those of each end.

    A word is a run of letters, digits and underscores; a Chinese character is one.
    """
    pieces = _OF_PROSE.findall(_END.join([*texts, ""]).lower())
    stops = [place for place, word in enumerate(pieces) if word == _END]
    return [w for w in pieces if w != _END], [stop - n for n, stop in enumerate(stops)]


class Counted(NamedTuple):
    """Numbers of things that were added, removed and kept, counted as multisets."""

    added: int
    removed: int
    kept: int

    @property
    def share(self) -> float:
        """The share of what both snapshots have that is in one only, 0 to 1; 0 if there is nothing."""
        changed = self.added + self.removed
        return changed / max(1, changed + 2 * self.kept)


def with_like_signs(old: BlockColumns, new: BlockColumns) -> tuple[BlockColumns, BlockColumns]:
    """Two snapshots as they are compared: if one has no line of code, the signs of the other one's are no words.

    A page that sets its code in other elements than before has lost nothing of it.
    """
    signs = [(side.traits & WordTrait.SIGN) != 0 for side in (old, new)]
    if signs[0].any() == signs[1].any():
        return old, new
    return _without(old, signs[0]), _without(new, signs[1])


def _without(side: BlockColumns, some: Mask) -> BlockColumns:
    left = np.concatenate(([0], np.cumsum(~some)))
    ends = left[side.ends].astype(np.uint32)
    return side._replace(words=side.words[~some], traits=side.traits[~some], ends=ends)


class ChangesByLabel(NamedTuple):
    """Changes in content and in boilerplate.

    `new` is what came that was nowhere before, content in the newer snapshot; `lost` what was content in
    the older one and is nowhere now. A text that is called otherwise on one side is in `content`, and
    not in these.
    """

    content: Counted
    boilerplate: Counted
    new: int
    lost: int

    @property
    def moved_in_or_out(self) -> Counted:
        """Counts of the content: added what came from nowhere, removed what went for good, kept the rest."""
        kept = (
            self.content.kept
            + (self.content.added + self.content.removed - self.new - self.lost) // 2
        )
        return Counted(self.new, self.lost, max(0, kept))


class TouchedWords(NamedTuple):
    """Numbers of words of content that came from nowhere or went for good, by what they say."""

    numbers: int
    names: int
    negations: int


def changed_words(old: BlockColumns, new: BlockColumns) -> tuple[ChangesByLabel, TouchedWords]:
    """The words of two snapshots."""
    sides = (old, new)
    counts = _counts(*((s.words, np.repeat(s.is_content, s.sizes)) for s in sides))
    traits = np.concatenate([old.traits, new.traits])
    return counts.by_label(), _touched(counts, traits)


def changed_references(old: References, new: References) -> ChangesByLabel:
    """The links, or the images, of two snapshots."""
    if np.array_equal(old.addresses, new.addresses) and np.array_equal(
        old.is_content, new.is_content
    ):
        content = int(old.is_content.sum())
        kept = Counted(0, 0, content), Counted(0, 0, len(old.addresses) - content)
        return ChangesByLabel(*kept, 0, 0)
    return _counts((old.addresses, old.is_content), (new.addresses, new.is_content)).by_label()


class _WordCounts(NamedTuple):
    """Counts of each distinct thing in content and in boilerplate, of both snapshots.

    `numbers` are the places of all, old ones first, among the distinct.
    """

    numbers: Counts
    old_content: Counts
    old_around: Counts
    new_content: Counts
    new_around: Counts

    @property
    def came(self) -> Counts:
        """Content of the newer snapshot that was nowhere on the older one."""
        came: Counts = np.maximum(self.new_content - self.old_content - self.old_around, 0)
        return came

    @property
    def went(self) -> Counts:
        """Content of the older snapshot that is nowhere on the newer one."""
        went: Counts = np.maximum(self.old_content - self.new_content - self.new_around, 0)
        return went

    def by_label(self) -> ChangesByLabel:
        return ChangesByLabel(
            _counted(self.old_content, self.new_content),
            _counted(self.old_around, self.new_around),
            int(self.came.sum()),
            int(self.went.sum()),
        )


def _counts(old: tuple[Hashes, Mask], new: tuple[Hashes, Mask]) -> _WordCounts:
    numbers, known = pd.factorize(
        np.concatenate((old[0], new[0]))
    )  # sorts nothing, unlike np.unique
    before, after = numbers[: len(old[0])], numbers[len(old[0]) :]

    def counts(side: Counts, mask: Mask) -> Counts:
        return np.bincount(side[mask], minlength=len(known))

    return _WordCounts(
        numbers,
        *(counts(before, old[1]), counts(before, ~old[1])),
        *(counts(after, new[1]), counts(after, ~new[1])),
    )


def _touched(counts: _WordCounts, traits: NDArray[np.uint8]) -> TouchedWords:
    changed = counts.came + counts.went

    def having(trait: int) -> int:
        places = np.unique(counts.numbers[(traits & trait) != 0])
        return int(changed[places].sum())

    return TouchedWords(
        having(WordTrait.NUMBER | WordTrait.DATE),
        having(WordTrait.NAME),
        having(WordTrait.NEGATION),
    )


def _counted(old: Counts, new: Counts) -> Counted:
    kept = int(np.minimum(old, new).sum())
    return Counted(int(new.sum()) - kept, int(old.sum()) - kept, kept)
