"""How far two people agree, and what of all that was said is gold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from dbce.view.label.spans import Mark

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from dbce.view.label.spans import Piece

Said = TypeVar("Said", bound="Hashable")

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
        return self._share(sum(n for (a, b), n in self.counts.items() if a == b))

    @property
    def kappa(self) -> float | None:
        """Agreement beyond chance."""
        return cohens_kappa(self.counts)

    def _share(self, count: int) -> float | None:
        return count / self.both if self.both else None


def cohens_kappa(counts: Mapping[tuple[Said, Said], int]) -> float | None:
    """Cohen's kappa: agreement beyond chance, 1 is all, 0 as by chance.

    `counts` says how often the one called a thing this and the other that. (po - pe) / (1 - pe), where
    po is the share of things that both call the same and pe what it would be if each gave the same
    labels as often, but at random (J. Cohen, A coefficient of agreement for nominal scales,
    Educational and Psychological Measurement 20, 1960). None where that is not defined: without
    things, or if both used one and the same label only.
    """
    first, second = Counter[Said](), Counter[Said]()
    for (a, b), n in counts.items():
        first[a] += n
        second[b] += n
    both = first.total()
    chance = sum(first[label] * second[label] for label in first) / both**2 if both else 1
    if chance == 1:
        return None
    observed = sum(n for (a, b), n in counts.items() if a == b) / both
    return (observed - chance) / (1 - chance)


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
