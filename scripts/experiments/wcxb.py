"""The measure of WCXB, by kinds of page, beside the ranking that was published.

Foley, Web Content Extraction Benchmark, 2026, CC BY 4.0
(https://github.com/Murrough-Foley/web-content-extraction-benchmark). Mean over pages of the F1 of
multisets of words. All pages count: one without an answer as an empty one, and two empty texts are
the same. Words are split here, whatever becomes of those of dbce.evaluate.scores, since scores are
held against figures of others.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dbce.evaluate.gold import GoldText
    from scripts.experiments.sets import GoldFacts, Texts

SET = "wcxb"

ALL = "all"
KINDS = (ALL, "article", "documentation", "service", "forum", "collection", "listing", "product")
"""All pages, then the kinds in the order of the published table."""

HEADER = ("system", *KINDS)

_NOT_TOLD = (float("nan"),) * 7

PUBLISHED: dict[str, tuple[float, ...]] = {
    "rs-trafilatura": (0.859, 0.932, 0.932, 0.844, 0.808, 0.716, 0.707, 0.641),
    "MinerU-HTML 0.6B": (0.827, 0.928, 0.838, 0.824, 0.794, 0.506, 0.710, 0.619),
    "trafilatura": (0.791, 0.926, 0.888, 0.763, 0.585, 0.553, 0.589, 0.567),
    "ReaderLM-v2 1.5B": (0.741, *_NOT_TOLD),
    "readability": (0.675, 0.825, 0.736, 0.604, 0.466, 0.445, 0.496, 0.407),
}
"""The scores that others published for the development half, by KINDS; of one system only ALL.

rs-trafilatura was tuned on this half. From the table in the README of the shared set.
"""


def word_f1(gold: str, found: str) -> float:
    """The F1 of the words of two texts as multisets, lower case; of two empty ones 1."""
    wanted, got = (Counter(re.findall(r"\w+", text.lower())) for text in (gold, found))
    total = wanted.total() + got.total()
    return 2 * (wanted & got).total() / total if total else 1.0


def kind_rows(
    gold: Sequence[GoldText], about: Mapping[str, GoldFacts], systems: Mapping[str, Texts]
) -> list[list[object]]:
    """The number of pages by kind, then a row for each system, then those that were published."""
    kind = np.array([about[one.page].kind for one in gold])
    of_kinds = [np.full(len(gold), True) if name == ALL else kind == name for name in KINDS]
    rows: list[list[object]] = [["pages", *(int(pages.sum()) for pages in of_kinds)]]
    for system, texts in systems.items():
        f1 = np.array([word_f1(one.text, texts.get(one.page, "")) for one in gold])
        rows.append([system, *(float(f1[o].mean()) if o.any() else float("nan") for o in of_kinds)])
    return rows + [[f"{system} (published)", *scores] for system, scores in PUBLISHED.items()]
