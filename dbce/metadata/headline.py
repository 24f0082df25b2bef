"""The headline of a page: what its titles and its first headings say alike, without the name of the site."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from dbce.archive import split_url
from dbce.html import elements_of_tags, enclosing_elements, nodes_within
from dbce.metadata.structured_data import SITES, Candidate, Sources, letters, one_line, titles
from dbce.model import WORD_RUN, Page

HEADINGS = 4  # first headings of level 1 that are looked at; the first one may be a logo

LEVELS = ("h1", "h2", "h3", "h4")

LONGEST = 250  # characters of a heading that can be the headline
SHORTEST = 4  # letters of a part of a title that are no chance: in a heading, or the name of a host

SHARED = 0.3
"""Least share of the shorter one's words that a heading and a title have in common, to say the same.

Titles are often rewritten for search engines; the heading is what readers saw.
"""

LEAST_PART = 2 / 3
"""Least share of a heading's letters that a part of the title has, to be all of it but a kicker or a button."""

_SEPARATOR = r"\s+[-–—|·•:»«›‹~⁄/*⋆<>ǀ]+\s+|\s*[|»«›‹ǀ｜：]\s*|\s*::\s*|(?<=[^\x00-\x7f])_(?=\S)"  # noqa: RUF001
# What it begins with comes first: most places of a title are passed at once.
SEPARATOR = re.compile(rf"(?=[\s|»«›‹ǀ｜：:_])(?:{_SEPARATOR})")  # noqa: RUF001

SEPARATORS = 20  # of a title at most that are looked at: their pairs are many

CUT = ("...", "…")  # end of a title that is too long for its field

COLON = re.compile(r":\s")  # behind the name of a blog

START_PAGES = frozenset(
    "home homepage startpage startseite start index welcome accueil inicio".split()
)
"""Titles, by their letters, that name a place in a site and no page."""


class SiteNames(NamedTuple):
    """Names of a site and its start page: the letters of those that it declares, and of its host."""

    declared: Collection[str]
    host: str

    def include(self, text: str) -> bool:
        key = letters(text)
        if key in self.declared or key in START_PAGES:
            return True
        return len(key) >= SHORTEST and key in self.host


def headline(sources: Sources, names: SiteNames) -> Candidate | None:
    """The headline of a page with its source; None if no title and no heading says anything."""
    headings = [text for text in _texts(sources, names) if not names.include(text)]
    candidates = list(_candidates(sources, headings))
    titles = [
        (_without_site(text, names), source)
        for text, source in candidates
        if not (names.include(text) or letters(text).startswith("welcometo"))
    ]
    if not titles:
        return (headings[0], "h1") if headings else next(iter(candidates), None)
    title, source = titles[0]
    keys = [key for key in map(letters, headings) if len(key) >= SHORTEST]
    whole = (text for text in headings if letters(text).startswith(letters(title)))
    if title.endswith(CUT) and (heading := next(whole, None)):
        return heading, "h1"
    if parts := [part for part in _parts(title) if _is_most_of_one(letters(part), keys)]:
        part = max(parts, key=len)
        spelled = [part, *(text for text in headings if letters(text) == letters(part))]
        title = max(spelled, key=lambda text: (len(WORD_RUN.findall(text)), not text.isupper()))
        return title, source if title == part else "h1"
    if any(letters(title) in key for key in keys):
        return title, source
    shares = [max(_word_overlap(heading, text) for text, _ in titles) for heading in headings]
    if max(shares, default=0.0) >= SHARED:
        return headings[shares.index(max(shares))], "h1"
    return (source == "title" and _shown_part(title, sources.page)) or title, source


def site_names(sources: Sources) -> SiteNames:
    of_site = [name for key in SITES for name in sources.metas.get(key, ())]
    of_site += [name for key in ("publisher", "site") for name in sources.json_ld.get(key, ())]
    host = (split_url(sources.url).hostname or "").removeprefix("www.")
    return SiteNames(set(map(letters, of_site)) - {""}, letters(host))


def headings(page: Page, levels: Sequence[str] = LEVELS) -> Iterator[tuple[int, int]]:
    """The number of the first text of each heading and of the one behind it."""
    for heading in sorted(elements_of_tags(page, *levels)):
        inside = nodes_within(page, heading)
        yield inside.start, inside.stop


def _texts(sources: Sources, names: SiteNames) -> list[str]:
    """The first headings of level 1, or else the first of the next level.

    Where the first one says a later part of the title, or nothing like it, and one of its level or the next the beginning, it
    is the name of the site, unless the title has that in another part. Where no other title is declared, headings of all levels
    count, and so does the end of the title where the first one says the beginning, below it: of all levels behind a colon, else
    of two. Without `<h1>`, one of any level counts that is the end behind a colon.
    """
    page, title, begin = sources.page, sources.page.title, 0
    there = ((level, its) for level in LEVELS if (its := _of_level(page, level, begin)))
    top, texts = next(there, ("", []))
    is_top = top == LEVELS[0]
    colons = islice(COLON.finditer(title), SEPARATORS)
    ends = {letters(title[colon.end() :]) for colon in colons}
    is_colon = not SEPARATOR.search(title)
    first, *others = (COLON if is_colon else SEPARATOR).split(title)
    declared = {letters(text) for text, _ in titles(sources)}
    rest: set[str] = set() if is_top else {*ends}
    depth = 2 if declared and is_top else len(LEVELS)
    is_site_named = not {*map(letters, (first, *others))}.isdisjoint(names.declared)
    if others and texts and (shown := letters(texts[0])) not in declared:
        if shown == letters(first):
            rest |= set() if declared else {letters(others[-1]), *ends}
            begin, _ = next(headings(page, (top,)))
            depth = depth if is_colon else 2  # a heading further down names the site as often
        elif shown in map(letters, others):
            rest |= set() if is_colon or is_site_named else {letters(first)}
        elif not is_colon and max(_word_overlap(o, first) for o in texts) < SHARED:
            rest.add(letters(first))
    near = chain(texts, *(its for _, its in islice(there, depth - 1))) if rest else ()
    whole = (line for line in near if _is_most_of_one(letters(line), rest))
    return [*islice(whole, 1)] or texts[: HEADINGS if is_top else 1]


def _shown_part(title: str, page: Page) -> str | None:
    """The first part of a title, from one separator to another, or behind a colon, that is a text of the page, in no link if there is such a one."""
    several = chain(_parts(title), COLON.split(title, 1)[1:])
    parts = [(key, part) for part in several if len(key := letters(part)) >= SHORTEST]
    if len(parts) < 2:  # it is its only part
        return None
    shortest = min(len(key) for key, _ in parts)
    link_of = enclosing_elements(page, elements_of_tags(page, "a"))
    short = (node for node in page.nodes if shortest <= len(node.text) <= LONGEST)
    of_page = {(letters(node.text), link_of[node.element] >= 0) for node in short}
    either = (part for linked in (False, True) for key, part in parts if (key, linked) in of_page)
    return next(either, None)


def _of_level(page: Page, level: str, begin: int) -> list[str]:
    """The headings of a level from a text node on."""
    lines = (
        one_line("".join(" " * node.spaced + node.text for node in page.nodes[first:behind]))
        for first, behind in headings(page, (level,))
        if first >= begin
    )
    return [line for line in lines if 0 < len(line) <= LONGEST]


def _candidates(sources: Sources, headings: Sequence[str]) -> Iterator[Candidate]:
    """The titles of a page, the most trusted first, without placeholders of templates."""
    known = [*headings, sources.page.title]
    for title, source in (*titles(sources), (sources.page.title, "title")):
        if text := one_line(title):
            # Some sites put a description where schema.org wants the headline.
            named = sources.json_ld.get("name", ()) if source == "json-ld:headline" else ()
            if named and max(_word_overlap(text, other) for other in known) < SHARED:
                yield named[0], "json-ld:name"
            yield text, source


def _without_site(title: str, names: SiteNames) -> str:
    for _ in range(SEPARATORS):
        if not (separators := list(SEPARATOR.finditer(title))):
            break
        if names.include(title[separators[-1].end() :]):
            title = title[: separators[-1].start()].strip()
        elif names.include(title[: separators[0].start()]):
            title = title[separators[0].end() :].strip()
        else:
            break
    first, colon, behind = title.partition(": ")
    return behind if colon and letters(first) in names.declared else title


def _parts(title: str) -> Iterator[str]:
    """What stands between any two separators of a title, or its ends; the longest that begins at a place first."""
    separators = list(islice(SEPARATOR.finditer(title), SEPARATORS))
    starts = [0, *(separator.end() for separator in separators)]
    ends = [*(separator.start() for separator in separators), len(title)]
    return (title[a:b].strip() for i, a in enumerate(starts) for b in reversed(ends[i:]))


def _is_most_of_one(part: str, headings: Collection[str]) -> bool:
    """Return whether a heading is a part of a title, or that with less around it: a kicker, a button."""
    return any(part in key and len(part) > LEAST_PART * len(key) for key in headings)


def _word_overlap(title: str, other: str) -> float:
    first, second = (set(WORD_RUN.findall(s.lower().replace("_", " "))) for s in (title, other))
    return len(first & second) / max(1, min(len(first), len(second)))
