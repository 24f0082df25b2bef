"""Day of publication of a page: the rules, the surest place first.

A day that the page declares, that its URL has or that stands beside its headline; then what may be
another day; at last when it was changed, and the source says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, timedelta
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from dbce.metadata.bylines import date_in_byline
from dbce.metadata.datelines import above_text, beside_headline, short_texts
from dbce.metadata.dates import date_in_url, declared_date, month_in_url
from dbce.metadata.publication import publication_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.metadata.datelines import Line
    from dbce.metadata.sources import Candidate, Sources

    Dated = tuple[str | None, str]  # a day, if there is one, and its source

PUBLISHED = (
    *("article:published_time", "og:published_time", "og:article:published_time"),
    *("citation_publication_date", "citation_date", "dc.date.issued", "dcterms.issued"),
    *("parsely-pub-date", "sailthru.date", "pubdate", "publishdate", "publish-date"),
    *("publish_date", "publication_date", "article:published", "article.published"),
    *("datepublished", "date_published", "cxenseparse:recs:publishtime"),
    "originalpublicationdate",
)
UNSURE = (
    *("dc.date", "dcterms.date", "dcterms.created", "dc.date.created", "date", "created"),
    "video:release_date",
)
"""Names that pages also have for the day of a change."""
CHANGED = ("article:modified_time", "og:updated_time", "dcterms.modified", "last-modified")
LONGEST_TITLE = 300  # characters of a title that count


def publication_date(
    sources: Sources, titles: Sequence[str], *, month_first: bool
) -> tuple[str, str] | tuple[None, None]:
    """The date of publication and its source; `titles` are those that the page has for itself."""
    dating = _Dating(sources, [title[:LONGEST_TITLE] for title in titles], month_first)
    for day, source in chain(
        dating.read(dating.declared()),
        dating.in_its_place(),
        dating.read(dating.unsure()),
        dating.elsewhere(),
        dating.read(dating.changed()),
        dating.change_beside_headline(),
    ):
        if day:
            return day, source
    return None, None


@dataclass(frozen=True)
class _Dating:
    sources: Sources
    titles: Sequence[str]
    month_first: bool

    @cached_property
    def latest(self) -> date:
        """The last day that a page of that time can be of, wherever on earth it was written."""
        day = self.captured
        return day if day == date.max else day + timedelta(days=1)

    @cached_property
    def captured(self) -> date:
        return self.sources.captured.astimezone(UTC).date()

    @cached_property
    def beside_headline(self) -> list[Line]:
        return list(beside_headline(self.sources.page, self.titles))

    def read(self, candidates: Iterator[Candidate]) -> Iterator[Dated]:
        for value, source in candidates:
            yield declared_date(value, self.latest, month_first=self.month_first), source

    def declared(self) -> Iterator[Candidate]:
        """Dates that are declared as those of publication."""
        yield from self.sources.of_meta(PUBLISHED[:1])
        yield from self.sources.of_linked("datePublished")
        yield from self.sources.of_meta(PUBLISHED[1:])
        yield from self.sources.of_microdata("datePublished")
        times = self.sources.declared.times
        yield from ((time.value, "time") for time in times if time.published)

    def in_its_place(self) -> Iterator[Dated]:
        """Dates where pages have that of their publication."""
        yield date_in_url(self.sources.url, self.latest), "url"
        yield self._first_in(self.beside_headline), "dateline"

    def unsure(self) -> Iterator[Candidate]:
        """Declared dates that may be those of something else."""
        yield from self.sources.of_linked("dateCreated", "uploadDate")
        yield from self.sources.of_meta(UNSURE)
        yield from self.sources.of_microdata("dateCreated", "uploadDate")
        times = self.sources.declared.times
        yield from ((time.value, "time") for time in times if time.in_article)

    def elsewhere(self) -> Iterator[Dated]:
        """Dates in places where other dates stand, too."""
        page = self.sources.page
        byline = date_in_byline(page, self.latest, self.captured, month_first=self.month_first)
        yield byline, "byline"
        for title in self.titles:
            yield self._published(title), "title"
        yield self._first_in(above_text(page)), "text"
        if month := month_in_url(self.sources.url, self.latest):
            days = filter(None, map(self._published, short_texts(page)))
            yield next((day for day in days if day.startswith(month)), None), "text"
            yield month, "url"

    def changed(self) -> Iterator[Candidate]:
        """Declared dates of the last change: better than nothing."""
        yield from self.sources.of_linked("dateModified")
        yield from self.sources.of_meta(CHANGED)
        yield from self.sources.of_microdata("dateModified")

    def change_beside_headline(self) -> Iterator[Dated]:
        lines = (line for line in self.beside_headline if not line.behind_prose)
        yield self._first_in(lines, changed=True), "changed"

    def _first_in(self, lines: Iterable[Line], *, changed: bool = False) -> str | None:
        """The first day in lines; above a headline many pages show what day it is today."""
        for line in lines:
            day = self._published(line.text, short_years=True, changed=changed)
            if day and not (line.above and day == self.captured.isoformat()):
                return day
        return None

    def _published(
        self, text: str, *, short_years: bool = False, changed: bool = False
    ) -> str | None:
        return publication_in(
            text,
            self.latest,
            month_first=self.month_first,
            short_years=short_years,
            changed=changed,
        )
