"""How far two people agree, and what of all that was said is gold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.annotate.content.spans import Mark
from dbce.annotate.core.kappa import kappa, observed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dbce.annotate.content.spans import Piece

SETTLED = ""
"""The name under which a reviewer's decisions stand; nobody is called so."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What two people said of the same texts: how often, by (the one's mark, the other's)."""

    one: str
    other: str
    counts: Mapping[tuple[Mark, Mark], int]

    @property
    def both(self) -> int:
        """Texts of which both said what they are."""
        return sum(self.counts.values())

    @property
    def observed(self) -> float | None:
        """The share of texts of which both said the same."""
        return observed(self.counts)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of their marks; None where it is not defined."""
        return kappa(self.counts)


def agreement(one: str, other: str, found: Iterable[Piece]) -> Agreement:
    """What two people said of the texts that both decided.

    Texts that the page hides count only if one of them said otherwise: the rule decided for both.
    """
    counts: Counter[tuple[Mark, Mark]] = Counter()
    for piece in found:
        if one in piece.said and other in piece.said:
            a, b = piece.said[one], piece.said[other]
            if Mark.UNDECIDED not in (a.mark, b.mark) and not (a.hidden and b.hidden):
                counts[a.mark, b.mark] += 1
    return Agreement(one, other, counts)


def opinions(piece: Piece) -> dict[str, Mark]:
    """What each person decided of a text."""
    return {
        name: span.mark
        for name, span in piece.said.items()
        if name != SETTLED and span.mark is not Mark.UNDECIDED
    }


def is_disputed(piece: Piece) -> bool:
    """Whether people disagree on a text, be it settled or not."""
    return len(set(opinions(piece).values())) > 1


def gold_mark(piece: Piece) -> Mark | None:
    """What a text is: as a reviewer settled it, else as all say who decided; None if they differ."""
    if SETTLED in piece.said:
        settled = piece.said[SETTLED].mark
        return None if settled is Mark.UNDECIDED else settled
    marks = set(opinions(piece).values())
    return marks.pop() if len(marks) == 1 else None
