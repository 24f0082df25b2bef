"""The opening of a page as it declares it: titles, one of which names the headline, and descriptions."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from dbce.metadata.sources import Declared

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.html import DeclaredMetadata
    from dbce.metadata.sources import Candidate

TITLES = ("og:title", "twitter:title", "citation_title", "dc.title", "dcterms.title")
DESCRIPTIONS = (
    *("description", "og:description", "twitter:description", "dc.description"),
    "dcterms.description",
)

LEAST = 4
"""Characters of a heading, spaces and signs left out, that can name a page."""

WORDS = re.compile(r"\w+")


class Opening(NamedTuple):
    """Titles that a page declares beside its `<title>`, and descriptions, one of which may be its standfirst."""

    titles: Sequence[str] = ()
    descriptions: Sequence[str] = ()


def declared_opening(declared: DeclaredMetadata) -> Opening:
    """The titles and descriptions that a page declares: in `<meta>`, JSON-LD and microdata."""
    its_descriptions = [text for text, _ in descriptions(Declared(declared)) if text]
    return Opening(declared_titles(declared), its_descriptions)


def declared_titles(declared: DeclaredMetadata) -> list[str]:
    """The titles that a page declares beside its `<title>`: in `<meta>`, JSON-LD and microdata."""
    return [title for title, _ in titles(Declared(declared))]


def titles(sources: Declared) -> Iterator[Candidate]:
    """The declared titles and where they stand, the most trusted first."""
    yield from sources.of_meta(TITLES[:1])
    yield from sources.of_linked("headline")
    yield from sources.of_meta(TITLES[1:])
    yield from sources.of_microdata("headline")


def descriptions(sources: Declared) -> Iterator[Candidate]:
    """The declared descriptions and where they stand, the most trusted first."""
    yield from sources.of_meta(DESCRIPTIONS)
    yield from sources.of_linked("description")
    yield from sources.of_microdata("description")


def title_keys(titles: Iterable[str]) -> list[str]:
    """The letters and digits of titles, as `names_page` wants them; entities that were quoted twice are read."""
    return [key for title in titles if (key := letters(unescape(title)))]


def names_page(heading: str, keys: Sequence[str]) -> bool:
    """Return whether a title begins with a heading, or is that for the most part; `keys` are those of the titles."""
    own = letters(heading)
    return len(own) >= LEAST and any(
        own in key and (key.startswith(own) or 2 * len(own) >= len(key)) for key in keys
    )


def letters(text: str) -> str:
    """The letters and digits of a text alone, in lower case."""
    return "".join(WORDS.findall(text.lower())).replace("_", "")
