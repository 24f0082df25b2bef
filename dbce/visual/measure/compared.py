"""Which gold goes with which segmentations: page by page, and what could not be used."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dbce.errors import UsageError
from dbce.visual.measure.flat import Flat
from dbce.visual.measure.locate import located
from dbce.visual.measure.on_page import contents, flat_on_page
from dbce.visual.measure.sides import flat_alone

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dbce.visual import RenderedPage
    from dbce.visual.measure.marked import MarkedPage
    from dbce.visual.measure.on_page import Contents
    from dbce.visual.measure.sides import Side

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

    def without_contents(self) -> ComparedPage:
        """The same without what is on the page, which takes room."""
        return replace(self, found=None)


@dataclass(frozen=True, slots=True)
class Pages:
    """Gold and segmentations, by the names of their pages: record id, or URL.

    `notes` fills while `compared` goes: a sentence on everything that could not be used.
    """

    gold: Sequence[Side]
    computed: Mapping[str, Sequence[Side]]
    notes: list[str] = field(default_factory=list)

    def compared(self, rendered: Iterable[RenderedPage] | None) -> Iterator[ComparedPage]:
        """The pages that can be compared, in the order of the rendered pages or else of the gold.

        Of rendered pages elements and words are counted anew, for gold and segmentations alike.
        """
        pairs = self._rendered(rendered) if rendered is not None else self._stored()
        empty = []
        for page in pairs:
            if not page.gold.blocks:
                empty.append(page.url)
            elif page.computed:
                yield page
        self._note(empty, "block in the gold")

    def _stored(self) -> Iterator[ComparedPage]:
        for side in self.gold:
            computed = self._of(side)
            if not computed:
                continue
            try:
                flats = tuple(_stored_flat(one) for one in (side, *computed))
            except ValueError as e:
                self.notes.append(
                    f"{side.url or side.record_id} is set aside: {e}; --rendered DIR would say"
                )
                continue
            yield ComparedPage(side.record_id, side.url, side.group, flats[0], flats[1:], None)
        self._note([_name(s) for s in self.gold if not self._of(s)], "segmentation")

    def _rendered(self, rendered: Iterable[RenderedPage]) -> Iterator[ComparedPage]:
        wanted = {name: side for side in self.gold for name in _names(side)}
        lacking = {_name(side): "rendered page" for side in self.gold}
        for page in rendered:
            side = wanted.get(page.record_id.strip("<>")) or wanted.get(page.url)
            if side is None or _name(side) not in lacking:  # of two renderings the first counts
                continue
            if not _fits(side, page):
                lacking[_name(side)] = "rendering in a window as wide as the gold's"
                continue
            computed = self._of(side, page)
            if not computed:
                lacking[_name(side)] = "segmentation"
                continue
            del lacking[_name(side)]
            try:
                yield _on_page(side, computed, page)
            except ValueError as e:
                self.notes.append(f"{page.url} is set aside: {e}")
        for lack in dict.fromkeys(lacking.values()):
            self._note([name for name, why in lacking.items() if why == lack], lack)

    def _of(self, side: Side, page: RenderedPage | None = None) -> Sequence[Side]:
        """The segmentations of a page, by whichever of its names they have."""
        names = [*_names(side), *((page.record_id.strip("<>"), page.url) if page else ())]
        return next((self.computed[name] for name in names if name in self.computed), ())

    def _note(self, names: Sequence[str], lacking: str) -> None:
        if names:
            shown = ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
            pages = f"{len(names)} page{'s' if len(names) > 1 else ''}"
            self.notes.append(
                f"left out, since there is no {lacking}: {pages} of the gold, {shown}"
            )


def by_name(sides: Iterable[Side]) -> dict[str, list[Side]]:
    """Segmentations by all names that their pages have.

    Raises:
        UsageError: a page has two by one algorithm.
    """
    found: defaultdict[str, dict[str, Side]] = defaultdict(dict)
    for side in sides:
        algorithm = side.blocks.algorithm
        for name in _names(side):
            if algorithm in found[name]:
                raise UsageError(f"{name} has two segmentations by {algorithm}: name one of them")
            found[name][algorithm] = side
    return {name: list(of_page.values()) for name, of_page in found.items()}


def _names(side: Side) -> list[str]:
    return [name for name in (side.record_id, side.url) if name]


def _name(side: Side) -> str:
    return side.url or side.record_id


def _stored_flat(side: Side) -> Flat:
    return side.blocks if isinstance(side.blocks, Flat) else flat_alone(side.blocks)


def _fits(side: Side, rendered: RenderedPage) -> bool:
    """Whether the page is laid out as it was when people drew rectangles on it."""
    drawn = _marked(side)
    if not drawn.viewport[0] or not any(block.rect for block in drawn.blocks):
        return True
    return drawn.viewport[0] == rendered.viewport[0]


def _on_page(side: Side, computed: Sequence[Side], rendered: RenderedPage) -> ComparedPage:
    found = contents(rendered)
    gold, *others = (_marked(one) for one in (side, *computed))
    gold, missing = located(gold, rendered)
    if missing:
        sought = {path for block in _marked(side).blocks for path in block.xpaths}
        raise ValueError(
            f"{len(missing)} of {len(sought)} XPaths of its gold are not found on it, first {missing[0]}"
        )
    flats = [flat_on_page(page, rendered, found) for page in (gold, *others)]
    record_id = rendered.record_id.strip("<>")
    return ComparedPage(record_id, rendered.url, side.group, flats[0], tuple(flats[1:]), found)


def _marked(side: Side) -> MarkedPage:
    if isinstance(side.blocks, Flat):
        raise UsageError(
            "the segmentations that GOSH has are of other renderings: "
            "compare them with its gold, without --rendered"
        )
    return side.blocks
