"""Day of publication of a page: the rules, the surest place first.

A day that the page declares, that its URL has or that stands beside its headline; then what may be
another day; at last when it was changed, and the source says so.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from itertools import chain
from string import digits
from typing import NamedTuple

from dbce.kernel import compiled
from dbce.metadata import bylines
from dbce.metadata.dates import ANY, WORDS, DateReader
from dbce.metadata.headline import headings
from dbce.metadata.structured_data import Candidate, Sources, names_page, title_keys, titles
from dbce.model import Page

FEWEST = 8  # characters of a headline that is no heading; fewer are in many titles by chance
HEADLINES = 3  # of a page that are looked at
BEFORE, BEHIND = 6, 14  # texts around a headline: bylines, buttons to share, a standfirst
LONGEST = 100  # characters of a dateline
PROSE = 150  # characters from which a text is a paragraph
PARAGRAPHS = 2  # behind a headline, before the last of which its dateline stands
PART = 16  # characters of a part of a date that is set in several elements, such as its month
HEAD = 32  # characters of a paragraph that may begin with its date
DIGIT = re.compile(r"\d")
ENTRY = re.compile(
    r"\b(?:this|dieser?|cet|est[ea]|questo|dit) (?:entry|article|post|page|artikel|beitrag|eintrag|artículo|entrada|articolo|bericht)"
    r" (?:was|has been|wurde|a été|fue|è stato|werd|is) ",
    re.IGNORECASE,
)
"""Beginning of a sentence in which a page tells of itself."""


class Dateline(NamedTuple):
    """A text that may say when the page was published."""

    text: str
    above: bool  # above the headline, where today's date is
    behind_prose: bool = False  # behind a paragraph, where a footer may be


def _headlines(page: Page, titles: Sequence[str]) -> list[tuple[int, int]]:
    """The number of the first text of each headline and of the one behind it, the longest first."""
    keys = title_keys(titles)
    headlines = [
        (-len(text), first, behind)
        for first, behind in headings(page)
        if names_page(text := "".join(node.text for node in page.nodes[first:behind]), keys)
    ]
    if not headlines:
        written = "\n".join(titles).lower()
        headlines = [
            (-len(text), number, number + 1)
            for number, node in enumerate(page.nodes)
            if FEWEST <= len(node.text) < PROSE
            if len(text := node.text.strip()) >= FEWEST and text.lower() in written
        ]
    return [(first, behind) for _, first, behind in sorted(headlines)[:HEADLINES]]


def _datelines_before(page: Page, first: int) -> Iterator[Dateline]:
    lines = [*_datelines(_texts(page, max(0, first - BEFORE), first))]
    return (line._replace(above=True) for line in reversed(lines))


def _texts(page: Page, start: int, stop: int) -> list[str]:
    return [" ".join(node.text.split()) for node in page.nodes[start:stop]]


def _datelines(texts: Sequence[str]) -> Iterator[Dateline]:
    """Short texts and heads of paragraphs, each with its label and the other parts of its date."""
    if not ANY.search("\n".join(texts)):
        return
    paragraphs = 0
    for number, text in enumerate(texts):
        paragraphs += len(text) >= PROSE
        if paragraphs == PARAGRAPHS:
            return
        if len(text) > LONGEST:
            yield Dateline(text[:HEAD], above=False, behind_prose=paragraphs > 0)
            continue
        label = texts[number - 1] if number else ""
        is_label = len(label) <= HEAD and not DIGIT.search(label)
        parts = texts[number + 1 : number + 3] if len(text) <= PART else ()
        parts = (label if is_label else "", text, *(part for part in parts if len(part) <= PART))
        yield Dateline(" ".join(parts).strip(), above=False, behind_prose=paragraphs > 0)


Dated = tuple[str | None, str]  # a day, if there is one, and its source

PUBLISHED = tuple(WORDS["names of the date of publication"].split())
UNCERTAIN = tuple(WORDS["names of a date"].split())  # also of the day of a change
CHANGED = ("article:modified_time", "og:updated_time", "dcterms.modified", "last-modified")
LONGEST_TITLE = 300  # characters of a title that count


def publication_date(sources: Sources, language: str) -> tuple[str, str] | tuple[None, None]:
    """The date of publication and its source."""
    today = sources.captured.astimezone(UTC).date()
    # The last possible day of a page of that time, wherever on earth it was written.
    latest = today if today == date.max else today + timedelta(days=1)
    declared = (title for title, _ in titles(sources))
    every_title = chain(declared, (sources.page.title, sources.declared.heading))
    short = [title[:LONGEST_TITLE] for title in every_title]
    dating = _Dating(sources, short, today.isoformat(), DateReader(latest, language))
    return next(((day, source) for day, source in dating.days() if day), (None, None))


@dataclass(frozen=True)
class _Dating:
    sources: Sources
    titles: Sequence[str]
    capture_day: str
    reader: DateReader

    def days(self) -> Iterator[Dated]:
        """Days with their sources, the most trusted first; None for places without any."""
        declared, page, url = self.sources.candidates, self.sources.page, self.sources.url
        times, read = self.sources.declared.times, self.reader
        yield from self._read(declared(PUBLISHED, "datePublished", "datePosted", trusted=1))
        yield from self._read((time.value, "time") for time in times if time.published)
        yield read.in_url(url), "url"
        datelines: list[Dateline] = []
        for first, behind in _headlines(page, self.titles):
            datelines += _datelines(_texts(page, behind, behind + BEHIND))
            datelines += _datelines_before(page, first)
        day, change = self._first_in(datelines)
        yield day, "dateline"
        # Declared dates that may be those of something else, and places where others stand, too.
        yield from self._read(declared(UNCERTAIN, "dateCreated", "uploadDate", trusted=0))
        yield from self._read((time.value, "time") for time in times if time.in_article)
        likely = compiled.texts_holding(page.nodes, digits, beyond=True)
        yield self._day_in_byline(likely), "byline"
        for title in self.titles:
            yield read.publication_in(title), "title"
        # Above the first paragraph, for pages whose headline is unknown.
        first = next((n for n, node in enumerate(page.nodes) if len(node.text) >= PROSE), 0)
        yield self._first_in(_datelines_before(page, first))[0], "text"
        texts = (page.nodes[n].text for n in likely)
        short = [text for text in texts if len(text) <= LONGEST and ANY.search(text)]
        if month := read.month_in_url(url):
            days = filter(None, map(read.publication_in, short))
            yield next((day for day in days if day.startswith(month)), None), "text"
            yield month, "url"
        # In sentences on the page itself, which blogs have below the text.
        days = filter(None, map(read.publication_in, filter(ENTRY.search, short)))
        yield next(days, None), "text"
        # The last change is better than nothing.
        yield from self._read(declared(CHANGED, "dateModified", trusted=0))
        yield change, "changed"

    def _day_in_byline(self, with_digits: Sequence[int]) -> str | None:
        """First date in an element with a class or id of dates, or behind words such as "posted"; the capture's day comes last."""
        page, today = self.sources.page, None
        dated = bylines.named_texts(page, bylines.DATE)
        short = (text for _, pieces in dated if len(text := " ".join(pieces)) <= bylines.LONGEST)
        for text in chain(short, bylines.publication_notes(page, with_digits)):
            day = self.reader.publication_in(text)
            if day and day != self.capture_day:
                return day
            today = today or day
        return today

    def _read(self, candidates: Iterable[Candidate]) -> Iterator[Dated]:
        return ((self.reader.declared_date(value), source) for value, source in candidates)

    def _first_in(self, lines: Iterable[Dateline]) -> tuple[str | None, str | None]:
        """The first day in lines, and without one that of the first change; above a headline many pages show what day it is today."""
        first_change = None
        for line in lines:
            today = self.capture_day if line.above else None
            day, change = self.reader.days_in(line.text, short_years=True)
            if day and day != today:
                return day, None
            if change != today and not line.behind_prose:
                first_change = first_change or change
        return None, first_change
