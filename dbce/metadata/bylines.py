"""Author and date of a page that declares neither: what stands in elements called after them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from dbce.metadata.dates import date_in_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from dbce.model import Page

_EDGE = r"(?:^|[\s_-])"
AUTHOR = re.compile(
    rf"{_EDGE}(?:author|byline|autor|auteur|autore)(?:[\s_-]?name)?(?:$|\s)", re.IGNORECASE
)
DATE = re.compile(
    rf"{_EDGE}(?:(?:entry|post|article|pub|publish|publication|news|story)?[_-]?date(?:line)?|"
    r"datetime|timestamp|datum|fecha|published|pubdate|posted(?:[_-]on)?|byline|submitted|"
    r"post[_-]?meta|entry[_-]?meta|article[_-]?(?:meta|info))(?:$|[\s_-])",
    re.IGNORECASE,
)
SAID = re.compile(
    r"\b(?:published|posted|updated|written|last (?:modified|updated|changed)|created|veröffentlicht|"
    r"erstellt|stand|aktualisiert|publié|publicado|pubblicato|gepubliceerd|opublikowano)\b",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?:19|20)\d\d")
BY = re.compile(
    r"^(?:written\s+|posted\s+)?(?:by|von|par|por|di|da|door|av|af)\b\s*:?\s*", re.IGNORECASE
)
NAME = re.compile(r"(?!.*\bsaid\b)[^\W\d_][^\d@|/:]{2,59}")
WORDS = 6  # of a name
LONGEST = 160  # characters of what counts as a byline


def author_in_byline(page: Page) -> str | None:
    """The name in the first element that is called after an author."""
    for text in _texts(page, AUTHOR):
        name = BY.sub("", text)
        if NAME.fullmatch(name) and len(name.split()) <= WORDS and name != name.lower():
            return name
    return None


def date_in_byline(
    page: Page, latest: date, captured: date, *, month_first: bool = False
) -> str | None:
    """The first date in an element that is called after one, or behind words such as "posted".

    The day of the capture comes last: many pages show what day it is today.
    """
    today = None
    for text in (*_texts(page, DATE), *_sayings(page)):
        found = date_in_text(text, latest, month_first=month_first)
        if found and found != captured.isoformat():
            return found
        today = today or found
    return today


def _texts(page: Page, named: re.Pattern[str]) -> Iterator[str]:
    """The texts of the elements whose class or id fits, in document order, if they are short."""
    names = {name for name in {*page.classes, *page.ids} if _fits(name, named)}
    if not names:
        return
    holder: list[int] = []  # of each element the outermost one that fits, -1 where there is none
    for element, parent in enumerate(page.parents):
        above = holder[parent] if parent >= 0 else -1
        fits = page.classes[element] in names or page.ids[element] in names
        holder.append(element if above < 0 and fits else above)
    texts: dict[int, list[str]] = {}
    for node in page.nodes:
        if holder[node.element] >= 0:
            texts.setdefault(holder[node.element], []).append(node.text)
    for parts in texts.values():
        text = " ".join(" ".join(parts).split())
        if len(text) <= LONGEST:
            yield text


@lru_cache(maxsize=20_000)  # the pages of a template have the same names
def _fits(name: str, named: re.Pattern[str]) -> bool:
    return named.search(name) is not None


def _sayings(page: Page) -> Iterator[str]:
    """Short texts with a year that say when something was published, or stand behind one that does."""
    before = ""
    for node in page.nodes:
        text = node.text
        if len(text) > LONGEST:
            before = ""
            continue
        if YEAR.search(text):
            if SAID.search(text):
                yield text
            elif SAID.search(before):
                yield f"{before} {text}"
        before = text
