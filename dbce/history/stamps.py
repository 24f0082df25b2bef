"""Lines that say nothing of their own: dates of the last change, clocks, counters, and the numbers of lines."""

from __future__ import annotations

import re

from dbce.metadata import MONTHS

LONGEST = 14
"""Words of such a line at most."""

_DAYS = """
mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lundi mardi mercredi jeudi vendredi samedi dimanche
lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì giovedì venerdì sabato domenica
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
"""

_AROUND = """
a.m am p.m pm gmt utc cet cest est edt pst pdt uhr h st nd rd th de del do of the at on in to um am le la el da di den dne von vom
a à om klo kl på date time year years month months week weeks day days hour hours minute minutes min second seconds
ago vor jahren tagen stunden minuten il y jours heures hace días horas last latest version page this document site was is
it now today current as count times since total online users guests zuletzt letzte letzter stand diese seite wurde heute ist
dernière jour cette été última ultimo ultima esta página fue foi laatst laatste senast sidst sist viimeksi ostatnia
poslední последнее дата
"""

_STAMPED = """
update updated updates modified modification changed change changes edited revised revision reviewed created generated
published posted printed accessed retrieved aktualisiert aktualisierung geändert änderung erstellt bearbeitet veröffentlicht mise modifié modifiée modification publié actualización
actualizado modificación modificado publicado atualização atualizado alteração modificação aggiornamento
aggiornato modifica modificata bijgewerkt gewijzigd wijziging geplaatst uppdaterad ändrad publicerad
opdateret oppdatert endret muokattu päivitetty aktualizacja modyfikacja aktualizace změna обновлено обновление изменено
изменение
visits visitors visitor visit hits hit views view viewed reads read counter
besucher besuche zugriffe aufrufe visites visiteurs vues visitas visitantes visite letture weergaven copyright
comment comments reply replies response responses share shares like likes follower followers subscribers
kommentar kommentare antworten commentaire commentaires réponses comentario comentarios respuestas comentários respostas
commento commenti risposte reactie reacties kommentarer
"""

_CJK = "年月日時分秒点最終更新時刻版発布公開日付曜火水木金土期间間于於本页頁面时后後修改来訪问訪者数數次"

_SIGNS = r"[^\w]"


def _words(text: str) -> str:
    return "|".join(sorted(map(re.escape, text.split()), key=len, reverse=True))


_NUMBER = r"\d+(?:st|nd|rd|th|h|z)?(?![^\W\d_])"
_MONTH = rf"(?:{_words(' '.join(MONTHS))})(?!\w)"
_LINE = re.compile(
    rf"(?:{_SIGNS}|\d+t\d+(?=\W)|{_NUMBER}|\d+(?=[{_CJK}])|[{_CJK}]|(?:{_words(_DAYS + _AROUND + _STAMPED)})(?!\w)|{_MONTH})+"
)
_STAMP = re.compile(rf"(?<!\w)(?:{_words(_STAMPED)})(?!\w)|最終|更新|修改|発布|公開|©")
_DATE = re.compile(
    rf"(?<!\w){_MONTH}\W{{0,3}}\d|\d\W{{0,3}}(?:de\s)?{_MONTH}|(?<!\d)(?:\d{{4}}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{{4}}|\d\d?/\d\d?/\d\d)(?!\d)|\d年"
)


def is_gutter(text: str) -> bool:
    """Return whether a text numbers the lines beside it: two numbers or more, each the next of the one before."""
    words = text.split()
    if len(words) < 2 or not all(word.isdecimal() for word in words):
        return False
    numbers = list(map(int, words))
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def is_stamp(text: str) -> bool:
    """Return whether a line says when, or how often, and nothing else.

    "Last update: 3 May 2014, 10:15", "2014-05-03", "Visitors: 12345", "3 comments" do; a bare number is none, nor is "May 2014:
    the ferry is back".
    """
    lower = text.lower()
    if not any(letter.isdigit() for letter in lower) or not _LINE.fullmatch(lower):
        return False
    return bool(_STAMP.search(lower) or _DATE.search(lower))
