"""Class and id names around a line, as hashed tokens.

Names like "comment" or "sidebar" recur on the web. None is listed here: a model learns a weight for
each hash, and only for those that occur on several sites (dbce.train).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.classify.lines import Floats, Lines
    from dbce.model import Page

SIZE = 4096
"""Number of hashes: the lower half for names anywhere above a line, the upper half for near ones."""

SCORES = ("names", "names_near", "names_beside_prose")
"""What the names around a line come to, as features."""

NEAR = 3
"""So many elements up from the line, its names count once more, as near ones."""

_CAMEL = re.compile(r"([a-z])([A-Z])")
_LETTERS = re.compile(r"[a-z]{2,}")


def name_tokens(page: Page, lines: Lines) -> list[tuple[int, ...]]:
    """For each line the hashes of the name parts of the elements around it, sorted."""
    own = [_parts(f"{c} {i}") for c, i in zip(page.classes, page.ids, strict=True)]
    around: list[frozenset[int]] = []
    for parts, parent in zip(own, page.parents, strict=True):
        above = around[parent] if parent >= 0 else frozenset()
        around.append(above | {hash_ for hash_, _ in parts} if parts else above)
    of_holder = {
        holder: tuple(sorted(around[holder] | _near(page, own, holder)))
        for holder in set(lines.holder.tolist())
    }
    return [of_holder[holder] for holder in lines.holder.tolist()]


def _near(page: Page, own: Sequence[frozenset[tuple[int, int]]], element: int) -> set[int]:
    found: set[int] = set()
    for _ in range(NEAR):
        if element < 0:
            break
        found.update(near for _, near in own[element])
        element = page.parents[element]
    return found


@lru_cache(maxsize=20_000)
def _parts(names: str) -> frozenset[tuple[int, int]]:
    """(hash, hash as a near one) of each part of some names: "commentList" has two."""
    parts = _LETTERS.findall(_CAMEL.sub(r"\1 \2", names).lower())
    hashes = [crc32(part.encode()) % (SIZE // 2) for part in parts]
    return frozenset((hash_, hash_ + SIZE // 2) for hash_ in hashes)


def name_scores(tokens: Sequence[tuple[int, ...]], weights: Floats, prose: Floats) -> Floats:
    """How content-like the names around each line are, shape (lines, len(SCORES)).

    The columns: the sum of all weights; that of near names; and the first, less its mean over the
    page's prose, since sites differ in how they name what is around everything. `prose` is how much
    prose each line is.
    """
    both = {}
    for of_line in set(tokens):
        of_weights = weights[list(of_line)]
        is_near = np.array(of_line) >= SIZE // 2
        both[of_line] = (float(of_weights.sum()), float(of_weights[is_near].sum()))
    score = np.array([both[of_line] for of_line in tokens], dtype=np.float32)
    total = float(prose.sum())
    usual = float((score[:, 0] * prose).sum()) / total if total else 0.0
    return np.column_stack([score, score[:, 0] - np.float32(usual)])
