"""Damage of a capture: the kind of page that stands in its place, or what of it is missing.

Pure functions of plain values: what a page shows by itself, and what it embeds. What others show of it is in `beside`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from dbce.model import Reason, count_words
from dbce.quality import phrases
from dbce.quality.garbled import garbled

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from re import Pattern

    from dbce.quality.signs import PageSigns


class DamageKind(StrEnum):
    """Kind of damage of a capture."""

    ERROR = "error"  # an error that is told at status 200
    MAINTENANCE = "maintenance"
    PARKED = "parked"  # a registrar's page
    CONSENT = "consent"  # a request for consent in the page's place
    LOGIN = "login"
    BOT_CHECK = "bot-check"
    EMPTY_SHELL = "empty-shell"  # a frame that scripts would fill
    CUT_SHORT = "cut-short"
    CHARSET = "charset"  # text that went through the wrong charset
    COLLAPSED = "collapsed"  # nearly nothing of what other captures have
    CONTENT_FELL = "content-fell"  # the share of content in its template
    NO_STYLE = "no-style"  # style sheets that were not archived
    NO_PICTURES = "no-pictures"


IN_ITS_PLACE = frozenset(
    {
        *(DamageKind.ERROR, DamageKind.MAINTENANCE, DamageKind.PARKED, DamageKind.CONSENT),
        *(DamageKind.LOGIN, DamageKind.BOT_CHECK, DamageKind.EMPTY_SHELL),
    }
)
"""Kinds of pages that stand in another page's place."""


class Damage(NamedTuple):
    """Kind of damage of a capture, and what shows it."""

    kind: DamageKind
    reason: str


BEFORE_ITS_TEXT = "the page breaks off before its text"
"""Beginning of the detail of a reject: what it would have shown is not known."""

SHORT = 150
"""Words that a page in another's place has at most: an article on lost pages has more."""

LINE = 200
"""Characters of a heading at most; longer ones are texts."""

OPENING = 400
"""Characters of a main text in which a page says what it is."""

NAME = 5
"""Words of a part of a title at most that says of a page with a longer text what it is: "Page not found"."""

FIRST = 3
"""Headings of such a page that are read, and SAID the words that they have at most."""

SAID = 8

_PARTS = re.compile(r"\s[|\u2013\u2014\u00b7»-]\s|:\s")

LITTLE = 75
"""Words of its main text at most, where the template of the site has all others."""

FRAMED = 500
"""Words that such a page has at most, together with those of the template."""

WALL = 400
"""Words that a request for consent or to log in has at most."""

ASKED = 0.5
"""Share of the words of a page that stand in lines on consent, from which on it asks for that alone."""

NOTHING = 15
"""Words of the main text of a page at most, below which there is none."""

OLD = 50
"""Words of a main text from which on its loss is one, and its letters say how it was read."""

MISSING = 0.5
"""Share of the pictures of a page from which on they are missing."""

FEW_PICTURES = 3


def damage_of(page: PageSigns) -> Damage | None:
    """Return the damage that a capture shows by itself, None where it shows none."""
    return _in_its_place(page) or _is_cut(page) or _shell(page) or _is_garbled(page)


def kind_in_its_place(damage: str | None, words: int | None, content_words: int | None) -> str:
    """Return the kind of page that stands in the place of a capture's own, by its row of `pages`; "" if it is the page itself.

    A page of more than SHORT words, more than LITTLE of them content, has a text of its own, whatever its title says.
    """
    has_text = (words or 0) > SHORT and (content_words or 0) > LITTLE
    return "" if damage is None or damage not in IN_ITS_PLACE or has_text else str(damage)


def is_shell(page: PageSigns) -> bool:
    """Return whether a page with hardly any text is a frame that scripts fill."""
    # Most pages have more words, which are counted anyway: nobody looks for phrases in them.
    damage = damage_of(page) if _is_little(page) else None
    return damage is not None and damage.kind is DamageKind.EMPTY_SHELL


def damage_of_reject(reason: Reason, detail: str) -> Damage | None:
    """Return the damage of a capture that has no verdicts, by the reason; None where there is nothing to be judged."""
    if detail.startswith(BEFORE_ITS_TEXT):
        return Damage(DamageKind.CUT_SHORT, detail)
    if reason in (Reason.NO_TEXT, Reason.TEXT_IN_SCRIPT):
        return Damage(DamageKind.EMPTY_SHELL, detail or "no text")
    if reason is Reason.TRUNCATED:
        return Damage(DamageKind.CUT_SHORT, detail)
    return None


def missing_resources(
    sheets: Collection[str], pictures: Collection[str], is_there: Callable[[str], bool]
) -> Damage | None:
    """Return the damage of a capture whose style sheets, or most of whose pictures, are not archived."""
    if sheets and not any(map(is_there, sheets)):
        return Damage(DamageKind.NO_STYLE, f"{_counted(len(sheets), 'style sheet')} not archived")
    lost = [picture for picture in pictures if not is_there(picture)]
    if len(pictures) >= FEW_PICTURES and len(lost) >= MISSING * len(pictures):
        return Damage(
            DamageKind.NO_PICTURES, f"{len(lost)} of {len(pictures)} pictures not archived"
        )
    return None


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _in_its_place(page: PageSigns) -> Damage | None:
    """Return the page that stands in another's place, told by what it says."""
    if page.expected_words > WALL:
        return None
    told = _told(page)
    for kind, pattern in (
        (DamageKind.BOT_CHECK, phrases.BOT_CHECK),
        (DamageKind.PARKED, phrases.PARKED_PHRASES),
        (DamageKind.MAINTENANCE, phrases.MAINTENANCE),
        (DamageKind.ERROR, phrases.ERROR_PHRASES),
        (DamageKind.MAINTENANCE, phrases.OFFLINE),
    ):
        if told and (phrase := _phrase(pattern, told)):
            return Damage(kind, phrase)
    return _wall(page)


def _told(page: PageSigns) -> str:
    """Return the words by which a page with little text says what it is, in lower case; "" of one with more.

    Where the template has more, it says so in a title, in a heading, or where its main text begins.
    """
    if page.words <= SHORT:
        texts = [page.title, page.shown]
    elif page.expected_words <= SHORT:
        texts = [page.title, *(h for h in page.headings if len(h) <= LINE), page.text[:OPENING]]
    else:
        texts = [part for part in _PARTS.split(page.title) if count_words(part) <= NAME]
        texts += [heading for heading in page.headings[:FIRST] if count_words(heading) <= SAID]
    return "\n".join(texts).lower()


def _phrase(pattern: Pattern[str], text: str) -> str:
    """Return the words of a text that a pattern finds, in a line."""
    match = pattern.search(text)
    return " ".join(match[0].split())[:80] if match else ""


def _wall(page: PageSigns) -> Damage | None:
    path = page.url.lower().partition("://")[2].partition("/")[2]
    if phrases.OWN_PAGES.search(path):
        return None
    shown, told = page.shown.lower(), _told(page)
    if page.source.passwords:
        named = (
            part for part in _PARTS.split(page.title) if phrases.LOGIN_NAMES.search(part.lower())
        )
        if name := next(named, ""):
            return Damage(DamageKind.LOGIN, " ".join(name.split()))
        # A wall may stand below what it hides, and not pass for content.
        told = shown if page.expected_words <= SHORT else told
    if phrase := _phrase(phrases.LOGIN, told):
        return Damage(DamageKind.LOGIN, phrase)
    if page.words <= WALL and not phrases.POLICIES.search(path):
        lines = shown.split("\n")
        asked = sum(len(line) for line in lines if phrases.CONSENT.search(line))
        if asked >= ASKED * len(shown) and (agree := _phrase(phrases.AGREE, shown)):
            return Damage(DamageKind.CONSENT, agree)
    if page.source.passwords and page.expected_words <= LITTLE and page.words <= 2 * SHORT:
        return Damage(DamageKind.LOGIN, "a password is asked for")
    return None


def _is_little(page: PageSigns) -> bool:
    return page.content_words <= LITTLE and page.words <= FRAMED


def _shell(page: PageSigns) -> Damage | None:
    if not _is_little(page):
        return None
    if phrase := _phrase(phrases.ENABLE_SCRIPTS, _told(page)):
        return Damage(DamageKind.EMPTY_SHELL, phrase)
    if page.content_words > NOTHING:
        return None
    if page.is_unfilled and page.words <= 2 * SHORT:
        return Damage(DamageKind.EMPTY_SHELL, "an element that scripts fill is empty")
    if page.words <= NOTHING and page.source.scripts:
        return Damage(DamageKind.EMPTY_SHELL, f"{page.words} words")
    return None


def _is_cut(page: PageSigns) -> Damage | None:
    if page.truncated:
        how = "" if page.truncated == "record" else f": {page.truncated}"
        return Damage(DamageKind.CUT_SHORT, f"the record breaks off{how}")
    if page.source.breaks_off:
        return Damage(DamageKind.CUT_SHORT, f"the page ends {page.source.breaks_off}")
    return None


def _is_garbled(page: PageSigns) -> Damage | None:
    reason = garbled(page.text if page.content_words >= OLD else page.shown)
    return Damage(DamageKind.CHARSET, reason) if reason else None
