"""Metadata of a page, as it declares or shows it: title, author, date, language, site name, description."""

from dbce.metadata.rules import COLUMNS, NAMES, Metadata, describe

__all__ = [
    "COLUMNS",
    "NAMES",
    "Metadata",
    "describe",
]
