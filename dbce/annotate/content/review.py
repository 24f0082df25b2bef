"""What several people said, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from dbce.annotate.content.agreement import SETTLED, agreement, is_disputed, opinions
from dbce.view.not_in_run import NotInRun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.annotate.content.agreement import Agreement
    from dbce.annotate.content.book import Book
    from dbce.annotate.content.spans import Mark, Piece
    from dbce.view.run import Run
    from dbce.view.tables import Row

SHOWN = 200
"""Disagreements on one page."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A text on which people disagree: what each says, and how it was settled, if it was."""

    record_id: str
    page: Row | None
    piece: Piece
    said: Mapping[str, Mark]
    settled: Mark | None


@dataclass(frozen=True, slots=True)
class Review:
    """How far each two people agree, and where people do not: the open ones first."""

    pairs: tuple[Agreement, ...]
    disputes: tuple[Dispute, ...]
    open: int


def review(run: Run, book: Book) -> Review:
    """All that was said of captures that more than one person spoke of."""
    people = book.people()
    of_capture: dict[str, list[str]] = {}
    for name, record_ids in people.items():
        for record_id in record_ids:
            of_capture.setdefault(record_id, []).append(name)
    shared = {one: book.pieces(one) for one, names in of_capture.items() if len(names) > 1}
    every = [piece for found in shared.values() for piece in found]
    disputes = [
        _dispute(run, record_id, piece)
        for record_id, found in shared.items()
        for piece in found
        if is_disputed(piece)
    ]
    disputes.sort(key=lambda one: one.settled is not None)
    return Review(
        pairs=tuple(agreement(one, other, every) for one, other in combinations(people, 2)),
        disputes=tuple(disputes),
        open=sum(one.settled is None for one in disputes),
    )


def _dispute(run: Run, record_id: str, piece: Piece) -> Dispute:
    try:
        page = run.page(record_id)
    except NotInRun:  # gold of another run's captures
        page = None
    settled = piece.said.get(SETTLED)
    return Dispute(record_id, page, piece, opinions(piece), settled.mark if settled else None)
