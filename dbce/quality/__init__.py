"""Quality of captures: what stands in a page's place, what of it is missing, told by what it shows."""

from dbce.quality.crawler_texts import (
    CrawlerTexts,
    TextAt,
    TextsByUrl,
    is_without_text,
    text_instead,
)
from dbce.quality.damage import (
    BEFORE_ITS_TEXT,
    LITTLE,
    SHORT,
    Damage,
    DamageKind,
    damage_among,
    damage_by_counts,
    damage_of,
    damage_of_reject,
    is_shell,
    missing_resources,
)
from dbce.quality.garbled import garbled
from dbce.quality.kind_signs import KindSigns, kind_signs
from dbce.quality.kinds import KindModel, KindOfPage, PageKind, kind_of_page
from dbce.quality.phrases import ERROR_PHRASES, PARKED_PHRASES
from dbce.quality.signs import PageSigns, page_signs

__all__ = [
    "BEFORE_ITS_TEXT",
    "ERROR_PHRASES",
    "LITTLE",
    "PARKED_PHRASES",
    "SHORT",
    "CrawlerTexts",
    "Damage",
    "DamageKind",
    "KindModel",
    "KindOfPage",
    "KindSigns",
    "PageKind",
    "PageSigns",
    "TextAt",
    "TextsByUrl",
    "damage_among",
    "damage_by_counts",
    "damage_of",
    "damage_of_reject",
    "garbled",
    "is_shell",
    "is_without_text",
    "kind_of_page",
    "kind_signs",
    "missing_resources",
    "page_signs",
    "text_instead",
]
