"""The headings of a page's content, for what writes content in the formats of others."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from dbce.visual.headings.blocks import body_of
from dbce.visual.headings.pages import AS_JUDGED
from dbce.visual.headings.registry import Known, headings
from dbce.visual.headings.sheets import from_sheets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.html import Document

NO_TIME = datetime(1, 1, 1, tzinfo=UTC)
"""Headings do not ask when a page was captured."""


def heading_levels(document: Document, content: Sequence[int]) -> dict[int, int]:
    """The level of each text node that is in a heading, by its number; as `outline_of`."""
    return {node: level for level, nodes in outline_of(document, content) for node in nodes}


def outline_of(document: Document, content: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """The level of each heading and the numbers of its text nodes, as the page's own sheets tell.

    `content` are the numbers of the text nodes that are content; headings are looked for in the smallest
    element that holds all of them. A picture without text is left out.
    """
    page = from_sheets(document, "", "", NO_TIME, AS_JUDGED)
    share = dict.fromkeys(range(len(document.page.nodes)), 0.0) | dict.fromkeys(content, 1.0)
    found = headings(page, body_of(page, "verdicts", share), known=Known(share))
    named = ((one.level, tuple(page.texts[n].node for n in one.texts)) for one in found.headings)
    return [one for one in named if one[1]]
