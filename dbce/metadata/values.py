"""The values, each with where it was found."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

NAMES = ("title", "author", "date", "language", "site_name", "description")
"""What is looked for; each has a value and a source."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says of itself; None where it does not say.

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
