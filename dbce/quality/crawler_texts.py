"""Texts that crawlers stored of pages: which page takes one for its own, and which it takes."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from operator import attrgetter, itemgetter
from typing import Generic, NamedTuple, Protocol, TypeVar

from dbce.model import Reason, Reject, StoredText, TextKind, count_words

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


_Timed = list[tuple[datetime, TextAt[Place]]]


class CrawlerTexts(Protocol):
    def nearest(self, surt: str, at: datetime) -> StoredText | None:
        """Return the text of a URL that was taken nearest to a time, None if none was near."""


class TextsByUrl(Generic[Place]):
    """Texts by the sort keys of their pages' URLs: some 200 bytes each."""

    def __init__(self) -> None:
        self._texts: dict[str, list[TextAt[Place]]] = defaultdict(list)
        self._taken: dict[str, tuple[_Timed[Place], _Timed[Place]]] = {}

    def add(self, surt: str, text: TextAt[Place]) -> None:
        self._texts[surt].append(text)

    def nearest(self, surt: str, at: datetime) -> TextAt[Place] | None:
        """Return the text of a URL that was taken nearest to a time; None if all are farther than NEAR.

        One that was taken after the page's behaviours stands for that before them. Page lists are asked where no record
        is near: they have the same texts.
        """
        if surt not in self._texts:
            return None
        if surt not in self._taken:  # sorted once: a URL may have as many captures as texts
            self._taken[surt] = _sort_by_time(self._texts[surt])
        visits, listed = self._taken[surt]
        return _nearest(visits, at) or _nearest(listed, at)


def _sort_by_time(texts: Iterable[TextAt[Place]]) -> tuple[_Timed[Place], _Timed[Place]]:
    """Texts of a URL by time: those of records, of each visit the last, with the time of its first; and those of page lists."""
    visits: _Timed[Place] = []
    listed: _Timed[Place] = []
    for text in sorted(texts, key=attrgetter("timestamp", "kind", "record")):
        if text.kind is TextKind.LISTED:
            listed.append((text.timestamp, text))
            continue
        time, before = visits[-1] if visits else (text.timestamp, text)
        is_loaded = before.kind is TextKind.LOADED and text.timestamp - before.timestamp <= NEAR
        if is_loaded and text.kind is TextKind.FINAL:  # after behaviours, of the same visit
            visits[-1] = time, text
        else:
            visits.append((text.timestamp, text))
    return visits, listed


def _nearest(texts: _Timed[Place], at: datetime) -> TextAt[Place] | None:
    place = bisect_left(texts, at, key=itemgetter(0))
    neighbours = texts[max(0, place - 1) : place + 1]
    time, text = min(neighbours, key=lambda timed: abs(timed[0] - at), default=(at, None))
    return text if abs(time - at) <= NEAR else None


WITHOUT_TEXT = frozenset({Reason.NO_TEXT, Reason.TEXT_IN_SCRIPT, Reason.UNCHANGED_NO_PAGE})
"""Reasons of pages without a text of their own, and of those that repeat one: many pages of a site may be one shell."""


def is_without_text(dropped: Reject) -> bool:
    """Return whether a capture was not judged since its page has no text of its own."""
    return dropped.reason in WITHOUT_TEXT and dropped.is_html


def text_instead(
    texts: CrawlerTexts, surt: str, at: datetime | None, judged: str = ""
) -> StoredText | None:
    """Return the text that a crawler stored of a page; None if it has no more words than the text that was `judged`."""
    text = texts.nearest(surt, at) if at is not None else None
    return text if text and count_words(text.text) > count_words(judged) else None
