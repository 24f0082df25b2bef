"""Agreement of people on texts, and the texts on which they disagree."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from dbce.annotate.content.history import SETTLED, opinions
from dbce.annotate.content.spans import Mark
from dbce.annotate.core.agreement import kappa, observed
from dbce.model import NotInRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dbce.annotate.content.spans import Piece
    from dbce.view.run import Run
    from dbce.view.tables import Row

SHOWN = 200
"""Disagreements on one page."""


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """Two people on the same texts: how often they said what, by (the one's mark, the other's)."""

    one: str
    other: str
    counts: Mapping[tuple[Mark, Mark], int]

    @property
    def both(self) -> int:
        """Number of texts of which both said what they are."""
        return sum(self.counts.values())

    @property
    def observed(self) -> float | None:
        """Share of texts of which both said the same."""
        return observed(self.counts)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of their marks; None where it is not defined."""
        return kappa(self.counts)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A text on which people disagree: what each says, and how it was settled, if it was."""

    record_id: str
    page: Row | None
    piece: Piece
    said: Mapping[str, Mark]
    settled: Mark | None


@dataclass(frozen=True, slots=True)
class LabelReview:
    """Agreement of each two people, and the texts on which people disagree: the open ones first."""

    pairs: tuple[LabelAgreement, ...]
    disputes: tuple[Dispute, ...]
    open: int


def agreement(one: str, other: str, pieces: Iterable[Piece]) -> LabelAgreement:
    """Return the agreement of two people on the texts that both decided.

    Texts that the page hides count only if one of them said otherwise: the rule decided for both.
    """
    counts: Counter[tuple[Mark, Mark]] = Counter()
    for piece in pieces:
        if one in piece.said and other in piece.said:
            a, b = piece.said[one], piece.said[other]
            if Mark.UNDECIDED not in (a.mark, b.mark) and not (a.hidden and b.hidden):
                counts[a.mark, b.mark] += 1
    return LabelAgreement(one, other, counts)


def is_disputed(piece: Piece) -> bool:
    """Tell whether people disagree on a text, be it settled or not."""
    return len(set(opinions(piece).values())) > 1


def review(people: Iterable[str], pieces: Mapping[str, Sequence[Piece]], run: Run) -> LabelReview:
    """Return what people said of the captures, by record id, that more than one of them spoke of."""
    every = [piece for of_capture in pieces.values() for piece in of_capture]
    disputes = [
        _dispute(run, record_id, piece)
        for record_id, of_capture in pieces.items()
        for piece in of_capture
        if is_disputed(piece)
    ]
    disputes.sort(key=lambda one: one.settled is not None)
    return LabelReview(
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
