"""The measures of HEPS: what is found exactly, of headings, blocks, and those related to them (H 5.3)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from dbce.visual.evaluate.headings.located import Item

KINDS = ("heading", "block")


class Counts(NamedTuple):
    """Of one kind on one page, or of pairs: correct, extracted, annotated."""

    correct: int
    extracted: int
    annotated: int

    @property
    def precision(self) -> float | None:
        """None if nothing was extracted: the page does not count then."""
        return self.correct / self.extracted if self.extracted else None

    @property
    def recall(self) -> float | None:
        """None if nothing is annotated."""
        return self.correct / self.annotated if self.annotated else None


def counts(gold: Sequence[Item], found: Sequence[Item], kind: str) -> Counts:
    """Of headings or of blocks; what is optional in the gold is neither missed nor wrong.

    Each marked one is found once at most. The content body does not count.
    """
    wanted, allowed = _wanted(gold, kind)
    extracted = Counter(getattr(item, kind) for item in found)
    correct = sum((wanted & extracted).values())
    spared = sum((allowed & (extracted - wanted)).values())
    return Counts(correct, extracted.total() - spared, wanted.total())


def _wanted(gold: Sequence[Item], kind: str) -> tuple[Counter[object], Counter[object]]:
    """Count the values of the gold that must be found, and those that may be."""
    sides: tuple[Counter[object], Counter[object]] = (Counter(), Counter())
    for item in gold:
        sides[item.optional][getattr(item, kind)] += 1
    return sides


def related(gold: Sequence[Item], found: Sequence[Item], kind: str, relation: Relation) -> Counts:
    """Of the pairs of a correctly extracted one with another that is related to it (H 5.4.6).

    A pair counts as extracted by what was found and as annotated by the gold; it is correct if it is both.
    """
    correct = extracted = annotated = 0
    of_gold = {getattr(item, kind): n for n, item in enumerate(gold)}
    for number, item in enumerate(found):
        place = of_gold.get(getattr(item, kind))
        if place is None:
            continue
        mine = Counter(getattr(found[n], kind) for n in relation(found, number))
        theirs = Counter(getattr(gold[n], kind) for n in relation(gold, place))
        correct += sum((mine & theirs).values())
        extracted += mine.total()
        annotated += theirs.total()
    return Counts(correct, extracted, annotated)


def ancestors(items: Sequence[Item], number: int) -> Iterable[int]:
    """All that an item is in, without the content body."""
    parent = items[number].parent
    while parent >= 0:
        yield parent
        parent = items[parent].parent


def parent(items: Sequence[Item], number: int) -> Iterable[int]:
    """Return the item that an item is directly in."""
    return [items[number].parent] if items[number].parent >= 0 else []


def siblings(items: Sequence[Item], number: int) -> Iterable[int]:
    """The others in what an item is in directly, which may be the content body."""
    own = items[number].parent
    return [n for n, other in enumerate(items) if other.parent == own and n != number]


def children(items: Sequence[Item], number: int) -> Iterable[int]:
    """Return the items that are directly in an item."""
    return [n for n, other in enumerate(items) if other.parent == number]


def descendants(items: Sequence[Item], number: int) -> Iterable[int]:
    """All that is in an item."""
    return [n for n in range(len(items)) if number in ancestors(items, n)]


if TYPE_CHECKING:
    Relation = Callable[[Sequence[Item], int], Iterable[int]]

RELATIONS: dict[str, Relation] = {
    "ancestors": ancestors,
    "parent": parent,
    "siblings": siblings,
    "children": children,
    "descendants": descendants,
}


class Means(NamedTuple):
    """Of a data set: precision and recall as means over pages that have one, F of the two means."""

    precision: float
    recall: float
    f: float


def means(pages: Iterable[Counts]) -> Means:
    """The scores of many pages; what no page has is 0."""
    known = list(pages)
    precision = _mean([one.precision for one in known])
    recall = _mean([one.recall for one in known])
    both = precision + recall
    return Means(precision, recall, 2 * precision * recall / both if both else 0.0)


def _mean(values: Iterable[float | None]) -> float:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else 0.0
