"""Texts that crawlers stored of pages: which page takes one for its own, and which it takes."""

from __future__ import annotations

from datetime import datetime, timedelta
from operator import attrgetter
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from dbce.model import Dropped, Reason, TextKind, count_words
from dbce.quality.damage import DamageKind, damage_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dbce.model import StoredText
    from dbce.quality.signs import PageSigns

Place = TypeVar("Place")

NEAR = timedelta(hours=6)
"""Time between a capture and a text of its URL at most: a crawl takes the text in the visit that fetched the page, after
scripts have run, and pages that are crawled daily must not have the text of the day before."""


class TextAt(NamedTuple, Generic[Place]):
    """Time, kind and record of a text of a URL, and the place where it lies."""

    timestamp: datetime
    kind: TextKind
    record: str
    place: Place


class CrawlerTexts(Protocol):
    """Texts that crawlers stored, by the URLs of their pages."""

    def nearest(self, surt: str, at: datetime) -> StoredText | None:
        """Return the text of a URL that was taken nearest to a time, None if none was near."""


def nearest_text(texts: Iterable[TextAt[Place]], at: datetime) -> TextAt[Place] | None:
    """Return the text of a URL that was taken nearest to a time; None if all are farther than NEAR.

    One that was taken after the page's behaviours stands for that before them. Page lists are asked where no record is near:
    they have the same texts.
    """
    near = [text for text in texts if abs(text.timestamp - at) <= NEAR]
    by_time = sorted(near, key=attrgetter("timestamp", "kind", "record"))
    visits: list[tuple[datetime, TextAt[Place]]] = []
    for text in by_time:
        if text.kind is TextKind.LISTED:
            continue
        if text.kind is TextKind.FINAL and visits and visits[-1][1].kind is TextKind.LOADED:
            visits[-1] = visits[-1][0], text
        else:
            visits.append((text.timestamp, text))
    found = visits or [(text.timestamp, text) for text in by_time]
    return min(found, key=lambda visit: abs(visit[0] - at))[1] if found else None


WITHOUT_TEXT = frozenset({Reason.NO_TEXT, Reason.TEXT_IN_SCRIPT, Reason.UNCHANGED_NO_PAGE})
"""Reasons of pages without a text of their own, and of those that repeat one: many pages of a site may be one shell."""


def is_without_text(dropped: Dropped) -> bool:
    """Return whether a capture was not judged since its page has no text of its own."""
    return dropped.reason in WITHOUT_TEXT and dropped.is_html


def is_shell(page: PageSigns) -> bool:
    """Return whether a page with hardly any text is a frame that scripts fill."""
    damage = damage_of(page)
    return damage is not None and damage.kind is DamageKind.EMPTY_SHELL


def text_instead(
    texts: CrawlerTexts, surt: str, at: datetime | None, words: int = 0
) -> StoredText | None:
    """Return the text that a crawler stored of a page, which has so many words itself; None if it has no more."""
    text = texts.nearest(surt, at) if at is not None else None
    return text if text and count_words(text.text) > words else None
