"""Answers that a crawler fetched, before they become WARC records."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Literal

from scripts.sample.marks import BLOCK

NEWS, RECIPES = "www.uferbote.example", "kuchniapodlipa.example"
MAGAZINE, ALONE = "www.lanternandledger.example", "turmuhr.example"
CRAWLS = (
    datetime(2013, 6, 11, 4, 0, 12, tzinfo=UTC),
    datetime(2013, 11, 18, 21, 30, 5, tzinfo=UTC),
    datetime(2015, 3, 9, 13, 15, 40, tzinfo=UTC),
    datetime(2016, 5, 24, 2, 45, 31, tzinfo=UTC),
    datetime(2017, 2, 14, 17, 5, 58, tzinfo=UTC),
)
_SECURE_SINCE = 3  # the crawl that first sees https on the news site and the magazine
_SECURE = (NEWS, MAGAZINE)


class Quirk(StrEnum):
    """An unusual way in which a fetch was recorded."""

    TWICE = "twice"  # the same record, id and all, stands in the file twice
    REVISIT = "revisit"  # unchanged since an earlier fetch: only said so
    DAMAGED = "damaged"  # its gzip member does not inflate
    CUT = "cut"  # the file ends in its middle


@dataclass(frozen=True, slots=True)
class Fetch:
    """One answer of a server.

    A page is `marked` (scripts.sample.marks) and written in `charset`; other answers have a `body`.
    `media` is the Content-Type, "" where none is declared. `codings` are applied in their
    order. `later` is the time since its crawl's start, `quirk` None for most.
    """

    crawl: int
    host: str
    path: str
    media: str = "text/html"
    marked: str = ""
    charset: str = "utf-8"
    body: bytes = b""
    codings: tuple[Literal["gzip", "chunked"], ...] = ()
    status: str = "200 OK"
    location: str = ""
    later: timedelta = timedelta(0)
    quirk: Quirk | None = None

    @property
    def url(self) -> str:
        """The URL as fetched."""
        secure = self.crawl >= _SECURE_SINCE and self.host in _SECURE
        return f"http{'s' if secure else ''}://{self.host}{self.path}"

    @property
    def at(self) -> datetime:
        """The time of the fetch."""
        return CRAWLS[self.crawl] + self.later

    @property
    def has_content(self) -> bool:
        """True if the fetch shows a page with text of its own."""
        return BLOCK in self.marked and self.quirk is not Quirk.REVISIT
