"""Agreement of two people on the blocks of pages that both have drawn, and the output of `dbce agree`."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import pandas as pd

from dbce.annotate.core.agreement import common_pages, kappa, observed_agreement
from dbce.evaluate.results import table
from dbce.model import UsageError
from dbce.output import Row
from dbce.visual.annotate.blocks.pages import BlockSheet, Pages, read_drawn_pages
from dbce.visual.measure import BCubed, MarkedPage, bcubed, corresponding, flat_on_page, members

Drawn = Mapping[str, Mapping[str, MarkedPage]]  # by person and name of the page


class OnPage(NamedTuple):
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

    @property
    def roles(self) -> Counter[tuple[str, str]]:
        """Pairs of roles of the blocks that correspond, on all pages."""
        return sum((page.roles for page in self.pages), Counter())

    @property
    def segments(self) -> BCubed:
        """B-cubed over characters, means over pages; NaN without pages that have texts in blocks."""
        scored = [page.segments for page in self.pages if not math.isnan(page.segments.f1)]
        if not scored:
            return BCubed(math.nan, math.nan, math.nan)
        return BCubed(*map(fmean, zip(*scored, strict=True)))

    @property
    def corresponding(self) -> int:
        """Number of pairs of blocks that correspond to each other alone."""
        return sum(page.corresponding for page in self.pages)

    @property
    def role_agreement(self) -> float | None:
        """Share of pairs with the same role from both, of those with a role from both."""
        return observed_agreement(self.roles)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of the roles of blocks that correspond; None where it is not defined."""
        return kappa(self.roles)


class SharedPage(NamedTuple):
    """A page that several people have drawn: their names, and whose blocks are its gold, None if nobody's."""

    record_id: str
    row: Row
    names: tuple[str, ...]
    counts: str | None


class BlockReview(NamedTuple):
    """Agreement of each two people, and the pages that several have drawn: the open ones first."""

    pairs: tuple[BlockAgreement, ...]
    shared: tuple[SharedPage, ...]
    open: int


def review(drawn: Drawn, authors: Mapping[str, str | None], pages: Pages) -> BlockReview:
    """Return the agreement on pages, and the pages of several people; `authors` are those whose blocks are the gold."""
    people_of: defaultdict[str, list[str]] = defaultdict(list)
    for by, names in drawn.items():
        for name in names:
            people_of[name].append(by)
    shared = [
        SharedPage(name, pages.rows[name], tuple(people), authors[name])
        for name, people in people_of.items()
        if len(people) > 1
    ]
    shared.sort(key=lambda page: page.counts is not None)
    is_open = [page.counts is None for page in shared]
    return BlockReview(tuple(agreements(drawn, pages)), tuple(shared), sum(is_open))


def agreements(drawn: Drawn, pages: Pages) -> Iterator[BlockAgreement]:
    """Yield the agreement of each two people who have drawn on the same pages."""
    for first, second, shared in common_pages(drawn):
        on_pages = (on_page(*pair, pages.sheet(name)) for name, pair in shared.items())
        yield BlockAgreement(first, second, tuple(on_pages))


def on_page(page: MarkedPage, other: MarkedPage, sheet: BlockSheet) -> OnPage:
    """Return the agreement of two people on one page; only terminal blocks are compared."""
    first, second = (flat_on_page(marked, sheet.page, sheet.contents) for marked in (page, other))
    texts = sheet.contents.texts
    inside = [members(texts, flat.blocks) for flat in (first, second)]
    pairs = corresponding(first, second)
    roles = Counter(
        (page.terminal[a].label, other.terminal[b].label)
        for a, b in pairs
        if page.terminal[a].label and other.terminal[b].label
    )
    return OnPage(page.url, bcubed(inside[0], inside[1], texts.weights), len(pairs), roles)


COLUMNS = ("pages", "precision", "recall", "F", "blocks", "both roles", "same role", "kappa")

NOTE = """\
precision, recall, F: B-cubed over characters, the first of the two as gold; means over pages
blocks: that correspond to each other alone; both roles: of these, those to which both gave a role
same role: the share of these to which both gave the same, kappa: Cohen's"""


def agreements_in(directory: str, golds: Sequence[Path]) -> list[BlockAgreement]:
    """Return the agreement of each two people who drew on the same rendered pages.

    The blocks come from the journal beside each gold file, or from a file without one.
    Raises UsageError: there are no rendered pages, a file is no block gold, a person drew on a page in two files, or
    no page was drawn on by two people.
    """
    pages = Pages(directory)
    drawn: dict[str, dict[str, MarkedPage]] = {}
    for gold in golds:
        for by, name, page in read_drawn_pages(gold, pages):
            if pages.misfit(page):
                continue
            if name in drawn.setdefault(by, {}):
                raise UsageError(
                    f"{by} has drawn on {page.url or name} in two of the files; name one"
                )
            drawn[by][name] = page
    pairs = list(agreements(drawn, pages))
    if not pairs:
        names = ", ".join(drawn) or "nobody"
        raise UsageError(
            f"no page that is rendered in {directory} was drawn on by two people; drawn on by {names}"
        )
    return pairs


def agreement_table(pairs: Iterable[BlockAgreement]) -> str:
    """Return the agreement of each two people as a table, with a legend."""
    rows = [
        [
            *(f"{pair.one}, {pair.other}", len(pair.pages), *pair.segments, pair.corresponding),
            *(pair.roles.total(), pair.role_agreement, pair.kappa),
        ]
        for pair in pairs
    ]
    return f"{table(['people', *COLUMNS], rows)}\n\n{NOTE}"


def by_page(pairs: Iterable[BlockAgreement]) -> pd.DataFrame:
    """Return the agreement on every page, a row each."""
    rows = [
        {
            "one": pair.one,
            "other": pair.other,
            "url": page.url,
            **page.segments._asdict(),
            "corresponding": page.corresponding,
            "both_roles": page.roles.total(),
            "same_role": sum(n for (a, b), n in page.roles.items() if a == b),
        }
        for pair in pairs
        for page in pair.pages
    ]
    return pd.DataFrame(rows)
