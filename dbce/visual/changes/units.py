"""Units of the content of two snapshots, aligned as a history aligns them, in numbers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.history import CODE, SOME, PassageKind, align, is_within, text_words
from dbce.model import count_words

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from dbce.history import Aligned, TextUnit
    from dbce.model import Hashes
    from dbce.visual.changes.snapshot import Snapshot


class ChangedUnits(NamedTuple):
    """Numbers of units by what became of them; one that stands on the other page elsewhere is kept.

    `weight` is the share of the page that changed: of a unit its share in the words of the page (of both, the mean), by
    the share of its words that changed.
    """

    counts: Counter[PassageKind]
    weight: float


def changed_units(old: Snapshot, new: Snapshot) -> ChangedUnits:
    """Return what became of the units of the content from one snapshot to another."""
    aligned = align(old.units, new.units)
    elsewhere = {
        *_elsewhere(aligned, PassageKind.CAME, old),
        *_elsewhere(aligned, PassageKind.WENT, new),
    }
    told = [a for place, a in enumerate(aligned) if place not in elsewhere]
    counts = Counter(a.kind for a in told)
    counts[PassageKind.KEPT] += len(elsewhere)
    sizes = [max(1, len(side.blocks.words)) for side in (old, new)]
    return ChangedUnits(counts, sum(_weight(a, *sizes) for a in told))


def _elsewhere(
    aligned: Sequence[Aligned[TextUnit]], kind: PassageKind, other: Snapshot
) -> Iterator[int]:
    """Yield the places of units that came, or went, and that the other page has elsewhere."""
    units = {
        place: unit
        for place, a in enumerate(aligned)
        if a.kind is kind and (unit := a.new or a.old)
    }
    lines = _lines(other) if units else ()
    for in_code in (False, True):
        some = {place: unit for place, unit in units.items() if (unit.kind == CODE) is in_code}
        texts = [unit.text for unit in some.values()]
        hashes, _, ends = text_words((), texts) if in_code else text_words(texts)
        for place, words in zip(some, np.split(hashes, ends[:-1]), strict=False):
            if _is_on(words, other, lines):
                yield place


def _is_on(words: Hashes, page: Snapshot, lines: Container[bytes]) -> bool:
    return words.tobytes() in lines or (len(words) >= SOME and is_within(words, page.blocks.words))


def _lines(page: Snapshot) -> set[bytes]:
    return {page.blocks.of(block).tobytes() for block in range(len(page.blocks.ends))}


def _weight(aligned: Aligned[TextUnit], before: int, after: int) -> float:
    """Return the weight of a unit, by the number of words of either page."""
    if aligned.kind is PassageKind.CAME and aligned.new:
        return count_words(aligned.new.text) / after
    if aligned.kind is PassageKind.WENT and aligned.old:
        return count_words(aligned.old.text) / before
    parts = [part for part in aligned.wording if not part.stayed]
    if aligned.kind not in (PassageKind.REWORDED, PassageKind.CORRECTED):
        return 0.0
    went = sum(count_words(part.before) for part in parts)
    came = sum(count_words(part.after) for part in parts)
    return (went / before + came / after) / 2
