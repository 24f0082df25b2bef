"""How far two people agree beyond chance."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

Label = TypeVar("Label", bound="Hashable")


def observed(counts: Mapping[tuple[Label, Label], int]) -> float | None:
    """The share of things of which both said the same; None without any.

    `counts` says how often, by (the one's label, the other's).
    """
    every = sum(counts.values())
    return sum(n for (a, b), n in counts.items() if a == b) / every if every else None


def kappa(counts: Mapping[tuple[Label, Label], int]) -> float | None:
    """Cohen's kappa: agreement beyond chance, 1 is all, 0 as by chance.

    (po - pe) / (1 - pe), where po is the share of things that both call the same and pe what it
    would be if each gave the same labels as often, but at random (J. Cohen, A coefficient of
    agreement for nominal scales, Educational and Psychological Measurement 20, 1960). None
    where that is not defined: without things, or if both used one and the same label only.
    """
    share = observed(counts)
    if share is None:
        return None
    first, second = Counter[Label](), Counter[Label]()
    for (a, b), n in counts.items():
        first[a] += n
        second[b] += n
    chance = sum(n * second[label] for label, n in first.items()) / sum(counts.values()) ** 2
    return (share - chance) / (1 - chance) if chance < 1 else None
