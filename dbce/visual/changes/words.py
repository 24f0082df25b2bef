"""Words of a text as they are counted, and those that came and went; likewise links and images."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

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

_WORD = re.compile(rf"{_END}|{WORD.pattern}")


def word_hashes(texts: Sequence[str]) -> tuple[Hashes, NDArray[np.int64]]:
    """The hashes of the words of some texts, and where those of each end, as `words`."""
    encoded = pa.array(
        _WORD.findall(_END.join([*texts, ""]).lower()), pa.string()
    ).dictionary_encode()
    hashes = hash_strings(encoded.dictionary.to_pylist())[encoded.indices.to_numpy()]
    is_end = hashes == hash_strings([_END])[0]
    stops = np.flatnonzero(is_end)
    return hashes[~is_end], stops - np.arange(len(stops))


def words(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """The lower-cased words of some texts, and where those of each end.

    A word is a run of letters, digits and underscores; a Chinese character is one.
    """
    pieces = _WORD.findall(_END.join([*texts, ""]).lower())
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


def changed_words(old: BlockColumns, new: BlockColumns) -> ChangesByLabel:
    """The words of two snapshots."""
    masks = (np.repeat(side.is_content, side.sizes) for side in (old, new))
    return _parts(old.words, new.words, *masks)


def changed_references(old: References, new: References) -> ChangesByLabel:
    """The links, or the images, of two snapshots."""
    return _parts(old.addresses, new.addresses, old.is_content, new.is_content)


def _parts(old: Hashes, new: Hashes, old_content: Mask, new_content: Mask) -> ChangesByLabel:
    if np.array_equal(old, new) and np.array_equal(old_content, new_content):
        content = int(old_content.sum())
        return ChangesByLabel(Counted(0, 0, content), Counted(0, 0, len(old) - content), 0, 0)
    number, known = pd.factorize(np.concatenate((old, new)))  # sorts nothing, unlike np.unique

    def counts(side: Counts, mask: Mask) -> Counts:
        return np.bincount(side[mask], minlength=len(known))

    before, after = number[: len(old)], number[len(old) :]
    oc, ob = counts(before, old_content), counts(before, ~old_content)
    nc, nb = counts(after, new_content), counts(after, ~new_content)
    return ChangesByLabel(
        _counted(oc, nc),
        _counted(ob, nb),
        int(np.maximum(nc - oc - ob, 0).sum()),
        int(np.maximum(oc - nc - nb, 0).sum()),
    )


def _counted(old: Counts, new: Counts) -> Counted:
    kept = int(np.minimum(old, new).sum())
    return Counted(int(new.sum()) - kept, int(old.sum()) - kept, kept)
