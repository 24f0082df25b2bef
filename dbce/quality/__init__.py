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
    COLLAPSED,
    IN_ITS_PLACE,
    OLD,
    Affected,
    Damage,
    DamageKind,
    PageSigns,
    damage_among,
    damage_by_counts,
    damage_of,
    damage_of_reject,
    has_collapsed,
    is_beginning,
    is_shell,
    is_text_of,
    kind_in_its_place,
    meaning,
    missing_resources,
    page_signs,
    suspicion_by_counts,
)
from dbce.quality.garbled import garbled
from dbce.quality.kinds import (
    KindModel,
    KindSigns,
    PageKind,
    kind_of_page,
    kind_signs,
)
