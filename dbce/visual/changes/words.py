"""Words that came and went between two snapshots; likewise links and images."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from dbce.history import WordTrait

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.model import Hashes
    from dbce.visual.changes.snapshot import BlockColumns, References

    Mask = NDArray[np.bool_]

    Counts = NDArray[np.int64]


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
