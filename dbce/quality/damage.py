"""Damage of a capture: the page that stands in the place of its own, what of it is missing, and what shows it.

One vocabulary for all who say what is wrong with a capture (`DamageKind`); a kind is added here, and its phrases to `phrases`.
Pure functions of plain values: here a capture is looked at alone, in `comparison` beside others.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import compress, count
from re import Pattern
from typing import NamedTuple

from dbce import html
from dbce.model import WORD_RUN, Reason, ValueWithMeaning, count_of, count_words
from dbce.quality import phrases


class AffectedPart(StrEnum):
    PAGE = "page"  # another page stands in its place
    TEXT = "text"  # it is not whole, or not legible
    RESOURCES = "resources"  # what the page embeds is missing


class DamageKind(ValueWithMeaning):
    """Kind of damage of a capture, with the part affected and its meaning in words."""

    affected: AffectedPart

    ERROR = "error", "an error page that is answered as a page", AffectedPart.PAGE
    MAINTENANCE = "maintenance", "the site is under maintenance", AffectedPart.PAGE
    MOVED = "moved", "a notice that the page has moved", AffectedPart.PAGE
    PARKED = "parked", "a parked domain", AffectedPart.PAGE
    CONSENT = "consent", "a request for consent in the page's place", AffectedPart.PAGE
    LOGIN = "login", "a request to log in in the page's place", AffectedPart.PAGE
    BOT_CHECK = "bot-check", "a request to prove that one is human", AffectedPart.PAGE
    EMPTY_SHELL = "empty-shell", "a frame that scripts would fill", AffectedPart.PAGE
    CUT_SHORT = "cut-short", "the page breaks off", AffectedPart.TEXT
    CHARSET = "charset", "its text went through the wrong charset", AffectedPart.TEXT
    COLLAPSED = "collapsed", "nearly nothing is left of what other captures have", AffectedPart.TEXT
    CONTENT_FELL = "content-fell", "its template is there, its content is not", AffectedPart.TEXT
    COMES_BACK = "comes back", "text is missing that is there again", AffectedPart.TEXT
    NO_MAIN_TEXT = "no main text", "the page has no main text", AffectedPart.TEXT
    UNREADABLE = "unreadable", "its stored page cannot be read", AffectedPart.TEXT
    NO_STYLE = "no-style", "its style sheets are missing", AffectedPart.RESOURCES
    NO_PICTURES = "no-pictures", "its pictures are missing", AffectedPart.RESOURCES
    NO_RESOURCES = "no-resources", "much of what it embeds is missing", AffectedPart.RESOURCES

    def __init__(
        self, _value: str, _meaning: str = "", affected: AffectedPart = AffectedPart.PAGE
    ) -> None:
        self.affected = affected


# Kinds of pages that stand in another page's place.
REPLACEMENTS = frozenset(kind for kind in DamageKind if kind.affected is AffectedPart.PAGE)

_MEANINGS: dict[str, str] = {value: value.meaning for value in (*Reason, *DamageKind)}


def meaning(value: str) -> str:
    """Return a kind of damage, or a reason why a capture has no verdicts, in words; another value as it is."""
    return _MEANINGS.get(value, value)


class Damage(NamedTuple):
    """Kind of damage of a capture, and the evidence: words of the page, or what was counted."""

    kind: DamageKind
    evidence: str


CUT_BEFORE_TEXT = f"{DamageKind.CUT_SHORT.meaning} before its text"
"""Beginning of the detail of a reject: what it would have shown is not known."""

MOUNTS = frozenset(
    "root app __next __nuxt ___gatsby app-root app-container app-mount react-root react-app reactroot "
    "main-app application ember-app svelte q-app".split()
)
"""Ids of elements that scripts fill with a page, in lower case."""


@dataclass(frozen=True)
class PageSigns:
    url: str
    title: str
    text: str  # its main text
    texts: tuple[str, ...]  # all that a reader sees
    headings: tuple[str, ...] = ()  # those of the first two levels
    is_unfilled: bool = False  # an element is empty that scripts fill with the page
    truncated: str = ""  # how the record breaks off
    source: html.SourceSigns = html.SourceSigns()  # noqa: RUF009 - a value
    certainty: float = 1.0  # mean over the main text of the probability that it is content

    @cached_property
    def visible_text(self) -> str:
        return "\n".join(" ".join(text.split()) for text in self.texts)

    @cached_property
    def content_words(self) -> int:
        return count_words(self.text)

    @property
    def expected_words(self) -> int:
        """Expected number of words of content: each word of the main text counts with its probability."""
        return round(self.certainty * self.content_words)

    @property
    def is_sure(self) -> bool:
        return self.certainty >= SURE and self.expected_words >= SURE_WORDS

    @cached_property
    def words(self) -> int:
        return max(count_words("\n".join(self.texts)), self.content_words)


def page_signs(
    url: str,
    document: html.Document | html.Canonical,
    text: str,
    truncated: str = "",
    certainty: float = 1.0,
) -> PageSigns:
    """Return the signs of a page by its main text, the mean probability of that, and how its record breaks off."""
    page = document.page
    is_hidden = html.subtree_mask(page, {*compress(count(), page.hidden), *page.unseen})
    is_heading = html.subtree_mask(page, html.elements_of_tags(page, "h1", "h2"))
    nodes = [node for node in page.nodes if not is_hidden[node.element]]
    of_ids = html.elements_by(page.ids).items()
    mounts = [element for name, ids in of_ids if name.lower() in MOUNTS for element in ids]
    areas = [range(mount, html.subtree_end(page.parents, mount)) for mount in mounts]
    filled = {node.element for node in page.nodes} if areas else frozenset()
    return PageSigns(
        url=url,
        title=page.title,
        text=text,
        texts=tuple(node.text for node in nodes),
        headings=tuple(" ".join(n.text.split()) for n in nodes if is_heading[n.element]),
        is_unfilled=any(map(filled.isdisjoint, areas)),
        truncated=truncated,
        source=document.source,
        certainty=certainty,
    )


SHORT = 150  # words that a page in another's place has at most: an article on lost pages has more
LINE = 200  # characters of a heading at most; longer ones are texts
OPENING = 400  # characters of a main text in which a page says what it is

# Of a page with a longer text that says what it is, such as "Page not found":
TITLE_PART_WORDS = 5  # words of a part of its title at most
NAMING_HEADINGS = 3  # its headings that are read
HEADING_WORDS = 8  # words that they have at most
PARAGRAPH = 40  # words of its longest line at most: it lists what else there is, and tells nothing

_PARTS = re.compile(r"\s[|\u2013\u2014\u00b7»-]\s|:\s")

LITTLE = 75  # words of its main text at most, where the template of the site has all others

# Mean probability of a main text of SURE_WORDS from which on it is an article, whatever its title says. Where another
# page's words stand in a template, what passes for content has .65 at most (docs/quality.md).
SURE = 0.8
SURE_WORDS = 100  # that hardly any message has: of two long ones in `cleaneval` 63 and 95
FRAMED = 500  # words that such a page has at most, together with those of the template
WALL = 400  # words that a request for consent or to log in has at most
CONSENT_SHARE = 0.5  # share of a page's words in lines on consent, if it asks for that alone
NOTHING = 15  # words of the main text of a page at most, below which there is none
ENOUGH_WORDS = 50  # words from which on the loss of a text is one, and letters say how it was read
MISSING = 0.5  # share of the pictures of a page from which on they are missing
FEW_PICTURES = 3  # pictures from which on it is known that they are missing: one may have been none


def damage_of(page: PageSigns) -> Damage | None:
    """Return the damage that a capture shows by itself, None where it shows none."""
    return _replacement(page) or _is_cut(page) or _shell(page) or _is_garbled(page)


def replacement_kind(damage: str | None, words: int | None, content_words: int | None) -> str:
    """Return the kind of page that stands in the place of a capture's own, by its row of `pages`; "" if it is the page itself.

    A page of more than SHORT words, more than LITTLE of them content, has a text of its own, whatever its title says.
    """
    has_text = (words or 0) > SHORT and (content_words or 0) > LITTLE
    return "" if damage is None or damage not in REPLACEMENTS or has_text else str(damage)


def is_shell(page: PageSigns) -> bool:
    """Return whether a page with hardly any text is a frame that scripts fill."""
    # Most pages have more words, which are counted anyway: nobody looks for phrases in them.
    damage = damage_of(page) if _is_little(page) else None
    return damage is not None and damage.kind is DamageKind.EMPTY_SHELL


def damage_of_reject(reason: Reason, detail: str) -> Damage | None:
    """Return the damage of a capture that has no verdicts, by the reason; None where there is nothing to be judged."""
    if reason is Reason.TRUNCATED or detail.startswith(CUT_BEFORE_TEXT):
        return Damage(DamageKind.CUT_SHORT, detail)
    if reason in (Reason.NO_TEXT, Reason.TEXT_IN_SCRIPT):
        return Damage(DamageKind.EMPTY_SHELL, detail or "no text")
    return None


def missing_resources(
    sheets: Collection[str], pictures: Collection[str], is_there: Callable[[str], bool]
) -> Damage | None:
    """Return the damage of a capture whose style sheets, or most of whose pictures, are not archived."""
    if sheets and not any(map(is_there, sheets)):
        return Damage(DamageKind.NO_STYLE, f"{count_of(len(sheets), 'style sheet')} not archived")
    lost = [picture for picture in pictures if not is_there(picture)]
    if len(pictures) >= FEW_PICTURES and len(lost) >= MISSING * len(pictures):
        return Damage(
            DamageKind.NO_PICTURES, f"{len(lost)} of {len(pictures)} pictures not archived"
        )
    return None


def _replacement(page: PageSigns) -> Damage | None:
    if page.expected_words > WALL:
        return None
    naming = _naming_text(page)
    for kind, pattern in (
        (DamageKind.BOT_CHECK, phrases.BOT_CHECK),
        (DamageKind.PARKED, phrases.PARKED_PHRASES),
        (DamageKind.MAINTENANCE, phrases.MAINTENANCE),
        (DamageKind.ERROR, phrases.ERROR_PHRASES),
        (DamageKind.MAINTENANCE, phrases.OFFLINE),
        (DamageKind.MOVED, phrases.MOVED),
    ):
        if naming and (phrase := _phrase(pattern, naming)):
            return Damage(kind, phrase)
    return _wall(page, naming)


def _naming_text(page: PageSigns) -> str:
    """Return the words by which a page with little text says what it is, in lower case; "" of one with more.

    Where the template has more, it says so in a title, in a heading, or where its main text begins. An article says
    what it is about.
    """
    if page.words <= SHORT:
        texts = [page.title, page.visible_text]
    elif page.is_sure:
        return ""
    elif page.expected_words <= SHORT:
        texts = [page.title, *(h for h in page.headings if len(h) <= LINE), page.text[:OPENING]]
    elif max(map(count_words, page.text.split("\n"))) > PARAGRAPH:
        return ""
    else:
        texts = [part for part in _PARTS.split(page.title) if count_words(part) <= TITLE_PART_WORDS]
        texts += [h for h in page.headings[:NAMING_HEADINGS] if count_words(h) <= HEADING_WORDS]
    return "\n".join(texts).lower()


def _phrase(pattern: Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return " ".join(match[0].split())[:80] if match else ""


def _wall(page: PageSigns, naming: str) -> Damage | None:
    path = page.url.lower().partition("://")[2].partition("/")[2]
    if phrases.OWN_PAGES.search(path):
        return None
    if page.source.passwords:
        for part in _PARTS.split(page.title):
            if phrases.LOGIN_NAMES.search(part.lower()):
                return Damage(DamageKind.LOGIN, " ".join(part.split()))
    asking = naming
    if page.source.passwords and page.expected_words <= SHORT:
        # A wall may stand below what it hides, and not pass for content: but for that of a page with hardly any.
        asking = (page.text if page.is_sure else page.visible_text).lower()
    if phrase := _phrase(phrases.LOGIN, asking):
        return Damage(DamageKind.LOGIN, phrase)
    if page.words <= WALL and not phrases.POLICIES.search(path):
        visible = page.visible_text.lower()
        consent = sum(len(line) for line in visible.split("\n") if phrases.CONSENT.search(line))
        if consent >= CONSENT_SHARE * len(visible) and (agree := _phrase(phrases.AGREE, visible)):
            return Damage(DamageKind.CONSENT, agree)
    if page.source.passwords and page.expected_words <= NOTHING and page.words <= 2 * SHORT:
        return Damage(DamageKind.LOGIN, "a password is asked for")
    return None


def _is_little(page: PageSigns) -> bool:
    return page.content_words <= LITTLE and page.words <= FRAMED


def _shell(page: PageSigns) -> Damage | None:
    if not _is_little(page):
        return None
    if phrase := _phrase(phrases.ENABLE_SCRIPTS, _naming_text(page)):
        return Damage(DamageKind.EMPTY_SHELL, phrase)
    if page.content_words > NOTHING:
        return None
    if page.is_unfilled and page.words <= 2 * SHORT:
        return Damage(DamageKind.EMPTY_SHELL, "an element that scripts fill is empty")
    if page.words <= NOTHING and page.source.scripts:
        return Damage(DamageKind.EMPTY_SHELL, f"{page.words} words")
    return None


def _is_cut(page: PageSigns) -> Damage | None:
    how = "" if page.truncated == "record" else f": {page.truncated}"
    record = page.truncated and f"the record breaks off{how}"
    evidence = record or (page.source.breaks_off and f"the page ends {page.source.breaks_off}")
    return Damage(DamageKind.CUT_SHORT, evidence) if evidence else None


# Control characters that UTF-8 read as Latin-1 has for quotation marks and dashes. A main text is without them: it has
# the letter before, and where it has none, only the template is garbled.
_C1 = re.compile(r"[\x80-\x9f]")
_BEFORE_C1 = "\xc2\xc3\xe2"


def _is_garbled(page: PageSigns) -> Damage | None:
    is_left_over = any(map(page.text.count, _BEFORE_C1)) and _C1.search(page.visible_text)
    is_whole = page.content_words >= ENOUGH_WORDS and not is_left_over
    reason = describe_garbling(page.text if is_whole else page.visible_text)
    return Damage(DamageKind.CHARSET, reason) if reason else None


# Text whose charset went wrong before it was archived: the bytes are sound, and what they say is not.

LEAST = 3  # garbled places from which on a text counts as garbled: authors paste a few themselves
SHARE = 1 / 1_500  # garbled places for each character, at least
QUESTIONS = 1 / 150  # words with a question mark for a letter for each word, at least

_RUN = re.compile(r"[^\x00-\x7f]{2,64}")
_READ_AS = ("cp1252", "latin-1", "cp1251", "cp1250")
"""Charsets that bytes of UTF-8 are often read as; that of old Macs has French that looks like it."""

_ACCENTED = re.compile(r"[\xc0-\xff]{4}")
# The rest of the plane as the opposite of all else: naming it takes Python 3 ms.
_LETTER = r"[^\x00-@\[-`{-\xff\U00010000-\U0010ffff]"
_ACCENTED_WORD = re.compile(rf"(?<!{_LETTER})[\xc0-\xff]{{4,}}(?!{_LETTER})")
_QUESTIONED = re.compile(r"(?<![\w/?=&.:])[^\W\d_]+\?+[a-zß-ÿ]+(?:\?[a-zß-ÿ]+)*(?![\w/=&])")
_BEGUN = re.compile(r"(?<!\S)\?+[^\W\d_]{2,}(?![\w/=&])")
_MARKS_ALONE = re.compile(r"(?<!\S)\?{2,}(?=[.,;:!)]?(?:\s|$))")
_ELIDED = re.compile(
    r"(?i)(?<![\w?])(?:[a-z]+\?(?:s|t|re|ve|ll|d|m)|(?:[cdjlmnst]|qu)\?[^\W\d_]{2,})(?![\w?])"
)
"""Words with a question mark for an apostrophe, as English and French have them."""
_MAY_BE_QUESTIONED = re.compile(r"\?(?:[^\W\d_]|(?<!\S\?)\?)")
_REPLACED = re.compile("\ufffd+|锟斤拷|ï¿½")

_NO_ASCII = bytes(code if code > 127 else 32 for code in range(256))


def describe_garbling(text: str) -> str:
    """Return how a text is garbled, "" where it is not.

    UTF-8 that was read as another charset shows as runs that come to sound UTF-8 when they are written in that charset
    again; Cyrillic or Greek read as Western as words of accented letters alone.
    """
    if not text:
        return ""
    least = max(LEAST, SHARE * len(text))
    if not text.isascii() and (foreign := _foreign(text, least)):
        return foreign
    # Few texts have any, and words take long.
    if text.count("?") >= LEAST and len(_MAY_BE_QUESTIONED.findall(text)) >= LEAST:
        return _question_marks(text, least)
    return ""


def _question_marks(text: str, least: float) -> str:
    alone = _MARKS_ALONE.findall(text)
    # Words have many lengths; marks that stand for a number to be filled in have one.
    questioned = len(alone) if len(set(alone)) >= LEAST else 0
    questioned += len({*_QUESTIONED.findall(text), *_BEGUN.findall(text)})
    elided = len(_ELIDED.findall(text))
    if questioned >= max(LEAST, QUESTIONS * len(WORD_RUN.findall(text))) or elided >= least:
        return f"{max(questioned, elided)} words with question marks for letters"
    return ""


def _foreign(text: str, least: float) -> str:
    # Little of most texts.
    runs = text.encode("utf-8", "surrogatepass").translate(_NO_ASCII).split()
    beyond = b" ".join(runs).decode("utf-8", "surrogatepass")
    if (replaced := len(_REPLACED.findall(beyond))) >= least:
        return f"{replaced} places with replacement characters"
    if len(_MAY_BE_MISREAD.findall(beyond)) >= least:
        misread = sum(_is_misread(run) for run in _RUN.findall(beyond))
        if misread >= least:
            return f"{misread} places of UTF-8 read as another charset"
    accented = len(_ACCENTED_WORD.findall(text)) if _ACCENTED.search(beyond) else 0
    if accented >= LEAST and accented >= len(WORD_RUN.findall(text)) / 5:
        return f"{accented} words of accented letters alone"
    return ""


def _is_misread(run: str) -> bool:
    for charset in _READ_AS:
        try:
            again = _bytes(run, charset).decode("utf-8")
        except ValueError:
            continue
        if len(again) < len(run):
            return True
    return False


def _bytes(run: str, charset: str) -> bytes:
    """Return a run as bytes; what Windows leaves undefined is what browsers read it as."""
    if charset != "cp1252":
        return run.encode(charset)
    return b"".join(bytes([ord(c)]) if "\x80" <= c <= "\x9f" else c.encode(charset) for c in run)


def _characters(codes: range) -> str:
    """Return the characters beyond ASCII that are written as one of those bytes in a charset of _READ_AS."""
    characters = {bytes([code]).decode(charset, "ignore") for charset in _READ_AS for code in codes}
    if codes.start < 0xA0:
        characters |= set(map(chr, range(0x80, 0xA0)))  # see _bytes
    return "".join(sorted(characters))


_MAY_BE_MISREAD = re.compile(
    f"[{_characters(range(0xC2, 0xF5))}][{_characters(range(0x80, 0xC0))}]"
)
"""First two bytes of a character in UTF-8 as other charsets read them: runs without it are not misread."""
