"""Metadata of a page, as it declares or shows it: title, author, date, language, site name, description."""

from dbce.metadata.headline import letters, names_page, title_keys
from dbce.metadata.rules import (
    COLUMNS,
    NAMES,
    Metadata,
    Opening,
    declared_opening,
    declared_titles,
    describe,
)

__all__ = [
    "COLUMNS",
    "NAMES",
    "Metadata",
    "Opening",
    "declared_opening",
    "declared_titles",
    "describe",
    "letters",
    "names_page",
    "title_keys",
]
