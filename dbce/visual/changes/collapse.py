"""Pages that collapse: next to nothing of the older text is left, and little stands in its place.

Such a page is gone for now, whatever its template: a login, maintenance, a request for consent, a shell that
scripts would fill. The later return of the old text shows that it was no redesign.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from dbce.visual.changes.soft404 import gone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.model import Hashes
    from dbce.visual.changes.snapshot import Snapshot

COLLAPSED = "collapsed"
LOGIN = "login"
MAINTENANCE = "maintenance"
CONSENT = "consent"
SHELL = "empty shell"
FAULT = "error page"

OLD = 50
"""Words that the older page must have: what was next to nothing cannot collapse."""

LEFT = 100
"""Words that a collapsed page has fewer than."""

KEPT = 0.1
"""Share of the older page's words that a collapsed one keeps less than."""

RETURNED = 0.5
"""Share of the older page's words that the next snapshot must have for the text to be back."""

EMPTY = 15
"""Words that a shell has at most."""

_KINDS = {
    FAULT: re.compile(
        r"""
        \b(?:fatal|parse|syntax|database|server|application|internal)\serror\b | \buncaught\s\w*exception
        | \bstack\s?trace\b | \btraceback\b | \bsqlstate\b | \bundefined\s(?:function|index|variable)
        | \bwarning:\s*\w+\( | \berror\s(?:establishing|connecting|occurred|code)\b | \ban\serror\b
        | \b(?:bad\sgateway|gateway\stime-?out|service\sunavailable|too\smany\sconnections)\b
        | \b(?:datenbankfehler|serverfehler|fehler\sbei|erreur|error\sal|errore|fout|erro|fel|błąd|ошибка)\b | エラー|错误
        """,
        re.VERBOSE,
    ),
    MAINTENANCE: re.compile(
        r"""
        \bmaint[ea]nance\b | \bwartung | \bmantenimiento\b | \bmanutenzione\b | \bmanutenção\b | \bonderhoud\b
        | \bunderhåll\b | \bhuolto | \bkonserwacj | \bобслуживани | \b(?:be\s(?:right\s)?back|back\s(?:soon|shortly|online))\b
        | \b(?:temporarily|currently)\s(?:un\w+|down|closed|offline|not\s\w+)\b | \bunder\sconstruction\b
        | \b(?:vorübergehend|vorrübergehend|zur\szeit|derzeit)\b | \btemporairement\b | \btemporalmente\b
        | メンテナンス|维护|維護
        """,  # noqa: RUF001 - Cyrillic words
        re.VERBOSE,
    ),
    LOGIN: re.compile(
        r"""
        \b(?:log|sign)\s?(?:in|on)\b | \b(?:user\s?name|password|passwort|kennwort|mot\sde\spasse|contraseña|senha)\b
        | \b(?:anmelden|einloggen|angemeldet|connexion|connectez|identifiez|iniciar\ssesi[oó]n|accedi|inloggen|wachtwoord)\b
        | \b(?:lösenord|salasana|hasło|zaloguj|войти|пароль|members?\sonly|subscribers?\sonly|access\sdenied)\b
        | ログイン|パスワード|登录|登錄|密码
        """,
        re.VERBOSE,
    ),
    CONSENT: re.compile(
        r"""
        \b(?:consent|consentement|einwilligung|consentimiento|consenso|toestemming|samtycke)\b
        | \bcookies?\b.*\b(?:accept\w*|agree|allow|zustimm\w*|akzeptier\w*|aceptar|accett\w*|accepteren)\b
        | \b(?:accept|agree|zustimmen|accepter|aceptar|accetta)\b.*\bcookies?\b
        """,
        re.VERBOSE,
    ),
}
"""What a page of each kind says, the surest first, in the languages that archives have most of."""


def kind_of_little(title: str, texts: Sequence[str], words: int) -> str:
    """Return the kind of page that so little is, by what it says; COLLAPSED where nothing tells."""
    if told := gone(title, list(texts)):
        return told
    said = " ".join([title, *texts]).lower()
    kinds = (kind for kind, pattern in _KINDS.items() if pattern.search(said))
    return next(kinds, SHELL if words <= EMPTY else COLLAPSED)


def is_collapsed(old: Snapshot, new: Snapshot) -> bool:
    """Return whether the text of a page collapsed from one snapshot to the next."""
    before, after = old.blocks.words, new.blocks.words
    if len(before) < OLD or len(after) >= LEFT or new.truncated:
        return False
    return shared(before, after) < KEPT * len(before)


def is_back(old: Snapshot, later: Snapshot | None) -> bool | None:
    """Return whether a later snapshot has the text of an older one again; None without one."""
    if later is None:
        return None
    before = old.blocks.words
    return shared(before, later.blocks.words) >= RETURNED * len(before)


def shared(left: Hashes, right: Hashes) -> int:
    """Number of words that two texts have in common, as multisets."""
    known, number = np.unique(np.concatenate((left, right)), return_inverse=True)
    sides = number[: len(left)], number[len(left) :]
    counts = [np.bincount(side, minlength=len(known)) for side in sides]
    return int(np.minimum(*counts).sum())
