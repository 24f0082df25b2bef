"""Agreement of two people on the headings of pages.

What either calls optional is left out on both sides. As the data set of HEPS was measured (Manabe and
Tajima, VLDB 2015, 5.3 and 5.4.1): a heading is the same if it is made of the same texts and images; kappa
is that of texts and images of the content body, each of them a heading or not.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.annotate.core.agreement import kappa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from dbce.visual.annotate.headings.outline import Outline
    from dbce.visual.headings import GoldHeading

Part = int | str


@dataclass(frozen=True, slots=True)
class HeadingAgreement:
    """Agreement of two people on the same pages.

    `bodies` is on how many pages they named the same content body, `same` how many headings are the
    same, `same_level` how many of these have the same level too, `headings` how many each has.
    `counts` says how often a text or an image was (heading of the one, heading of the other).
    """

    one: str
    other: str
    pages: int
    bodies: int
    same: int
    same_level: int
    headings: tuple[int, int]
    counts: Mapping[tuple[bool, bool], int]

    @property
    def f(self) -> float | None:
        """F over exact headings: 2 same / (headings of the one + of the other); None without any."""
        every = sum(self.headings)
        return 2 * self.same / every if every else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa over texts and images."""
        return kappa(self.counts)


def heading_agreement(
    one: str,
    other: str,
    pairs: Iterable[tuple[Outline, Outline]],
    parts: Callable[[Outline], Iterable[Part]],
) -> HeadingAgreement:
    """Return the agreement of `one` and `other` on pages of which both spoke.

    `parts` gives the texts and images of the content body of an outline. Those of either body count.
    """
    pages = bodies = same = same_level = 0
    of_one = of_other = 0
    counts: Counter[tuple[bool, bool]] = Counter()
    for first, second in pairs:
        pages += 1
        bodies += first.body == second.body
        a, b = _certain(first, second), _certain(second, first)
        of_one, of_other = of_one + len(a), of_other + len(b)
        same += len(a.keys() & b.keys())
        same_level += sum(a[key].level == b[key].level for key in a.keys() & b.keys())
        ours, theirs = frozenset().union(*a), frozenset().union(*b)
        optional = _optional(first) | _optional(second)
        for part in {*parts(first), *parts(second)} - optional:
            counts[part in ours, part in theirs] += 1
    return HeadingAgreement(one, other, pages, bodies, same, same_level, (of_one, of_other), counts)


def _certain(outline: Outline, other: Outline) -> dict[frozenset[Part], GoldHeading]:
    """Return the headings of an outline that neither calls optional, by what they are made of."""
    optional = _optional(outline) | _optional(other)
    return {h.parts: h for h in outline.headings if not h.parts & optional}


def _optional(outline: Outline) -> frozenset[Part]:
    return frozenset(part for h in outline.headings if h.optional for part in h.parts)
