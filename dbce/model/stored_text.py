"""Text of a page that its crawler stored beside it, taken from a browser after scripts had run."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime


class TextKind(StrEnum):
    """Form in which a crawler stores the text of a page."""

    LOADED = "text"  # a record urn:text:URL, of the page when it had loaded
    FINAL = "textFinal"  # a record urn:textFinal:URL, after behaviours such as scrolling
    LISTED = "pages.jsonl"  # a line of the page list in a WACZ


class TextSource(StrEnum):
    """Source of a main text."""

    PAGE = "page"
    CRAWLER = "crawler"


TOLD = "text stored by the crawler; not judged"
"""Words that stand wherever such a text is shown."""


class StoredText(NamedTuple):
    """Text of a page as its crawler stored it, one line a text node of the page.

    `record` is the id of its record, or the path of the page list in its WACZ.
    """

    record: str
    text: str


class CrawlerText(NamedTuple):
    """Stored text as it stands in an archive: `surt` is the sort key of its page's URL, `timestamp` when it was taken."""

    surt: str
    timestamp: datetime
    kind: TextKind
    stored: StoredText
