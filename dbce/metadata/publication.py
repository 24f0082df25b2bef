"""Words by which a text says of what its date is: of publication, of a change, of something else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.metadata.dates import dates_in_text

if TYPE_CHECKING:
    from datetime import date

PUBLISHED = re.compile(
    r"\b(?:published|posted|written|created|released|submitted|date|veröffentlicht|erstellt|"
    r"erschienen|verfasst|online seit|datum|vom|publié|publiée|mise? en ligne|rédigé|publicado|"
    r"publicada|fecha|pubblicato|pubblicata|gepubliceerd|geplaatst|opublikowano|dodano|"
    r"publikováno|vydáno|zveřejněno|publicerad|publisert|udgivet|offentliggjort|julkaistu|"
    r"megjelent|publicat|objavljeno|yayınlanma|yayın tarihi|опубликовано|дата|опубліковано|"
    r"δημοσιεύτηκε|δημοσίευση|diterbitkan)\b|"
    r"发布|發布|发表|發表|刊登|时间|時間|日期|公開日|投稿日|掲載日|作成日|입력|등록|작성|게시|نشر|تاريخ",
    re.IGNORECASE,
)
CHANGED = re.compile(
    r"\b(?:(?:last\s+|zuletzt\s+|letzte\s+)?(?:modified|modification|updated?|changed?|revised|"
    r"revision|edited|reviewed|geändert|änderung|bearbeitet|bearbeitung|aktualisiert|"
    r"aktualisierung|überarbeitet|mise? à jour|modifiée?|actualizad[oa]|actualización|"
    r"modificad[oa]|atualizad[oa]|atualização|aggiornat[oa]|aggiornamento|bijgewerkt|gewijzigd|"
    r"zaktualizowano|aktualizacja|aktualizováno|uppdaterad|oppdatert|opdateret|päivitetty|"
    r"обновлено|изменено|оновлено|güncelleme)|stand|zuletzt|"
    r"laatst|senast|sidst|sist|viimeksi|ostatnio|naposledy)\b|更新|修改|수정|تحديث",
    re.IGNORECASE,
)
OTHER = re.compile(
    r"©|\(c\)|\b(?:copyright|all rights|alle rechte|today|heute|until|expires|gültig|accessed|"
    r"retrieved|abgerufen|born|geboren|joined|member since|registered|registriert|mitglied seit|dabei seit)\b",
    re.IGNORECASE,
)
"""Of the year of a right, of the day of the visit, of an end or of a birth."""


def publication_in(
    text: str,
    latest: date,
    *,
    month_first: bool = False,
    short_years: bool = False,
    changed: bool = False,
) -> str | None:
    """The first date of a text that it does not call that of a change or of something else."""
    for place, day in dates_in_text(text, latest, month_first=month_first, short_years=short_years):
        before = text[:place]
        if not OTHER.search(before) and _is_of_change(before) == changed:
            return day
    return None


def _is_of_change(before: str) -> bool:
    """Return whether the last word of its kind in front of a date tells of a change."""
    changes = [match.end() for match in CHANGED.finditer(before)]
    published = [match.end() for match in PUBLISHED.finditer(before)]
    return bool(changes) and changes[-1] > max(published, default=-1)
