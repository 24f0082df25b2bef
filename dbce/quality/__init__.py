"""Quality of captures: what stands in a page's place, what of it is missing, told by what it shows."""

from dbce.quality.beside import (
    COLLAPSED,
    damage_among,
    damage_by_counts,
    has_collapsed,
    is_text_of,
    suspicion_by_counts,
)
from dbce.quality.crawler_texts import (
    CrawlerTexts,
    TextAt,
    TextsByUrl,
    is_without_text,
    text_instead,
)
from dbce.quality.damage import (
    BEFORE_ITS_TEXT,
    OLD,
    Damage,
    DamageKind,
    damage_of,
    damage_of_reject,
    is_shell,
    kind_in_its_place,
    missing_resources,
)
from dbce.quality.garbled import garbled
from dbce.quality.kind_signs import KindSigns, kind_signs
from dbce.quality.kinds import KindModel, KindOfPage, PageKind, kind_of_page
from dbce.quality.signs import PageSigns, page_signs

__all__ = [
    "BEFORE_ITS_TEXT",
    "COLLAPSED",
    "OLD",
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
    "has_collapsed",
    "is_shell",
    "is_text_of",
    "is_without_text",
    "kind_in_its_place",
    "kind_of_page",
    "kind_signs",
    "missing_resources",
    "page_signs",
    "suspicion_by_counts",
    "text_instead",
]
