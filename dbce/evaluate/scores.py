"""Words of a text and of its gold: how much of the true text was found, how much else, and where.

Two measures compare the words of a page's text with those of its gold text: `bag` as multisets,
`lcs` by their longest common subsequence, so that order counts.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from dbce.model import WORD_RUN, as_numbers, printable

Counts = NDArray[np.int64]

MEASURES = ("bag", "lcs")
PRF = ("p", "r", "f1")

CELLS = 2_000_000_000
"""Words of the page times words of the gold that are aligned: a bit each, so 250 MB."""


class PageScore(NamedTuple):
    gold: int
    predicted: int
    bag: int
    lcs: int


def words(text: str) -> list[str]:
    """Lower-cased words of a text: runs of letters, digits and underscores, soft hyphens aside, which no reader sees."""
    return WORD_RUN.findall(printable(text).lower())


def score_page(gold: str, predicted: str) -> PageScore:
    gold_words, text_words = words(gold), words(predicted)
    return PageScore(
        gold=len(gold_words),
        predicted=len(text_words),
        bag=(Counter(gold_words) & Counter(text_words)).total(),
        lcs=LCSseq.similarity(*as_numbers(gold_words, text_words)),
    )


def page_table(scores: Sequence[PageScore]) -> pd.DataFrame:
    """Return one row a page: the counts, and precision, recall and F1 of both measures.

    Columns: gold, predicted, bag, lcs (words), bag_p, bag_r, bag_f1, lcs_p, lcs_r, lcs_f1.
    """
    table = pd.DataFrame(scores, columns=PageScore._fields, dtype=np.int64)
    for measure in MEASURES:
        values = _prf(*(table[f].to_numpy() for f in (measure, "predicted", "gold")))
        for name, column in zip(PRF, values, strict=True):
            table[f"{measure}_{name}"] = column
    return table


def summarise(pages: pd.DataFrame) -> pd.Series:
    """Return scores of all pages of a `page_table` together.

    Holds `pages`, `empty` (pages without any predicted word) and for every measure and each of
    p, r, f1, e.g. `bag_f1_mean`, `bag_f1_median` and `bag_f1_micro` (words of all pages summed
    before dividing); `bag_f1_se` is the standard error of the mean. Without pages they are NaN.
    """
    out: dict[str, float] = {"pages": len(pages), "empty": int((pages["predicted"] == 0).sum())}
    sums = pages[["gold", "predicted", *MEASURES]].sum()
    for measure in MEASURES:
        micro = _prf(*(sums[[f]].to_numpy() for f in (measure, "predicted", "gold")))
        for name, value in zip(PRF, micro, strict=True):
            column = pages[f"{measure}_{name}"]
            out[f"{measure}_{name}_mean"] = float(column.mean())
            out[f"{measure}_{name}_median"] = float(column.median())
            out[f"{measure}_{name}_micro"] = float(value[0]) if len(pages) else np.nan
        spread = float(pages[f"{measure}_f1"].std()) if len(pages) > 1 else 0.0
        out[f"{measure}_f1_se"] = spread / max(len(pages), 1) ** 0.5
    return pd.Series(out)


def _prf(hits: Counts, predicted: Counts, gold: Counts) -> tuple[NDArray[np.float64], ...]:
    """Precision, recall, F1; where a denominator is 0, so is the score."""
    return (
        hits / np.maximum(predicted, 1),
        hits / np.maximum(gold, 1),
        2 * hits / np.maximum(predicted + gold, 1),
    )


def gold_share(texts: Sequence[str], gold: str) -> NDArray[np.float64]:
    """Return for each text the share of its words that are in the gold text, 0 to 1; NaN without words.

    In the gold are the words that a longest common subsequence of the words of all texts, in the
    order of the page, and the words of the gold matches. Where there are several, it is one of
    them, always the same: a short text can match by chance. A page too large to be aligned
    (`CELLS`) has its words counted instead, first occurrences first.
    """
    text_words = [words(text) for text in texts]
    lengths = np.array(list(map(len, text_words)), np.int64)
    page = [word for line in text_words for word in line]
    is_gold = _mark_gold_words(page, words(gold))
    counts = np.concatenate(([0], np.cumsum(is_gold)))
    ends = np.cumsum(lengths)
    hits = counts[ends] - counts[ends - lengths]
    return np.where(lengths > 0, hits / np.maximum(lengths, 1), np.nan)


def _mark_gold_words(page: Sequence[str], gold: Sequence[str]) -> NDArray[np.bool_]:
    is_gold = np.zeros(len(page), np.bool_)
    if len(page) * len(gold) > CELLS:
        remaining = Counter(gold)
        for place, word in enumerate(page):
            is_gold[place] = remaining[word] > 0
            remaining[word] -= 1
        return is_gold
    for step in LCSseq.opcodes(*as_numbers(page, gold)):
        if step.tag == "equal":
            is_gold[step.src_start : step.src_end] = True
    return is_gold
