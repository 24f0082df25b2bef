"""Agreement of two people, at all and beyond chance."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations
from typing import TypeVar

Label = TypeVar("Label", bound="Hashable")
Said = TypeVar("Said")


def common_pages(
    said: Mapping[str, Mapping[str, Said]],
) -> Iterator[tuple[str, str, dict[str, tuple[Said, Said]]]]:
    """Yield each two people with what they say (`said`, by name and record id) of the pages of which both spoke, if any."""
    for (one, first), (other, second) in combinations(said.items(), 2):
        if both := {page: (first[page], second[page]) for page in first if page in second}:
            yield one, other, both


def observed_agreement(counts: Mapping[tuple[Label, Label], int]) -> float | None:
    """Return the share of things of which both said the same; None without any. `counts` is by (one's label, other's)."""
    every = sum(counts.values())
    return sum(n for (a, b), n in counts.items() if a == b) / every if every else None


def kappa(counts: Mapping[tuple[Label, Label], int]) -> float | None:
    """Return Cohen's kappa: agreement beyond chance, 1 is all, 0 as by chance.

    (po - pe) / (1 - pe), where po is the share of things that both call the same and pe what it
    would be if each gave the same labels as often, but at random (J. Cohen, A coefficient of
    agreement for nominal scales, Educational and Psychological Measurement 20, 1960). None
    where that is not defined: without things, or if both used one and the same label only.
    """
    share = observed_agreement(counts)
    if share is None:
        return None
    first, second = Counter[Label](), Counter[Label]()
    for (a, b), n in counts.items():
        first[a] += n
        second[b] += n
    chance = sum(n * second[label] for label, n in first.items()) / sum(counts.values()) ** 2
    return (share - chance) / (1 - chance) if chance < 1 else None
