"""Worth to the blocks of `dbce` of what other pages of a site share, where these are known.

    python -m scripts.experiments.template_evidence --gold gosh.blocks.jsonl --others DIR... --drawn DIR...

GOLD and the DIRs of `--drawn` are those of `segment_evidence`; the pages of the DIRs of `--others` are those that a page is compared
with. A text is shared if a page of its host has it too that has something in common with the page, and is no
copy of it. A row a way to use that: F_B3, Cq/GTB and Cf of level 1, and on how many pages (sites) it raises F_B3 by
more than .005, and on how many it lowers it. Nothing is learned: the constants are those of the first try.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import defaultdict
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING
from unittest.mock import patch
from urllib.parse import urlsplit

from dbce.visual.render import read_rendered
from dbce.visual.segment.bands import COLUMNED, FirstSight
from dbce.visual.segment.page_parts import DOWN, Strip, StripGroup
from scripts.experiments.segment_evidence import DrawnPage, drawn_pages, page_changes, page_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dbce.visual import Rect, RenderedPage
    from dbce.visual.segment.page_parts import PagePart
    from scripts.experiments.segment_evidence import PageScore

TEXTS = 30
"""Texts of a page below which nothing is compared with it: a frame."""

KIN = (0.05, 0.8)
"""Shares of the texts of the smaller of two pages that they have in common: of one template, and no copies."""

SAID = 30
"""Characters from which on a strip's share of what is its own counts."""

DIFFERENT = 0.4
"""Difference of these shares from which on two strips are not of one kind."""

LOW = 0.1
"""Share of the page's height from which on a band is gone into for what is shared."""

SHARED = 0.05
"""Share of what is a block's own up to which all of it is shared."""


def differ(strips: Iterable[Strip]) -> bool:
    """Return whether strips differ in how much of them is their own."""
    shares = [part.good / part.characters for part, _ in strips if part.characters >= SAID]
    return len(shares) > 1 and max(shares) - min(shares) >= DIFFERENT


class DifferentColumns(FirstSight):
    """Columns are only those that differ."""

    def _columns(self, held: Sequence[PagePart], cell: Rect) -> list[Strip]:
        columns = super()._columns(held, cell)
        return columns if differ(columns) else []


class DifferentBands(FirstSight):
    """A lower band is gone into where bands in it differ."""

    def _band(self, band: Strip, depth: int) -> list[list[Strip]]:
        if LOW <= band.part.rect.h / self._size.h < COLUMNED:
            held = self._strips.contents(band.part)
            if held and differ(self._strips.strips_along(DOWN, held, band.cell)):
                return self._outer(band, depth)
        return super()._band(band, depth)


class DifferentColumnsOfLowBands(FirstSight):
    """A lower band has columns where these differ."""

    def _band(self, band: Strip, depth: int) -> list[list[Strip]]:
        rows = super()._band(band, depth)
        if rows == [[band]] and band.part.rect.h >= LOW * self._size.h:
            columns = self._columns_of(band)
            return [columns] if differ(columns) else rows
        return rows


class SharedBands(FirstSight):
    """Bands one below another that are all shared are one block."""

    def _without_thin(self, rows: Sequence[list[Strip]]) -> list[Strip]:
        merged: list[list[Strip]] = []
        for row in rows:
            if merged and all(map(_is_shared, (merged[-1], row))):
                both = StripGroup(merged[-1][0])
                both.take(StripGroup(row[0]))
                merged[-1] = [both.strip()]
            else:
                merged.append(row)
        return super()._without_thin(merged)


def _is_shared(row: Sequence[Strip]) -> bool:
    return len(row) == 1 and 0 < row[0].part.characters * SHARED >= row[0].part.good


WAYS: Mapping[str, type[FirstSight]] = {
    "as verdicts are used": FirstSight,
    "columns only where they differ": DifferentColumns,
    "lower bands cut where bands in them differ": DifferentBands,
    "lower bands cut where columns in them differ": DifferentColumnsOfLowBands,
    "neighbouring bands that are all shared are one": SharedBands,
}


def texts_of(page: RenderedPage) -> frozenset[str]:
    """The texts of a page, white space and case apart."""
    return frozenset(" ".join(text.text.lower().split()) for text in page.texts)


def with_own_texts(
    pages: Iterable[DrawnPage], others: Mapping[str, Mapping[str, frozenset[str]]]
) -> Iterator[DrawnPage]:
    """The pages that have others of their template, with the texts that are their own as `content`."""
    for one in pages:
        texts = texts_of(one.page)
        of_host = others.get(urlsplit(one.page.url).netloc, {})
        kin = [
            known
            for record_id, known in of_host.items()
            if record_id != one.page.record_id
            and KIN[0] < len(texts & known) / min(len(texts), len(known)) < KIN[1]
        ]
        if kin:
            shared = frozenset.union(*kin)
            numbered = [text._replace(node=n) for n, text in enumerate(one.page.texts)]
            own = {
                n: float(" ".join(text.text.lower().split()) not in shared)
                for n, text in enumerate(numbered)
            }
            page = replace(one.page, texts=tuple(numbered))
            yield DrawnPage(one.set, page, one.gold, own)


def row(
    name: str, pages: Sequence[DrawnPage], scores: Sequence[PageScore], base: Sequence[PageScore]
) -> str:
    """The row of a way, beside that without what is shared."""
    quality = sum(score.quality for score in scores) / sum(score.gold for score in scores)
    means = (
        f"{fmean(s.f for s in scores):.3f} | {quality:.2f}, {fmean(s.false for s in scores):.2f}"
    )
    return f"| {name} | {means} | {' | '.join(page_changes(pages, scores, base))} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = ArgumentParser(prog="python -m scripts.experiments.template_evidence")
    parser.add_argument("--gold", required=True)
    parser.add_argument("--drawn", nargs="+", required=True, metavar="DIR")
    parser.add_argument("--others", nargs="+", required=True, metavar="DIR")
    options = parser.parse_args(arguments)
    others: defaultdict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    for folder in options.others:
        for page in read_rendered(folder):
            if len(page.texts) > TEXTS:
                others[urlsplit(page.url).netloc][page.record_id] = texts_of(page)
    pages = list(with_own_texts(drawn_pages(0, options.gold, options.drawn), others))
    base = [page_score(one, "dbce", judged=False) for one in pages]
    print(row(f"nothing shared known, {len(pages)} pages", pages, base, base))
    for name, sight in WAYS.items():
        with patch("dbce.visual.segment.bands.FirstSight", sight):
            print(row(name, pages, [page_score(one, "dbce", judged=True) for one in pages], base))


if __name__ == "__main__":
    main()
