"""The metadata of a page, and the rules for it: for each value its sources, the most trusted one first."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from dbce.metadata.bylines import author_in_byline, date_in_byline
from dbce.metadata.dates import date_in_url, declared_date, month_in_url
from dbce.metadata.languages import as_tag, detect
from dbce.metadata.linked import read_linked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from dbce.html import DeclaredMetadata
    from dbce.model import Page

    Candidate = tuple[str, str]  # a value and its source

NAMES = ("title", "author", "date", "language", "site_name", "description")
"""The values that are looked for; each has a source."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """Metadata of a page; None where it does not say.

    `date` is an ISO date as exact as the page says (2016, 2016-05 or 2016-05-01), `language` a tag
    such as `de` or `pt-BR`; several authors are parted by "; ". Each source is one of docs/formats.md,
    such as `meta:og:title`.
    """

    title: str | None = None
    title_source: str | None = None
    author: str | None = None
    author_source: str | None = None
    date: str | None = None
    date_source: str | None = None
    language: str | None = None
    language_source: str | None = None
    site_name: str | None = None
    site_name_source: str | None = None
    description: str | None = None
    description_source: str | None = None

    def row(self) -> dict[str, str | None]:
        """Name to value, in order: the columns of the table `pages`."""
        return dataclasses.asdict(self)


COLUMNS = tuple(field.name for field in dataclasses.fields(Metadata))
"""The names of all values and sources, in order."""


def clean(text: str) -> str:
    """A value in one line, and such that it can be written in UTF-8: JSON can name half characters."""
    line = " ".join(text.split())
    return line.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


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
class _Declared:
    """Declarations of a page about itself, by kind."""

    declared: DeclaredMetadata

    @cached_property
    def linked(self) -> dict[str, tuple[str, ...]]:
        return read_linked(self.declared.linked)

    @cached_property
    def metas(self) -> dict[str, list[str]]:
        contents: dict[str, list[str]] = {}
        for name, content in self.declared.metas:
            # Names of Dublin Core are written with a colon, too.
            contents.setdefault(name.replace("dc:", "dc."), []).append(content)
        return contents

    def of_meta(self, names: Iterable[str]) -> Iterator[Candidate]:
        return ((value, f"meta:{n}") for n in names for value in self.metas.get(n, ())[:1])

    def of_linked(self, *names: str) -> Iterator[Candidate]:
        return ((value, f"json-ld:{n}") for n in names for value in self.linked.get(n, ())[:1])

    def of_microdata(self, *names: str) -> Iterator[Candidate]:
        properties = dict(self.declared.properties)
        for name in names:
            if name in properties:
                yield properties[name], name if ":" in name else f"microdata:{name}"


@dataclass(frozen=True)
class _Sources(_Declared):
    """The sources that a page has for its metadata, and what it takes to judge them."""

    page: Page
    url: str
    captured: datetime
    text: str


def describe(
    declared: DeclaredMetadata, page: Page, url: str, captured: datetime, text: str
) -> Metadata:
    """The metadata of a page; `text` is its main content, for pages that name no language."""
    sources = _Sources(declared, page, url, captured, text)
    title, title_source = _first(_titles(sources), clean)
    author, author_source = _first(_authors(sources), _as_names)
    language, language_source = _first(_languages(sources), as_tag)
    published, date_source = _date(sources, month_first=language == "en-US")
    site_name, site_name_source = _first(_sites(sources), _as_name)
    description, description_source = _first(_descriptions(sources), clean)
    return Metadata(
        *(title, title_source, author, author_source, published, date_source),
        *(language, language_source, site_name, site_name_source),
        *(description, description_source),
    )


def _first(
    candidates: Iterable[Candidate], accept: Callable[[str], str | None]
) -> tuple[str, str] | tuple[None, None]:
    """The first value that is accepted, as it is accepted, and its source."""
    for value, source in candidates:
        if accepted := accept(value):
            return accepted, source
    return None, None


def declared_titles(declared: DeclaredMetadata) -> list[str]:
    """The titles that a page declares beside its `<title>`: in `<meta>`, JSON-LD and microdata."""
    return [title for title, _ in _declared_titles(_Declared(declared))]


def _declared_titles(sources: _Declared) -> Iterator[Candidate]:
    yield from sources.of_meta(TITLES[:1])
    yield from sources.of_linked("headline")
    yield from sources.of_meta(TITLES[1:])
    yield from sources.of_microdata("headline")


def _titles(sources: _Sources) -> Iterator[Candidate]:
    yield from _declared_titles(sources)
    yield sources.page.title, "title"
    yield sources.declared.heading, "h1"


def _authors(sources: _Sources) -> Iterator[Candidate]:
    if "author" in sources.linked:
        yield "; ".join(sources.linked["author"]), "json-ld:author"
    for name in AUTHORS:
        if name in sources.metas:
            yield "; ".join(sources.metas[name]), f"meta:{name}"
    yield from sources.of_microdata("author", "rel:author")
    if byline := author_in_byline(sources.page):
        yield byline, "byline"


def _languages(sources: _Sources) -> Iterator[Candidate]:
    yield sources.declared.language, "html:lang"
    yield from sources.of_meta(LANGUAGES)
    yield from sources.of_linked("inLanguage")
    yield from sources.of_microdata("inLanguage")
    if detected := detect(sources.text):
        yield detected, "detected"


def _sites(sources: _Sources) -> Iterator[Candidate]:
    yield from sources.of_meta(SITES[:1])
    yield from sources.of_linked("publisher", "site")
    yield from sources.of_meta(SITES[1:])
    yield from sources.of_microdata("publisher")


def _descriptions(sources: _Sources) -> Iterator[Candidate]:
    yield from sources.of_meta(DESCRIPTIONS)
    yield from sources.of_linked("description")
    yield from sources.of_microdata("description")


def _date(sources: _Sources, *, month_first: bool) -> tuple[str, str] | tuple[None, None]:
    latest = _latest(sources.captured)

    def accept(value: str) -> str | None:
        return declared_date(value, latest, month_first=month_first)

    dated = _first(_declared_dates(sources), accept)
    if dated[0] is None:
        dated = _first(_undeclared_dates(sources, latest, month_first), lambda value: value)
    return dated if dated[0] else _first(_changes(sources), accept)


def _declared_dates(sources: _Sources) -> Iterator[Candidate]:
    yield from sources.of_meta(DATES[:1])
    yield from sources.of_linked("datePublished", "dateCreated")
    yield from sources.of_meta(DATES[1:])
    yield from sources.of_microdata("datePublished", "dateCreated")
    times = sources.declared.times
    yield from ((time.value, "time") for time in times if time.published)
    yield from ((time.value, "time") for time in times if time.in_article)


def _undeclared_dates(sources: _Sources, latest: date, month_first: bool) -> Iterator[Candidate]:
    """Dates that are nowhere declared as such, the surer first."""
    if day := date_in_url(sources.url, latest):
        yield day, "url"
    if day := date_in_byline(
        sources.page, latest, sources.captured.date(), month_first=month_first
    ):
        yield day, "byline"
    if day := month_in_url(sources.url, latest):
        yield day, "url"


def _changes(sources: _Sources) -> Iterator[Candidate]:
    """Dates of the last change: better than nothing, and the source says so."""
    yield from sources.of_linked("dateModified")
    yield from sources.of_meta(CHANGES)
    yield from sources.of_microdata("dateModified")


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
