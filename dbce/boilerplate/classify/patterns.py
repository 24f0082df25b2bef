"""Bit patterns: the meaning of a text's occurrence in the cross (thesis, appendix B)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.model import BOILERPLATE, CONTENT, INVALID

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.model import Annotation, Cross

PATTERNS: dict[str, tuple[str, tuple[str, ...]]] = {
    # cross: (content, boilerplate); whatever else can occur in that cross is invalid
    "11000": ("10000", ("11000",)),
    "11100": ("10000", ("10100", "11000", "11100")),
    "11001": ("10001", ("10000", "11000", "11001")),
    "11010": ("10010", ("10000", "11000", "11010")),
    "11011": ("10011", ("10000", "10001", "10010", "11000", "11001", "11010", "11011")),
    "11101": ("10001", ("11101",)),
    "11110": ("10010", ("11110",)),
    "11111": ("10011", ("11111",)),
}


def _table(cross: str) -> NDArray[np.uint8]:
    content, boilerplate = PATTERNS[cross]
    table = np.full(32, INVALID, dtype=np.uint8)
    table[[int(bits, 2) for bits in boilerplate]] = BOILERPLATE
    table[int(content, 2)] = CONTENT
    return table


SNAPSHOTS_ALONE = ("10010", "10001", "10011")
"""The crosses without *up*: what other pages do not say, staying or going does not tell either."""

_TABLES = {cross: _table(cross) for cross in PATTERNS}
_TABLES |= dict.fromkeys(SNAPSHOTS_ALONE, np.full(32, INVALID, dtype=np.uint8))


def element_bits(annotation: Annotation, cross: Cross, words: int) -> NDArray[np.uint8]:
    """The bits of every word in one cross: 16 (cur), plus 8, 4, 2, 1 where up ... next share it."""
    bits = np.full(words, 16, dtype=np.uint8)
    for weight, member in zip((8, 4, 2, 1), cross.members[1:], strict=True):
        if member is not None:
            bits += np.uint8(weight) * annotation.shared[member]
    return bits


def pattern_labels(cross_bits: str, bits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The label of every word (a place in LABELS) by the pattern table; all invalid without *up*."""
    labels: NDArray[np.uint8] = _TABLES[cross_bits][bits]
    return labels
