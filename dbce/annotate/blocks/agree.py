"""How far people agree, from their gold files: what `dbce agree` does."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pandas as pd

from dbce.annotate.blocks.agreement import agreement, on_page
from dbce.annotate.blocks.pages import Pages
from dbce.annotate.blocks.taken import drawn_in
from dbce.evaluate.results import table
from dbce.model import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from dbce.annotate.blocks.agreement import BlockAgreement
    from dbce.visual.measure import MarkedPage

    Drawn = dict[str, dict[str, MarkedPage]]  # name: key: page

COLUMNS = ("pages", "precision", "recall", "F", "blocks", "both roles", "same role", "kappa")

NOTE = """\
precision, recall, F: B-cubed over characters, the first of the two as gold; means over pages
blocks: that correspond to each other alone; both roles: of these, those to which both gave a role
same role: the share of these to which both gave the same, kappa: Cohen's"""


def agreements(directory: str, golds: Sequence[Path]) -> list[BlockAgreement]:
    """How far each two people agree who drew on the same rendered pages.

    What each drew is taken from the journal beside a gold file, or from a file without one.

    Raises:
        UsageError: there are no rendered pages, a file is no block gold, a person drew on a page in two
            files, or no page was drawn on by two people.
    """
    pages = Pages(directory)
    drawn: Drawn = {}
    for gold in golds:
        for by, key, page in drawn_in(gold, pages):
            if pages.misfit(page):
                continue
            if key in drawn.setdefault(by, {}):
                raise UsageError(
                    f"{by} has drawn on {page.url or key} in two of the files; name one"
                )
            drawn[by][key] = page
    found = [_pair(one, other, drawn, pages) for one, other in combinations(drawn, 2)]
    found = [pair for pair in found if pair.pages]
    if not found:
        names = ", ".join(drawn) or "nobody"
        raise UsageError(
            f"no page that is rendered in {directory} was drawn on by two people; drawn on by {names}"
        )
    return found


def _pair(one: str, other: str, drawn: Drawn, pages: Pages) -> BlockAgreement:
    both = [key for key in drawn[one] if key in drawn[other]]
    each = (on_page(drawn[one][key], drawn[other][key], pages.sheet(key)) for key in both)
    return agreement(one, other, each)


def in_words(found: Iterable[BlockAgreement]) -> str:
    """The agreement of each two as a table, with what its columns are."""
    rows = [
        [
            f"{pair.one}, {pair.other}",
            len(pair.pages),
            *pair.segments,
            pair.corresponding,
            pair.roles.total(),
            pair.same_role,
            pair.kappa,
        ]
        for pair in found
    ]
    return f"{table(['people', *COLUMNS], rows)}\n\n{NOTE}"


def by_page(found: Iterable[BlockAgreement]) -> pd.DataFrame:
    """The agreement on every page, a row each."""
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
        for pair in found
        for page in pair.pages
    ]
    return pd.DataFrame(rows)
