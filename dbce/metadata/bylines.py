"""Bylines: elements that are called after an author or a date, and the date in them."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from dbce.html import subtree_end
from dbce.metadata.dates import PUBLISHED, publication_in
from dbce.model import Page

_EDGE = r"(?:^|[\s_-])"
AUTHOR = re.compile(
    rf"{_EDGE}(?:author|byline|autor|auteur|autore)(?:[\s_-]?name)?(?:$|\s)", re.IGNORECASE
)
DATE = re.compile(
    rf"{_EDGE}(?:(?:entry|post|article|pub|publish|publication|news|story)?[_-]?date(?:line)?|"
    r"datetime|timestamp|datum|fecha|published|pubdate|posted(?:[_-]on)?|byline|submitted|"
    r"(?:post|entry|article|asset)[_-]?meta|article[_-]?info|(?:post|entry)[_-]footer)(?:$|[\s_-])",
    re.IGNORECASE,
)
# In lower case, of what fits the pattern above each name holds one of these at least.
DATE_PARTS = tuple("dat timestamp fecha publish posted byline submitted meta info footer".split())
YEAR = re.compile(r"(?:19|20)\d\d")
LONGEST = 160  # characters of a byline; a sentence of an article with a date is longer


def names_byline(name: str) -> bool:
    """Return whether a class or id is that of a line with the author or the date."""
    return bool(AUTHOR.search(name) or DATE.search(name))


def date_in_byline(
    page: Page, latest: date, captured: date, *, month_first: bool = False
) -> str | None:
    """First date in an element with a class or id of dates, or behind words such as "posted"; the capture's day comes last."""
    today = None
    dated = (" ".join(pieces) for _, pieces in named_texts(page, DATE, DATE_PARTS))
    short = (text for text in dated if len(text) <= LONGEST)
    for text in (*short, *_publication_notes(page)):
        day = publication_in(text, latest, month_first=month_first)
        if day and day != captured.isoformat():
            return day
        today = today or day
    return today


def named_texts(
    page: Page, named: re.Pattern[str], parts: Sequence[str]
) -> Iterator[tuple[int, list[str]]]:
    """The elements whose class or id fits, the outermost ones in document order, with their texts.

    `parts` are in lower case, one of them in each name that fits: most names are not asked one by one.
    """
    names = _names(page, named, parts)
    if not names:
        return
    within: dict[int, int] = {}  # the outermost of these elements, by all below it
    for element, own in enumerate(zip(page.classes, page.ids, strict=True)):
        if element not in within and not names.isdisjoint(own):
            end = subtree_end(page.parents, element)
            within |= dict.fromkeys(range(element, end), element)
    texts: dict[int, list[str]] = {}
    for node in page.nodes:
        if (holder := within.get(node.element)) is not None and node.text.strip():
            texts.setdefault(holder, []).append(" ".join(node.text.split()))
    yield from texts.items()


def _names(page: Page, named: re.Pattern[str], parts: Sequence[str]) -> set[str]:
    """Matching classes and ids of a page; hardly any does, so most are not tried one by one."""
    names = {*page.classes, *page.ids}
    together = "\0".join(names).lower()
    if together.isascii():  # else a letter may stand for another one
        parts_there = [part for part in parts if part in together]
        names = {name for part in parts_there for name in names if part in name.lower()}
    return {name for name in names if named.search(name)}


def _publication_notes(page: Page) -> Iterator[str]:
    """Short texts with a year that tell of a publication, or stand behind one that does."""
    before = ""
    for node in page.nodes:
        text = node.text
        if len(text) > LONGEST:
            before = ""
            continue
        if ("19" in text or "20" in text) and YEAR.search(text):
            if PUBLISHED.search(text):
                yield text
            elif PUBLISHED.search(before):
                yield f"{before} {text}"
        before = text
