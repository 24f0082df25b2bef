"""Where each value is looked for, the place that is trusted most first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from dbce.metadata.bylines import author_in_byline, date_in_byline
from dbce.metadata.dates import date_in_url, declared_date, month_in_url
from dbce.metadata.languages import as_tag, detect
from dbce.metadata.linked import read_linked
from dbce.metadata.values import Metadata, clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from dbce.html import Said
    from dbce.model import Page

    Found = tuple[str, str]  # a value, and where it was found

TITLES = ("og:title", "twitter:title", "citation_title", "dc.title", "dcterms.title")
AUTHORS = (
    *("author", "article:author", "citation_author", "dc.creator", "dcterms.creator", "byl"),
    *("parsely-author", "sailthru.author", "og:article:author"),
)
DATES = (
    *("article:published_time", "og:published_time", "og:article:published_time"),
    *("citation_publication_date", "citation_date", "dc.date.issued", "dcterms.issued", "dc.date"),
    *("dcterms.date", "dcterms.created", "dc.date.created", "parsely-pub-date", "sailthru.date"),
    *("pubdate", "publishdate", "publish-date", "publish_date", "publication_date", "date"),
    *("article.published", "originalpublicationdate", "created"),
)
CHANGES = ("article:modified_time", "og:updated_time", "dcterms.modified", "last-modified")
LANGUAGES = ("content-language", "language", "dc.language", "dcterms.language", "og:locale")
SITES = ("og:site_name", "application-name", "dc.publisher", "dcterms.publisher")
DESCRIPTIONS = (
    *("description", "og:description", "twitter:description", "dc.description"),
    "dcterms.description",
)
LONGEST_NAME = 300  # characters of the names of all authors together; more is no name
ADDRESS = re.compile(r"https?://|www\.|^@", re.IGNORECASE)


@dataclass(frozen=True)
class _Sayings:
    """What a page says, and what it takes to judge that."""

    said: Said
    page: Page
    url: str
    captured: datetime
    text: str

    @cached_property
    def linked(self) -> dict[str, tuple[str, ...]]:
        return read_linked(self.said.linked)

    @cached_property
    def metas(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, content in self.said.metas:
            found.setdefault(name.replace("dc:", "dc."), []).append(content)
        return found

    def of_meta(self, names: Iterable[str]) -> Iterator[Found]:
        return ((value, f"meta:{n}") for n in names for value in self.metas.get(n, ())[:1])

    def of_linked(self, *names: str) -> Iterator[Found]:
        return ((value, f"json-ld:{n}") for n in names for value in self.linked.get(n, ())[:1])

    def of_microdata(self, *names: str) -> Iterator[Found]:
        found = dict(self.said.properties)
        for name in names:
            if name in found:
                yield found[name], name if ":" in name else f"microdata:{name}"


def describe(said: Said, page: Page, url: str, captured: datetime, text: str) -> Metadata:
    """What a page says of itself; `text` is its main content, for pages that name no language."""
    one = _Sayings(said, page, url, captured, text)
    title, title_source = _first(_titles(one), clean)
    author, author_source = _first(_authors(one), _as_names)
    language, language_source = _first(_languages(one), as_tag)
    published, date_source = _date(one, month_first=language == "en-US")
    site_name, site_name_source = _first(_sites(one), _as_name)
    description, description_source = _first(_descriptions(one), clean)
    return Metadata(
        *(title, title_source, author, author_source, published, date_source),
        *(language, language_source, site_name, site_name_source),
        *(description, description_source),
    )


def _first(
    found: Iterable[Found], accept: Callable[[str], str | None]
) -> tuple[str, str] | tuple[None, None]:
    """The first value that is accepted, as it is accepted, and where it was found."""
    for value, source in found:
        if accepted := accept(value):
            return accepted, source
    return None, None


def _titles(one: _Sayings) -> Iterator[Found]:
    yield from one.of_meta(TITLES[:1])
    yield from one.of_linked("headline")
    yield from one.of_meta(TITLES[1:])
    yield from one.of_microdata("headline")
    yield one.page.title, "title"
    yield one.said.heading, "h1"


def _authors(one: _Sayings) -> Iterator[Found]:
    if "author" in one.linked:
        yield "; ".join(one.linked["author"]), "json-ld:author"
    for name in AUTHORS:
        if name in one.metas:
            yield "; ".join(one.metas[name]), f"meta:{name}"
    yield from one.of_microdata("author", "rel:author")
    if byline := author_in_byline(one.page):
        yield byline, "byline"


def _languages(one: _Sayings) -> Iterator[Found]:
    yield one.said.language, "html:lang"
    yield from one.of_meta(LANGUAGES)
    yield from one.of_linked("inLanguage")
    yield from one.of_microdata("inLanguage")
    if detected := detect(one.text):
        yield detected, "detected"


def _sites(one: _Sayings) -> Iterator[Found]:
    yield from one.of_meta(SITES[:1])
    yield from one.of_linked("publisher", "site")
    yield from one.of_meta(SITES[1:])
    yield from one.of_microdata("publisher")


def _descriptions(one: _Sayings) -> Iterator[Found]:
    yield from one.of_meta(DESCRIPTIONS)
    yield from one.of_linked("description")
    yield from one.of_microdata("description")


def _date(one: _Sayings, *, month_first: bool) -> tuple[str, str] | tuple[None, None]:
    latest = _latest(one.captured)

    def accept(value: str) -> str | None:
        return declared_date(value, latest, month_first=month_first)

    found = _first(_declared_dates(one), accept)
    if found[0] is None:
        found = _first(_undeclared_dates(one, latest, month_first), lambda value: value)
    return found if found[0] else _first(_changes(one), accept)


def _declared_dates(one: _Sayings) -> Iterator[Found]:
    yield from one.of_meta(DATES[:1])
    yield from one.of_linked("datePublished", "dateCreated")
    yield from one.of_meta(DATES[1:])
    yield from one.of_microdata("datePublished", "dateCreated")
    times = one.said.times
    yield from ((time.value, "time") for time in times if time.published)
    yield from ((time.value, "time") for time in times if time.in_article)


def _undeclared_dates(one: _Sayings, latest: date, month_first: bool) -> Iterator[Found]:
    """Dates that are nowhere declared as such, the surer first."""
    if found := date_in_url(one.url, latest):
        yield found, "url"
    if found := date_in_byline(one.page, latest, one.captured.date(), month_first=month_first):
        yield found, "byline"
    if found := month_in_url(one.url, latest):
        yield found, "url"


def _changes(one: _Sayings) -> Iterator[Found]:
    """When it was changed last: better than nothing, and the source says so."""
    yield from one.of_linked("dateModified")
    yield from one.of_meta(CHANGES)
    yield from one.of_microdata("dateModified")


def _latest(captured: datetime) -> date:
    """The last day that a page of that time can be of, wherever on earth it was written."""
    day = captured.astimezone(UTC).date()
    return day if day == date.max else day + timedelta(days=1)


def _as_name(text: str) -> str | None:
    name = clean(text)
    return None if ADDRESS.search(name) or len(name) > LONGEST_NAME else name


def _as_names(text: str) -> str | None:
    """Names of authors, each once; None where one is no name but an address."""
    names = dict.fromkeys(clean(name) for name in text.split("; "))
    return _as_name("; ".join(name for name in names if name))
