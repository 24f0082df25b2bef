"""The scores of many pages: a row for each page and algorithm."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from dbce.model import UsageError
from dbce.visual.evaluate.blocks.compared import Pages, by_name
from dbce.visual.evaluate.blocks.scores import score
from dbce.visual.evaluate.blocks.sides import read_computed, read_gold
from dbce.visual.evaluate.halves import half
from dbce.visual.measure import edges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from dbce.visual import RenderedPage
    from dbce.visual.evaluate.blocks.compared import ComparedPage
    from dbce.visual.evaluate.blocks.scores import Scores
    from dbce.visual.evaluate.halves import Half
    from dbce.visual.measure import Atoms, BlockCounts, Convention

    Picture = Callable[[ComparedPage], bytes | None]

COUNTS = ("c", "o", "u", "m", "f")
"""First fields of `BlockCounts`, by the letters of the papers."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Settings of an evaluation: which gold and which segmentations, by which convention.

    `level` is Kreuzer's, `group` the field of the gold by which scores are also given, `half` the half of
    the pages that is looked at, None for all.
    """

    gold: str
    computed: tuple[str, ...]
    convention: Convention
    level: int = 1
    group: str = ""
    half: Half | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Scores and what they are of.

    `table` has a row for each page and algorithm, its columns are described in
    docs/segmentation-measures.md. `pages` are those compared, without what is on them. `notes` say what
    of gold and segmentations could not be used.
    """

    table: pd.DataFrame
    pages: tuple[ComparedPage, ...]
    notes: tuple[str, ...]


def evaluate(
    asked: Asked,
    rendered: Iterable[RenderedPage] | None = None,
    picture: Picture | None = None,
) -> Evaluation:
    """Scores of all segmentations that are named against the gold.

    `rendered` are the pages as they were laid out, for gold without rectangles or counts; with them
    elements and words are counted anew, and there is B-cubed of texts. `picture` gives the screenshot of a
    page, for B-cubed of its edges.

    Raises:
        UsageError: a file cannot be read, or nothing can be compared.
    """
    gold = read_gold(asked.gold, asked.level, asked.group, on_pages=rendered is not None)
    if asked.half is not None:
        gold = [side for side in gold if half(side.url) == asked.half]
    computed = by_name(side for uri in asked.computed for side in read_computed(uri))
    pages = Pages(gold, computed)
    rows: list[dict[str, Any]] = []
    kept = []
    for page in pages.compared(rendered):
        rows += _rows(page, asked.convention, _edges(page, picture))
        kept.append(page.without_contents())
    if not rows:
        raise UsageError(_nothing(asked, pages.notes))
    return Evaluation(pd.DataFrame(rows), tuple(kept), tuple(pages.notes))


def _nothing(asked: Asked, notes: Sequence[str]) -> str:
    what = ", ".join(asked.computed)
    return "; ".join([f"no page of {asked.gold} can be compared with {what}", *notes])


def _edges(page: ComparedPage, picture: Picture | None) -> dict[str, Atoms]:
    png = picture(page) if picture else None
    return edges(png) if png else {}


def _rows(
    page: ComparedPage, convention: Convention, seen: Mapping[str, Atoms]
) -> Iterator[dict[str, Any]]:
    for computed in page.computed:
        scores = score(page.gold, computed, convention, page.found, seen)
        yield {
            "url": page.url,
            "record_id": page.record_id,
            "group": page.group,
            "algorithm": computed.algorithm,
            "copied": computed.copied,
            **_columns(scores),
        }


def _columns(scores: Scores) -> dict[str, Any]:
    all_blocks, important = scores.correspondence
    return {
        **_counts("c", "gtb", "ptb", all_blocks),
        **_counts("ic", "igtb", "iptb", important),
        "words_covered": scores.coverage.covered,
        "words": scores.coverage.words,
        "tc": scores.coverage.share,
        **{
            f"bcubed_{kind}_{letter}": value
            for kind, found in scores.bcubed.items()
            for letter, value in zip("prf", found, strict=True)
        },
        **asdict(scores.partitions),
        "emd": scores.emd,
        **{f"exact_{letter}": v for letter, v in zip("prf", scores.exact, strict=True)},
    }


def _counts(prefix: str, gold: str, computed: str, counts: BlockCounts) -> dict[str, int]:
    return {
        **{f"{prefix}{letter}": n for letter, n in zip(COUNTS, counts[:5], strict=True)},
        f"{prefix}q": counts.quality,
        gold: counts.gold,
        computed: counts.computed,
    }
