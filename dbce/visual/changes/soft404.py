"""Pages that answer, and are no page any more: errors told in words ("soft 404") and parked domains."""

from __future__ import annotations

import re

ERROR = "error page"
PARKED = "parked"
STATUS = "http status"

SHORT = 150
"""Words that such a page has at most: an article on lost pages has more."""

LITTLE = 75
"""Words of its content at most, where the template of the site has all others."""

_ERRORS = re.compile(
    r"""
    \b(?:error|http|status)?\s*(?:404|410|403|500|502|503)\b
        (?=\W*(?:$|error|not|page|file|forbidden|gone|internal|bad|service|seite|página|fehler))
    | \b(?:page|file|url|document|site|object|article)\s(?:you\s\w+\s\w+\s)?
        (?:was\s|is\s|could\s|can|cannot\s|does\s)?(?:not|no\slonger)\s?(?:be\s|was\s)?
        (?:found|available|exist)
    | \b(?:not\sfound|forbidden|access\sdenied|service\sunavailable|internal\sserver\serror)\b
    | \b(?:seite|datei|dokument)\s(?:\w+\s){0,3}nicht\s(?:gefunden|vorhanden|verfügbar)
    | \bpage\s(?:introuvable|non\strouvée)|\bn['’]existe\s(?:pas|plus)\b
    | \bpágina\s(?:\w+\s)?(?:no\s(?:encontrada|existe)|não\s(?:encontrada|existe))
    | \bpagina\s(?:\w+\s)?(?:niet\sgevonden|non\strovata)|страница\sне\sнайдена
    | ページが見つかりません|页面不存在|找不到(?:该|网)?页
    | \baccount\s(?:has\sbeen\s)?suspended\b
    """,  # noqa: RUF001 - Cyrillic words
    re.VERBOSE,
)

_PARKED = re.compile(
    r"""
    \bdomain\s(?:name\s)?(?:\S+\s)?(?:is|may\sbe)\sfor\ssale\b
    | \b(?:buy|acheter|kaufen)\s(?:this|diese|ce)\sdomain
    | \b(?:this\sdomain|domain\sis)\s(?:\w+\s)?(?:parked|has\sexpired)\b
    | \bparked\s(?:free|domain)\b | \bdiese\sdomain\ssteht\szum\sverkauf
    """,
    re.VERBOSE,
)


def gone(title: str, texts: list[str] | None) -> str:
    """Return what stands in a page's place, by its words: ERROR, PARKED, or "" where nothing says so.

    `texts` are all of the page or, if it has more than SHORT words, those of its content, where it has any; None if
    these have more than LITTLE.
    **choice**: no list of such phrases is whole, those of eight languages that servers and registrars print
    are here.
    """
    if texts is None:
        return ""
    text = " ".join([title, *texts]).lower()
    if _PARKED.search(text):
        return PARKED
    return ERROR if _ERRORS.search(text) else ""
