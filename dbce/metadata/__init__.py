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
from dbce.metadata.told import SIGNS, TEXTS, Told, told

__all__ = [
    "COLUMNS",
    "MONTHS",
    "NAMES",
    "SIGNS",
    "TEXTS",
    "Metadata",
    "Opening",
    "Told",
    "declared_opening",
    "declared_titles",
    "describe",
    "letters",
    "names_byline",
    "names_page",
    "title_keys",
    "told",
    "with_language_of",
]
