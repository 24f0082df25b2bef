"""Agreement of two annotators, observed and beyond chance."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations
from typing import TypeVar

Label = TypeVar("Label", bound="Hashable")
Opinion = TypeVar("Opinion")


def common_pages(
    opinions: Mapping[str, Mapping[str, Opinion]],
) -> Iterator[tuple[str, str, dict[str, tuple[Opinion, Opinion]]]]:
    """Yield each two people with their opinions (by name and record id) of the pages on which both have one, if any."""
    for (a, first), (b, second) in combinations(opinions.items(), 2):
        if shared := {page: (first[page], second[page]) for page in first if page in second}:
            yield a, b, shared


def observed_agreement(counts: Mapping[tuple[Label, Label], int]) -> float | None:
    """Return the share of equal labels, None without any; `counts` is by (one's label, other's)."""
    total = sum(counts.values())
    return sum(n for (a, b), n in counts.items() if a == b) / total if total else None


def kappa(counts: Mapping[tuple[Label, Label], int]) -> float | None:
    """Return Cohen's kappa: agreement beyond chance, 1 if complete, 0 as by chance.

    (po - pe) / (1 - pe), where po is the share of things that both call the same and pe what it
    would be if each gave the same labels as often, but at random (J. Cohen, A coefficient of
    agreement for nominal scales, Educational and Psychological Measurement 20, 1960). None
    where that is undefined: without labels, or if both used one and the same label only.
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
