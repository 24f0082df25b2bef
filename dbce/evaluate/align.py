"""Which texts of a page are in its gold text: word gold made into gold for text runs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import LCSseq

from dbce.evaluate.scores import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

CELLS = 2_000_000_000
"""Words of the page times words of the gold that are aligned: a bit each, so 250 MB."""


def gold_share(texts: Sequence[str], gold: str) -> NDArray[np.float64]:
    """For each text the share of its words that are in the gold text, 0 to 1; NaN without words.

    In the gold are the words that a longest common subsequence of the words of all texts, in the
    order of the page, and the words of the gold matches. Where there are several, it is one of
    them, always the same: a short text can match by chance. A page too large to be aligned
    (`CELLS`) has its words counted instead, and the first that occur are the ones.
    """
    of_texts = [words(text) for text in texts]
    lengths = np.array([len(one) for one in of_texts], np.int64)
    page = [word for one in of_texts for word in one]
    found = _matched(page, words(gold))
    before = np.concatenate(([0], np.cumsum(found)))
    ends = np.cumsum(lengths)
    hits = before[ends] - before[ends - lengths]
    return np.where(lengths > 0, hits / np.maximum(lengths, 1), np.nan)


def _matched(page: Sequence[str], gold: Sequence[str]) -> NDArray[np.bool_]:
    found = np.zeros(len(page), np.bool_)
    if len(page) * len(gold) > CELLS:
        left = Counter(gold)
        for place, word in enumerate(page):
            found[place] = left[word] > 0
            left[word] -= 1
        return found
    numbers: dict[str, int] = {}
    sequences = ([numbers.setdefault(word, len(numbers)) for word in one] for one in (page, gold))
    for step in LCSseq.opcodes(*sequences):
        if step.tag == "equal":
            found[step.src_start : step.src_end] = True
    return found
