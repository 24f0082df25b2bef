"""Worth of each kind of evidence to the blocks of `dbce` at level 1.

    python -m scripts.experiments.segment_evidence --set kreuzer.blocks.jsonl DIR --set gosh.blocks.jsonl DIR...

Each DIR is what `dbce render` left of pages that GOLD has blocks of; gold that has rectangles counts where the window
is as wide as it was drawn in. A row a way: F_B3 over characters on both halves of each set, Cq/GTB and Cf of each, and on how many
pages (sites) a kind of evidence, by being there, raises F_B3 by more than .005, and on how many it lowers it.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

from dbce.archive import site
from dbce.visual.evaluate.blocks.sides import read_gold
from dbce.visual.evaluate.results import Half, half
from dbce.visual.measure import (
    CONVENTIONS,
    MarkedBlock,
    MarkedPage,
    bcubed,
    contents,
    flat_on_page,
    locate_blocks,
    members,
)
from dbce.visual.render import read_rendered
from dbce.visual.segment import segment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.visual import RenderedPage

BANDS = "dbce.visual.segment.bands"
PARTS = "dbce.visual.segment.page_parts"

WITHOUT: dict[str, dict[str, Any]] = {
    "what is out of the flow": {
        f"{PARTS}.Strips._is_large": lambda *_: False,
        f"{PARTS}.PageParts._is_out": lambda *_: False,
    },
    "floats that hang out": {f"{PARTS}.PageParts._hang": lambda *_: None},
    "what stands in a text": {f"{PARTS}.MOST": 9},
    "columns in bands": {f"{BANDS}.COLUMNED": 9},
    "columns in columns": {f"{BANDS}.MOSTLY": 9},
    "elements round columns": {f"{BANDS}.FirstSight._are_apart": lambda *_: True},
    "rows of one kind": {f"{BANDS}.ROWS": 9},
    "columns of few characters": {f"{BANDS}.SLIGHT": 0.1},
}
"""For each kind of evidence what has to be another thing for it to be gone."""

OTHERS = ("first-branching", "bom-published")

MORE_THAN = 0.005
"""Difference of F_B3 that counts."""


class DrawnPage(NamedTuple):
    """A page with the blocks that people drew, and the number of its set."""

    set: int
    page: RenderedPage
    gold: MarkedPage


class PageScore(NamedTuple):
    """F_B3, Cq, GTB and Cf of a page."""

    f: float
    quality: int
    gold: int
    false: int


def drawn_pages(number: int, gold: str, folders: Sequence[str]) -> Iterator[DrawnPage]:
    """The pages of a set, the first rendering of each that fits."""
    sides = read_gold(gold, 1, "", on_pages=True)
    marked = {side.record_id or side.url: side.blocks for side in sides}
    for folder in folders:
        for page in read_rendered(folder):
            key = page.record_id.strip("<>") if page.record_id.strip("<>") in marked else page.url
            blocks = marked.get(key)
            if isinstance(blocks, MarkedPage) and blocks.viewport[0] in {0, page.viewport[0]}:
                del marked[key]
                yield DrawnPage(number, page, locate_blocks(blocks, page)[0])


def page_score(one: DrawnPage, algorithm: str) -> PageScore:
    """The score of a page by an algorithm."""
    found = segment(one.page, algorithm).terminal
    blocks = tuple(MarkedBlock(str(n), rect=block.rect) for n, block in enumerate(found))
    held = contents(one.page)
    gold = flat_on_page(one.gold, one.page, held)
    flat = flat_on_page(MarkedPage(one.page.record_id, one.page.url, blocks), one.page, held)
    convention = CONVENTIONS["dbce"]
    counts = convention.correspond(gold, flat, convention.tolerances).blocks
    drawn_on, cut = (members(held.texts, side.blocks) for side in (gold, flat))
    f = bcubed(drawn_on, cut, held.texts.weights).f1
    return PageScore(f, counts.quality, counts.gold, counts.false_alarms)


def page_changes(
    pages: Sequence[DrawnPage], scores: Sequence[PageScore], base: Sequence[PageScore]
) -> list[str]:
    """On how many pages (sites) F_B3 is higher than by the base by more than MORE_THAN, and on how many lower."""
    cells = []
    for sign in (1, -1):
        sites = [
            site(one.page.url, "domain")
            for one, score, before in zip(pages, scores, base, strict=True)
            if sign * (score.f - before.f) > MORE_THAN
        ]
        cells.append(f"{len(sites)} ({len(set(sites))})")
    return cells


def row(
    name: str, pages: Sequence[DrawnPage], scores: Sequence[PageScore], whole: Sequence[PageScore]
) -> str:
    """The row of a way; `whole` are the scores of all evidence."""
    cells = [name]
    sets = sorted({one.set for one in pages})
    for number in sets:
        for part in Half:
            of_half = [
                score.f
                for one, score in zip(pages, scores, strict=True)
                if one.set == number and half(one.gold.url or one.page.url) == part
            ]
            cells.append(f"{fmean(of_half):.3f}" if of_half else "")
    for number in sets:
        of_set = [s for one, s in zip(pages, scores, strict=True) if one.set == number]
        quality = sum(s.quality for s in of_set) / sum(s.gold for s in of_set)
        cells.append(f"{quality:.2f}, {fmean(s.false for s in of_set):.2f}")
    cells += page_changes(pages, whole, scores)
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m scripts.experiments.segment_evidence")
    parser.add_argument("--set", nargs="+", action="append", required=True, metavar="GOLD_OR_DIR")
    sets = parser.parse_args(arguments).set
    pages = [
        page for n, (gold, *folders) in enumerate(sets) for page in drawn_pages(n, gold, folders)
    ]
    whole = [page_score(one, "dbce") for one in pages]
    print(row("dbce", pages, whole, whole))
    for name, gone in WITHOUT.items():
        with ExitStack() as changed:
            for target, value in gone.items():
                changed.enter_context(patch(target, value))
            less = [page_score(one, "dbce") for one in pages]
        print(row(f"without {name}", pages, less, whole))
    for algorithm in OTHERS:
        print(row(algorithm, pages, [page_score(one, algorithm) for one in pages], whole))


if __name__ == "__main__":
    main()
