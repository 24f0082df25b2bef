"""The metadata of a page, and the rules for it: for each value its sources, the most trusted one first."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from datetime import datetime
from itertools import chain

from dbce.html import DeclaredMetadata
from dbce.metadata.bylines import authors, clean_author
from dbce.metadata.dating import publication_date
from dbce.metadata.headline import headline, site_names
from dbce.metadata.languages import as_tag, language_of
from dbce.metadata.structured_data import LONGEST, SITES, Candidate, Sources, descriptions, one_line
from dbce.model import Page, printable

NAMES = ("title", "author", "date", "language", "site_name", "description")
"""Names of the values; each has a source."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """Metadata of a page; None where it does not say.

    `date` is an ISO date as exact as the page says (2016, 2016-05 or 2016-05-01), `language` a tag such as `de` or
    `pt-BR`; several authors are parted by "; ". Each source is one of docs/formats.md, such as `meta:og:title`.
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
        return {name: getattr(self, name) for name in COLUMNS}


COLUMNS = tuple(field.name for field in fields(Metadata))
"""The names of all values and sources, in order."""


def clean(text: str) -> str:
    """A value in one line without control characters, "" if it says nothing."""
    # JSON can name half characters, which cannot be written in UTF-8.
    return one_line(printable(text)).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


DETECTED = "detected"  # source of a language that is detected in the text

LANGUAGES = ("content-language", "language", "dc.language", "dcterms.language", "og:locale")
LONGEST_NAME = 300  # characters of the names of all authors together; more is no name
ADDRESS = re.compile(r"https?://|www\.|^@", re.IGNORECASE)


def describe(
    declared: DeclaredMetadata, page: Page, url: str, captured: datetime, text: str
) -> Metadata:
    """The metadata of a page; `text` is its main content, for pages that name no language."""
    sources = Sources(declared, page, url, captured, text)
    language = _language(sources)
    names = site_names(sources)
    fields = (
        _first(filter(None, [headline(sources, names)]), clean),
        _first(authors(sources, names), _as_names),
        publication_date(sources, language[0] or ""),
        language,
        _first(sources.candidates(SITES, "publisher", "site", trusted=1), _as_name),
        _first(descriptions(sources), clean),
    )
    return Metadata(*chain.from_iterable(fields))


def with_language_of(metadata: Metadata, text: str) -> Metadata:
    """Metadata of a page with the language of another text of it, as far as that can be detected."""
    is_declared = metadata.language_source != DETECTED
    declared = metadata.language if is_declared else None
    if detected := language_of(text, declared):
        return replace(metadata, language=detected, language_source=DETECTED)
    return metadata if is_declared else replace(metadata, language=None, language_source=None)


def _first(
    candidates: Iterable[Candidate], accept: Callable[[str], str | None]
) -> tuple[str, str] | tuple[None, None]:
    for value, source in candidates:
        if len(value) <= LONGEST and (accepted := accept(value)):
            return accepted, source
    return None, None


def _language(sources: Sources) -> tuple[str, str] | tuple[None, None]:
    of_html = sources.declared.language, "html:lang"
    declared, source = _first([of_html, *sources.candidates(LANGUAGES, "inLanguage")], as_tag)
    if detected := language_of(sources.text, declared):
        return detected, DETECTED
    return (declared, source) if declared and source else (None, None)


def _as_name(text: str) -> str | None:
    name = clean(text)
    return None if ADDRESS.search(name) or len(name) > LONGEST_NAME else name


def _as_names(text: str) -> str | None:
    names = dict.fromkeys(clean_author(name) for name in clean(text).split("; "))
    return _as_name("; ".join(name for name in names if name))
