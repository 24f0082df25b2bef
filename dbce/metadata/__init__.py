"""Metadata of a page, as it declares or shows it: title, author, date, language, site name, description."""

from dbce.metadata.bylines import names_byline
from dbce.metadata.dates import MONTHS
from dbce.metadata.opening import (
    Opening,
    declared_opening,
    declared_titles,
    letters,
    names_page,
    title_keys,
)
from dbce.metadata.rules import COLUMNS, NAMES, Metadata, describe, with_language_of

__all__ = [
    "COLUMNS",
    "MONTHS",
    "NAMES",
    "Metadata",
    "Opening",
    "declared_opening",
    "declared_titles",
    "describe",
    "letters",
    "names_byline",
    "names_page",
    "title_keys",
    "with_language_of",
]
