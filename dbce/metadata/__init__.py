"""Metadata of a page, as it declares or shows it: title, author, date, language, site name, description."""

from dbce.metadata.bylines import names_byline
from dbce.metadata.dates import MONTHS
from dbce.metadata.rules import COLUMNS, NAMES, Metadata, describe, with_language_of
from dbce.metadata.structured_data import (
    DESCRIPTION_SIGNS,
    DESCRIPTION_SUBJECTS,
    Opening,
    SelfDescription,
    declared_opening,
    declared_titles,
    letters,
    names_page,
    self_description,
    title_keys,
)
