"""Segmentations against gold: pairs page by page, the pages that could not be used, and the scores of all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from dbce.model import UsageError, count_of
from dbce.visual import RenderedPage
from dbce.visual.evaluate.blocks.scores import score
from dbce.visual.evaluate.blocks.sides import Side, flat_alone, read_computed, read_gold
from dbce.visual.evaluate.results import Evaluation, Half, half
from dbce.visual.measure import (
    Atoms,
    Contents,
    Convention,
    Flat,
    MarkedPage,
    contents,
    edges,
    flat_on_page,
    locate_blocks,
)

Picture = Callable[["ComparedPage"], bytes | None]

NAMED = 3
"""Pages that a note names; of more it gives the number."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPage:
    """A page with its gold and its segmentations; `found` is what is on it, if it is rendered."""

    record_id: str
    url: str
    group: str
    gold: Flat
    computed: tuple[Flat, ...]
    found: Contents | None


@dataclass(frozen=True, slots=True)
class Pages:
    """Gold and segmentations, by the names of their pages: record id, or URL.

    `notes` fills while `compared` goes: a sentence on everything that could not be used.
    """

    gold: Sequence[Side]
    computed: Mapping[str, Sequence[Side]]
    notes: list[str] = field(default_factory=list)

    def comparable_pages(self, rendered: Iterable[RenderedPage] | None) -> Iterator[ComparedPage]:
        """Yield the pages that can be compared, in the order of the rendered pages or else of the gold.

        Of rendered pages elements and words are counted anew, for gold and segmentations alike.
        """
        reasons = {side.name: "there is no rendered page" for side in self.gold}
        empty = {}
        for side, page in self._pairs(rendered):
            if page and side.name not in reasons:  # of two renderings the first counts
                continue
            try:
                found = self._comparison(side, page)
            except ValueError as e:
                reasons[side.name] = str(e)
                continue
            reasons.pop(side.name, None)
            if found.gold.blocks:
                yield found
            else:
                empty[found.url] = "there is no block in the gold"
        self._tell(reasons)
        self._tell(empty)

    def _pairs(
        self, rendered: Iterable[RenderedPage] | None
    ) -> Iterator[tuple[Side, RenderedPage | None]]:
        """Yield each page of the gold as it was laid out, or by itself if none are rendered."""
        if rendered is None:
            yield from ((side, None) for side in self.gold)
            return
        wanted = {side.name: side for side in self.gold}
        for page in rendered:
            if side := wanted.get(page.record_id.strip("<>")) or wanted.get(page.url):
                yield side, page

    def _comparison(self, side: Side, page: RenderedPage | None) -> ComparedPage:
        """Return a page with its segmentations; ValueError says why it is left out."""
        if page and not _fits(side, page):
            raise ValueError("it is not rendered in a window as wide as the gold's")
        computed = self._segmentations(side, page)
        if not computed:
            raise ValueError("there is no segmentation")
        if page:
            return _on_page(side, computed, page)
        try:
            gold, *flats = map(flat_alone, (side, *computed))
        except ValueError as e:
            raise ValueError(f"{e} (--rendered DIR would say)") from e
        return ComparedPage(side.record_id, side.url, side.group, gold, tuple(flats), None)

    def _segmentations(self, side: Side, page: RenderedPage | None) -> list[Side]:
        """Return the segmentations of a page, one of each algorithm.

        By URL alone only if the record id of one side is not known: another snapshot is another page.
        """
        ids = [side.record_id, page.record_id.strip("<>") if page else ""]
        known = {one for one in ids if one}
        found: dict[str, Side] = {}
        for name in (*ids, side.url, page.url if page else ""):
            for one in self.computed.get(name, ()):
                if not known or not one.record_id or one.record_id in known:
                    found.setdefault(one.blocks.algorithm, one)
        return list(found.values())

    def _tell(self, reasons: Mapping[str, str]) -> None:
        """A sentence for each reason why pages are left out, with the first of them."""
        called = {side.name: side.url or side.record_id for side in self.gold}
        for reason in dict.fromkeys(reasons.values()):
            names = [called.get(key, key) for key, why in reasons.items() if why == reason]
            shown = ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
            pages = count_of(len(names), "page")
            self.notes.append(f"left out, since {reason}: {pages} of the gold, {shown}")


def by_name(sides: Iterable[Side]) -> dict[str, list[Side]]:
    """Segmentations by record ids, and by URLs, where of several snapshots the first counts.

    Raises UsageError: a page has two by one algorithm.
    """
    found: defaultdict[str, dict[str, Side]] = defaultdict(dict)
    for side in sides:
        algorithm = side.blocks.algorithm
        for name in filter(None, (side.record_id, side.url)):
            first = next(iter(found[name].values()), side)
            if first.record_id != side.record_id:
                continue
            if algorithm in found[name]:
                raise UsageError(f"{name} has two segmentations by {algorithm}: name one of them")
            found[name][algorithm] = side
    return {name: list(of_page.values()) for name, of_page in found.items()}


def _fits(side: Side, rendered: RenderedPage) -> bool:
    """Return whether the page is laid out as it was when people drew rectangles on it."""
    drawn = _marked_page(side)
    if not drawn.viewport[0] or not any(block.rect for block in drawn.blocks):
        return True
    return drawn.viewport[0] == rendered.viewport[0]


def _on_page(side: Side, computed: Sequence[Side], rendered: RenderedPage) -> ComparedPage:
    found = contents(rendered)
    marked, *others = (_marked_page(one) for one in (side, *computed))
    gold, missing = locate_blocks(marked, rendered)
    if missing:
        sought = {path for block in marked.blocks for path in block.xpaths}
        raise ValueError(
            f"{len(missing)} of {len(sought)} XPaths of its gold are not found on it ({missing[0]})"
        )
    first, *flats = (flat_on_page(page, rendered, found) for page in (gold, *others))
    record_id = rendered.record_id.strip("<>")
    return ComparedPage(record_id, rendered.url, side.group, first, tuple(flats), found)


def _marked_page(side: Side) -> MarkedPage:
    if isinstance(side.blocks, Flat):
        raise UsageError(
            "the segmentations that GOSH has are of other renderings: "
            "compare them with its gold, without --rendered"
        )
    return side.blocks


@dataclass(frozen=True, slots=True)
class BlockEvaluationSettings:
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


def evaluate(
    asked: BlockEvaluationSettings,
    rendered: Iterable[RenderedPage] | None = None,
    picture: Picture | None = None,
) -> Evaluation[ComparedPage]:
    """Scores of all segmentations that are named against the gold.

    `rendered` are the pages as they were laid out, for gold without rectangles or counts; with them
    elements and words are counted anew, and there is B-cubed of texts. `picture` gives the screenshot of a
    page, for B-cubed of its edges.
    Raises UsageError: a file cannot be read, or nothing can be compared.
    """
    gold = read_gold(asked.gold, asked.level, asked.group, on_pages=rendered is not None)
    if asked.half is not None:
        gold = [side for side in gold if half(side.url) == asked.half]
    computed = by_name(side for uri in asked.computed for side in read_computed(uri))
    pages = Pages(gold, computed)
    rows: list[dict[str, Any]] = []
    kept = []
    for page in pages.comparable_pages(rendered):
        png = picture(page) if picture else None
        rows += _rows(page, asked.convention, edges(png) if png else {})
        kept.append(replace(page, found=None))  # what is on a page takes room
    if not rows:
        what = ", ".join(asked.computed)
        nothing = f"no page of {asked.gold} can be compared with {what}"
        raise UsageError("; ".join([nothing, *pages.notes]))
    return Evaluation(pd.DataFrame(rows), tuple(kept), tuple(pages.notes))


def _rows(
    page: ComparedPage, convention: Convention, seen: Mapping[str, Atoms]
) -> Iterator[dict[str, Any]]:
    for computed in page.computed:
        yield {
            "url": page.url,
            "record_id": page.record_id,
            "group": page.group,
            "algorithm": computed.algorithm,
            "copied": computed.copied,
            **score(page.gold, computed, convention, page.found, seen),
        }
