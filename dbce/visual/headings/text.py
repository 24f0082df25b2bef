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
    """The level of each text node that is in a heading, by its number, as the page's own sheets tell.

    `content` are the numbers of the text nodes that are content; headings are looked for in the smallest
    element that holds nearly all of them.
    """
    page = from_sheets(document, "", "", NO_TIME, AS_JUDGED)
    share = dict.fromkeys(range(len(document.page.nodes)), 0.0) | dict.fromkeys(content, 1.0)
    found = headings(page, body_of(page, "verdicts", share), known=Known(share))
    return {page.texts[text].node: one.level for one in found.headings for text in one.texts}
