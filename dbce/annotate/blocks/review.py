"""What several people drew, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from dbce.annotate.blocks.agreement import agreement, on_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.annotate.blocks.agreement import BlockAgreement
    from dbce.annotate.blocks.book import BlockBook
    from dbce.annotate.blocks.pages import Pages
    from dbce.output import Row


@dataclass(frozen=True, slots=True)
class Shared:
    """A page that several people have drawn: who, and whose blocks are its gold, None if nobody's."""

    record_id: str
    row: Row
    names: tuple[str, ...]
    counts: str | None


@dataclass(frozen=True, slots=True)
class Review:
    """How far each two people agree, and the pages that several have drawn: the open ones first."""

    pairs: tuple[BlockAgreement, ...]
    shared: tuple[Shared, ...]
    open: int


def review(book: BlockBook, pages: Pages) -> Review:
    """All that was drawn on pages on which more than one person drew."""
    drew: dict[str, list[str]] = {}
    for name, keys in book.people().items():
        for key in keys:
            if key in pages.rows and not pages.misfit(book.drawn_by(name, key)):
                drew.setdefault(key, []).append(name)
    shared = [
        Shared(key, pages.rows[key], tuple(names), book.counting(key))
        for key, names in drew.items()
        if len(names) > 1
    ]
    shared.sort(key=lambda one: one.counts is not None)
    return Review(
        pairs=tuple(pairs(book, pages, drew)),
        shared=tuple(shared),
        open=sum(one.counts is None for one in shared),
    )


def pairs(book: BlockBook, pages: Pages, drew: Mapping[str, list[str]]) -> list[BlockAgreement]:
    """How far each two people agree who have drawn on the same pages."""
    found = []
    for one, other in combinations(book.people(), 2):
        both = [key for key, names in drew.items() if one in names and other in names]
        if both:
            each = (
                on_page(book.drawn_by(one, key), book.drawn_by(other, key), pages.sheet(key))
                for key in both
            )
            found.append(agreement(one, other, each))
    return found
