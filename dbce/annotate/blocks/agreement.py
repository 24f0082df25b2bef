"""How far two people agree on the blocks of pages that both have drawn."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING

from dbce.annotate.core.kappa import kappa, observed
from dbce.visual.measure import BCubed, bcubed, corresponding, flat_on_page, members

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dbce.annotate.blocks.sheet import Sheet
    from dbce.visual.measure import MarkedPage


@dataclass(frozen=True, slots=True)
class OnPage:
    """Two people on one page.

    `segments` is B-cubed over its characters, the first as gold: low precision is a second who merges
    more, low recall one who cuts more. `roles` counts the pairs of roles of blocks that correspond to each
    other alone and have a role from both; `corresponding` those pairs with or without.
    """

    url: str
    segments: BCubed
    corresponding: int
    roles: Counter[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class BlockAgreement:
    """Two people on all pages that both have drawn."""

    one: str
    other: str
    pages: tuple[OnPage, ...]
    roles: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def segments(self) -> BCubed:
        """B-cubed over characters, means over pages; NaN without pages that have texts in blocks."""
        known = [page.segments for page in self.pages if not math.isnan(page.segments.f1)]
        if not known:
            return BCubed(math.nan, math.nan, math.nan)
        return BCubed(*map(fmean, zip(*known, strict=True)))

    @property
    def corresponding(self) -> int:
        """Pairs of blocks that correspond to each other alone."""
        return sum(page.corresponding for page in self.pages)

    @property
    def same_role(self) -> float | None:
        """The share of pairs of which both gave the same role, of those of which both gave one."""
        return observed(self.roles)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of the roles of blocks that correspond; None where it is not defined."""
        return kappa(self.roles)


def agreement(one: str, other: str, pages: Iterable[OnPage]) -> BlockAgreement:
    """What two people agree on, page by page and in all."""
    found = tuple(pages)
    roles: Counter[tuple[str, str]] = Counter()
    for page in found:
        roles.update(page.roles)
    return BlockAgreement(one, other, found, roles)


def on_page(one: MarkedPage, other: MarkedPage, sheet: Sheet) -> OnPage:
    """Two people's blocks of one page: those that hold no others are compared."""
    first, second = (flat_on_page(drawn, sheet.page, sheet.contents) for drawn in (one, other))
    texts = sheet.contents.texts
    inside = [members(texts, flat.blocks) for flat in (first, second)]
    pairs = corresponding(first, second)
    roles = Counter(
        (one.terminal[a].label, other.terminal[b].label)
        for a, b in pairs
        if one.terminal[a].label and other.terminal[b].label
    )
    return OnPage(one.url, bcubed(inside[0], inside[1], texts.weights), len(pairs), roles)
