"""The magazine: long essays in a table, little furniture, text corrected between snapshots."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from scripts.sample.layout import fill, links, others
from scripts.sample.marks import content

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.sample.prose import Story

_YEARS = (2013, 2013, 2015, 2016, 2017)  # of the crawls
_FORMS = {"paragraph": "<P>{}", "heading": "<H2>{}</H2>", "quote": "<BLOCKQUOTE>{}</BLOCKQUOTE>"}


def render(piece: Story, crawl: int, pieces: Sequence[Story]) -> str:
    """The marked page of an essay as that crawl finds it."""
    return fill(
        "essays",
        title_plain=html.escape(piece.title),
        headline=content(piece.title),
        section=piece.section,
        issue=piece.issue,
        author=piece.author,
        body="\n".join(_FORMS[block.kind].format(content(block.text)) for block in piece.blocks),
        related=links(others(pieces, piece)[:3], "<LI>{}"),
        year=_YEARS[crawl],
    )


def letters(piece: Story, crawl: int) -> str:
    """The marked page of a season's letters: another template of the same site."""
    pairs = (text.split(": ", 1) for text in piece.of("paragraph"))
    return fill(
        "letters",
        title_plain=html.escape(piece.title),
        headline=content(piece.title),
        body="\n".join(
            f"<section><h2>{content(sender)}</h2><p>{content(text)}</p></section>"
            for sender, text in pairs
        ),
        year=_YEARS[crawl],
    )
