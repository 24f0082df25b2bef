"""Agreement of people by their gold files: what `dbce agree` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from dbce.evaluate.results import table
from dbce.model import UsageError
from dbce.visual.annotate.blocks.agreement import agreements
from dbce.visual.annotate.blocks.gold import drawn_in
from dbce.visual.annotate.blocks.pages import Pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from dbce.visual.annotate.blocks.agreement import BlockAgreement
    from dbce.visual.measure import MarkedPage

COLUMNS = ("pages", "precision", "recall", "F", "blocks", "both roles", "same role", "kappa")

NOTE = """\
precision, recall, F: B-cubed over characters, the first of the two as gold; means over pages
blocks: that correspond to each other alone; both roles: of these, those to which both gave a role
same role: the share of these to which both gave the same, kappa: Cohen's"""


def agreements_in(directory: str, golds: Sequence[Path]) -> list[BlockAgreement]:
    """Return the agreement of each two people who drew on the same rendered pages.

    What each drew is taken from the journal beside a gold file, or from a file without one.

    Raises:
        UsageError: there are no rendered pages, a file is no block gold, a person drew on a page in two
            files, or no page was drawn on by two people.
    """
    pages = Pages(directory)
    drawn: dict[str, dict[str, MarkedPage]] = {}
    for gold in golds:
        for by, name, page in drawn_in(gold, pages):
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


def in_words(pairs: Iterable[BlockAgreement]) -> str:
    """Return the agreement of each two as a table, with what its columns are."""
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
