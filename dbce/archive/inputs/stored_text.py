"""Texts that crawlers store of pages: records `urn:text:URL`, and the page lists of a WACZ.

Browsertrix Crawler writes them with `--text`: `to-warc` a record of a page when it has loaded, `final-to-warc` one more where
its behaviours changed it (both in files of their own, `text-….warc.gz`, unless WARC files are combined), `to-pages` a value of
its line in the page list. A record `urn:pageinfo:URL` lists what a page asked for, and holds no text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.archive.records import media_type, plain_url, surt
from dbce.model import CrawlerText, StoredText, TextKind, printable

if TYPE_CHECKING:
    from datetime import datetime

    from dbce.archive.records import Block, Head
    from dbce.model import Limits

_KINDS = {"urn:text:": TextKind.LOADED, "urn:textfinal:": TextKind.FINAL}
_URN = re.compile(r"(urn:text(?:final)?:)(.+)", re.IGNORECASE | re.DOTALL)

_ROUTE = re.compile(r"#[!/]")
"""A page that scripts show in the place of another: its text is not that of the page that was captured."""

_NO_CHARACTERS = dict.fromkeys((0xFFFE, 0xFFFF))
_PIECE = 64 * 1024  # bytes read at a time


def page_of_text(url: str) -> str | None:
    """The URL of the page whose text a record of this URL holds; None of any other record."""
    # Most URLs are told by their first letters.
    match = _URN.fullmatch(url) if url[:8].lower() == "urn:text" else None
    return match[2] if match else None


def is_stored_text(head: Head) -> bool:
    """True if a record holds the text of a page as its crawler stored it."""
    return (
        head.kind == "resource"
        and page_of_text(head.url) is not None
        and media_type(head.media) == "text/plain"
    )


def read_stored_text(head: Head, block: Block, limits: Limits) -> CrawlerText | None:
    """The text in a block, as far as pages may be long; None of one without date, or of no page of its own."""
    match = _URN.fullmatch(head.url)
    if match is None or head.timestamp is None:
        return None
    pieces, size = [], 0
    while size < limits.payload_bytes and (piece := block.read(_PIECE)):
        pieces.append(piece)
        size += len(piece)
    text = b"".join(pieces)[: limits.payload_bytes].decode("utf-8", "replace")
    return stored_text(match[2], head.timestamp, _KINDS[match[1].lower()], head.record_id, text)


def stored_text(
    url: str, timestamp: datetime, kind: TextKind, record: str, text: str
) -> CrawlerText | None:
    """The text of the page of a URL; None of one that is empty, or of no page of its own."""
    tidy = tidied(text)
    if not tidy or _ROUTE.search(url):
        return None
    return CrawlerText(surt(plain_url(url)), timestamp, kind, StoredText(record, tidy))


def tidied(text: str) -> str:
    """A text as main texts are: its lines without white space around, those with any, and no controls."""
    sound = text.encode("utf-8", "replace").decode().translate(_NO_CHARACTERS)
    lines = (printable(line) for line in sound.splitlines())
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))
