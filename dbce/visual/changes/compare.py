"""Two snapshots of a URL: what changed in text, links, images and template, and the kind of change.

Units of the content are aligned as a history aligns them, words and addresses are counted as multisets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import log1p
from typing import NamedTuple

import numpy as np
import pandas as pd

from dbce import history
from dbce.model import Hashes, Mask, count_words
from dbce.quality import ENOUGH_WORDS, has_collapsed, is_beginning
from dbce.visual.changes.snapshot import (
    BlockColumns,
    Counts,
    References,
    Snapshot,
    count_shared,
)

IMPORTANT = 0.1
"""Minimum share of changed words in content blocks for a change to be important (docs/changes.md)."""


class EditKind(StrEnum):
    """Kinds of changes of the content."""

    WORDING = "wording"
    ADDITION = "addition"
    REMOVAL = "removal"
    CORRECTION = "correction"  # of a number, date, name, address or spelling
    LINK = "link"
    PICTURE = "picture"
    MEDIA = "media"
    LAYOUT = "layout"  # units that moved, another order, or another template


class SnapshotDiff(NamedTuple):
    """Changes between two snapshots.

    `is_reordered` is true if the content has the same words in another order. `template` is the similarity of
    their templates: Jaccard similarity of the places of all blocks, 0 to 1.
    """

    same_bytes: bool
    is_reordered: bool
    words: ChangesByLabel
    touched: TouchedWords
    links: ChangesByLabel
    images: ChangesByLabel
    media: ChangesByLabel
    units: ChangedUnits
    template: float

    @property
    def is_equal(self) -> bool:
        """True if no word, link, image or medium differs and the words of the content are in the same order."""
        if self.same_bytes:
            return True
        if self.is_reordered:
            return False
        parts = (self.words, self.links, self.images, self.media)
        counted = (c for p in parts for c in p[:2])
        return not any(counts.added or counts.removed for counts in counted)

    @property
    def is_important(self) -> bool:
        """True if at least the share IMPORTANT of the words in content blocks were added or removed."""
        return self.words.moved_in_or_out.share >= IMPORTANT

    def kinds(self) -> list[str]:
        """Return the kinds of the changes of the content, in the order of EditKind."""
        units, words = self.units.counts, self.words
        occurs = {
            EditKind.WORDING: units[history.PassageKind.REWORDED] > 0,
            EditKind.ADDITION: words.new > 0 and units[history.PassageKind.ADDED] > 0,
            EditKind.REMOVAL: words.lost > 0 and units[history.PassageKind.REMOVED] > 0,
            EditKind.CORRECTION: units[history.PassageKind.CORRECTED] > 0,
            EditKind.LINK: self.links.new + self.links.lost > 0,
            EditKind.PICTURE: self.images.new + self.images.lost > 0,
            EditKind.MEDIA: self.media.new + self.media.lost > 0,
            EditKind.LAYOUT: self.is_reordered
            or units[history.PassageKind.MOVED] > 0
            or self.template < history.REDESIGNED,
        }
        return [str(edit) for edit, is_present in occurs.items() if is_present]

    def features(self) -> dict[str, float]:
        """Return the features of the change without pictures, by name (`change_model`)."""
        content, words = self.words.moved_in_or_out, self.words
        return {
            "content words changed": float(words.new + words.lost > 0),
            "content words changed, log": log1p(words.new + words.lost),
            "content words changed, share": content.share**0.5,
            "content words added and removed": log1p(min(words.new, words.lost)),
            "content words in another order": float(self.is_reordered),
            # Even if the words of both are elsewhere on the page, as those of a version in its menu.
            "units corrected": float(self.units.counts[history.PassageKind.CORRECTED] > 0),
            "links of content changed, log": log1p(self.links.new + self.links.lost),
            "images of content changed, log": log1p(self.images.new + self.images.lost),
            "template changed": 1 - self.template,
        }


def compare(old: Snapshot, new: Snapshot) -> SnapshotDiff:
    before, after = with_like_signs(old.blocks, new.blocks)
    words, touched = changed_words(before, after)
    return SnapshotDiff(
        bool(old.digest) and old.digest == new.digest,
        _is_reordered(before, after, words),
        words,
        touched,
        _changed_references(old.links, new.links),
        _changed_references(old.images, new.images),
        _changed_references(old.media, new.media),
        _changed_units(old, new),
        history.jaccard(old.blocks.places, new.blocks.places),
    )


def _is_reordered(old: BlockColumns, new: BlockColumns, words: ChangesByLabel) -> bool:
    if words.content.added or words.content.removed:
        return False
    before, after = (side.words[np.repeat(side.is_content, side.sizes)] for side in (old, new))
    return not np.array_equal(before, after)


class ChangeKind(StrEnum):
    """Kinds of change, by precedence."""

    GONE = "gone"
    EQUAL = "equal"
    REDESIGN = "redesign"
    CONTENT = "content"
    BOILERPLATE = "boilerplate only"


def kind(new: Snapshot, diff: SnapshotDiff, score: float, kept: bool | None) -> ChangeKind:
    """Return the kind of change of a page that differs; `kept` is the result of `is_kept`."""
    if new.gone:
        return ChangeKind.GONE
    if diff.template < history.REDESIGNED and kept is not False:
        return ChangeKind.REDESIGN
    return ChangeKind.CONTENT if score < 0 else ChangeKind.BOILERPLATE


def is_cut(old: Snapshot, new: Snapshot) -> bool:
    """Return whether a page was cut off by the crawl: it is the beginning of the older one.

    A few new words of the server, such as a date, may be in between (`is_beginning`).
    """
    if new.truncated and not old.truncated:
        return True
    return is_beginning(old.blocks.words, new.blocks.words)


class ChangedUnits(NamedTuple):
    """Numbers of units by kind of change; a unit that is elsewhere on the other page is kept.

    `weight` is the share of the page that changed: of a unit its share in the words of the page (of both, the mean), by
    the share of its words that changed.
    """

    counts: Counter[history.PassageKind]
    weight: float


def _changed_units(old: Snapshot, new: Snapshot) -> ChangedUnits:
    aligned = history.align(old.units, new.units)
    sides = ((history.PassageKind.ADDED, old), (history.PassageKind.REMOVED, new))
    elsewhere = {place for side in sides for place in _elsewhere(aligned, *side)}
    remaining = [a for place, a in enumerate(aligned) if place not in elsewhere]
    counts = Counter(a.kind for a in remaining)
    counts[history.PassageKind.KEPT] += len(elsewhere)
    sizes = [max(1, len(side.blocks.words)) for side in (old, new)]
    return ChangedUnits(counts, sum(_weight(a, *sizes) for a in remaining))


def _elsewhere(
    aligned: Sequence[history.AlignedUnit[history.TextUnit]],
    kind: history.PassageKind,
    other_page: Snapshot,
) -> Iterator[int]:
    """Yield the places of added, or removed, units that the other page has elsewhere."""
    units = {n: unit for n, a in enumerate(aligned) if a.kind is kind and (unit := a.new or a.old)}
    lines = set(other_page.blocks.texts() if units else ())
    for in_code in (False, True):
        group = {n: unit for n, unit in units.items() if (unit.kind == history.CODE) is in_code}
        texts = [unit.text for unit in group.values()]
        hashes, _, ends = history.text_words((), texts) if in_code else history.text_words(texts)
        for place, words in zip(group, np.split(hashes, ends[:-1]), strict=False):
            if words.tobytes() in lines or (
                len(words) >= history.SOME
                and history.is_within(words, other_page.blocks.words, len(units))
            ):
                yield place


def _weight(aligned: history.AlignedUnit[history.TextUnit], before: int, after: int) -> float:
    """Return the weight of a unit: its share of the words of the older page, the newer page, or both."""
    if aligned.kind is history.PassageKind.ADDED and aligned.new:
        return count_words(aligned.new.text) / after
    if aligned.kind is history.PassageKind.REMOVED and aligned.old:
        return count_words(aligned.old.text) / before
    if aligned.kind not in (history.PassageKind.REWORDED, history.PassageKind.CORRECTED):
        return 0.0
    parts = [part for part in aligned.wording if not part.stayed]
    removed = sum(count_words(part.before) for part in parts)
    added = sum(count_words(part.after) for part in parts)
    return (removed / before + added / after) / 2


AWAY = 0.3
"""Maximum share of the older page's words on a page whose text was away for a while: any two long texts of a language
have some in common. Chosen on pairs with pages of other sites in their midst (docs/changes.md)."""

RETURNED = 0.5
"""Minimum share of the older page's words in the next snapshot for the text to be back."""


def is_collapsed(old: Snapshot, new: Snapshot, later: Snapshot | None) -> bool:
    """Return whether the text of a page collapsed since the older snapshot.

    Where the later snapshot has the old text again, so has a page of any length with little of it.
    """
    before, after = old.blocks.words, new.blocks.words
    if new.truncated or len(before) < ENOUGH_WORDS:
        return False
    kept = count_shared(before, after)
    was_away = kept <= AWAY * len(before) and bool(is_back(old, later))
    return was_away or has_collapsed(len(after), kept, len(before))


def is_back(old: Snapshot, later: Snapshot | None) -> bool | None:
    """Return whether a later snapshot has the text of an older one again; None without one."""
    before = old.blocks.words
    return later and count_shared(before, later.blocks.words) >= RETURNED * len(before)


class DiffCounts(NamedTuple):
    """Numbers of things that were added, removed and kept, counted as multisets."""

    added: int
    removed: int
    kept: int

    @property
    def share(self) -> float:
        """Share of all things in both snapshots that are in one only, 0 to 1; 0 if there are none."""
        changed = self.added + self.removed
        return changed / max(1, changed + 2 * self.kept)


def with_like_signs(old: BlockColumns, new: BlockColumns) -> tuple[BlockColumns, BlockColumns]:
    """Return two snapshots for comparison: without the signs of code if only one has lines of code.

    A page that puts its code in other elements than before has lost nothing of it.
    """
    signs = [(side.traits & history.WordTrait.SIGN) != 0 for side in (old, new)]
    if signs[0].any() == signs[1].any():
        return old, new
    return _drop_words(old, signs[0]), _drop_words(new, signs[1])


def _drop_words(side: BlockColumns, dropped: Mask) -> BlockColumns:
    kept_before = np.concatenate(([0], np.cumsum(~dropped)))
    ends = kept_before[side.ends].astype(np.uint32)
    return side._replace(words=side.words[~dropped], traits=side.traits[~dropped], ends=ends)


class ChangesByLabel(NamedTuple):
    """Changes in content and in boilerplate.

    `new` is content of the newer snapshot that was nowhere in the older one, `lost` content of the older one
    that is nowhere in the newer one. A text with another label on one side is in `content`, and not in
    these.
    """

    content: DiffCounts
    boilerplate: DiffCounts
    new: int
    lost: int

    @property
    def moved_in_or_out(self) -> DiffCounts:
        """Counts of the content: `new` as added, `lost` as removed, the rest as kept."""
        elsewhere = self.content.added + self.content.removed - self.new - self.lost
        return DiffCounts(self.new, self.lost, max(0, self.content.kept + elsewhere // 2))


TOUCHED = (
    history.WordTrait.NUMBER | history.WordTrait.DATE,
    history.WordTrait.NAME,
    history.WordTrait.NEGATION,
)
"""Traits of each of TouchedWords."""


class TouchedWords(NamedTuple):
    """Numbers of new and lost words of content, by trait."""

    numbers: int
    names: int
    negations: int


def changed_words(old: BlockColumns, new: BlockColumns) -> tuple[ChangesByLabel, TouchedWords]:
    """Return the changes of the words of two snapshots."""
    sides = (old, new)
    counts = _counts(*((s.words, np.repeat(s.is_content, s.sizes)) for s in sides))
    traits = np.concatenate([old.traits, new.traits])
    changed = counts.added_content + counts.removed_content
    places = (np.unique(counts.numbers[(traits & trait) != 0]) for trait in TOUCHED)
    return counts.by_label(), TouchedWords(*(int(changed[numbers].sum()) for numbers in places))


def _changed_references(old: References, new: References) -> ChangesByLabel:
    if all(map(np.array_equal, old, new)):  # as most are
        content = int(old.is_content.sum())
        kept = DiffCounts(0, 0, content), DiffCounts(0, 0, len(old.addresses) - content)
        return ChangesByLabel(*kept, 0, 0)
    return _counts(old, new).by_label()


class _WordCounts(NamedTuple):
    """Counts of each distinct thing in content and around it; `numbers` are those of all things, old ones first."""

    numbers: Counts
    old_content: Counts
    old_around: Counts
    new_content: Counts
    new_around: Counts

    @property
    def added_content(self) -> Counts:
        """Content of the newer snapshot that is nowhere on the older one."""
        added: Counts = np.maximum(self.new_content - self.old_content - self.old_around, 0)
        return added

    @property
    def removed_content(self) -> Counts:
        """Content of the older snapshot that is nowhere on the newer one."""
        removed: Counts = np.maximum(self.old_content - self.new_content - self.new_around, 0)
        return removed

    def by_label(self) -> ChangesByLabel:
        return ChangesByLabel(
            _diff_counts(self.old_content, self.new_content),
            _diff_counts(self.old_around, self.new_around),
            int(self.added_content.sum()),
            int(self.removed_content.sum()),
        )


def _counts(old: tuple[Hashes, Mask], new: tuple[Hashes, Mask]) -> _WordCounts:
    # Does not sort, unlike np.unique.
    numbers, distinct = pd.factorize(np.concatenate((old[0], new[0])))
    sides = np.repeat((0, 2), (len(old[0]), len(new[0]))) + ~np.concatenate((old[1], new[1]))
    counts = np.bincount(4 * numbers + sides, minlength=4 * len(distinct))
    return _WordCounts(numbers, *counts.reshape(-1, 4).T)


def _diff_counts(old: Counts, new: Counts) -> DiffCounts:
    kept = int(np.minimum(old, new).sum())
    return DiffCounts(int(new.sum()) - kept, int(old.sum()) - kept, kept)
