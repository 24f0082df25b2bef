"""Quality of captures: what stands in a page's place, what of it is missing, told by what it shows."""

from dbce.quality.comparison import (
    COLLAPSED_WORDS,
    damage_by_counts,
    has_collapsed,
    is_beginning,
    is_text_of,
)
from dbce.quality.crawler_texts import (
    CrawlerTexts,
    TextAt,
    TextsByUrl,
    is_without_text,
    text_instead,
)
from dbce.quality.damage import (
    CUT_BEFORE_TEXT,
    ENOUGH_WORDS,
    FEW_PICTURES,
    REPLACEMENTS,
    AffectedPart,
    Damage,
    DamageKind,
    PageSigns,
    damage_of,
    damage_of_reject,
    is_shell,
    meaning,
    missing_resources,
    page_signs,
    replacement_kind,
)
from dbce.quality.kinds import KindModel, KindSigns, PageKind, is_likely, kind_of_page, kind_signs
