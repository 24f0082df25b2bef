"""What a page says of itself: title, author, date, language, site name, description."""

from dbce.metadata.rules import describe
from dbce.metadata.values import COLUMNS, NAMES, Metadata

__all__ = [
    "COLUMNS",
    "NAMES",
    "Metadata",
    "describe",
]
