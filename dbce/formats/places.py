"""The place of each element of a page in the content: its blocks and its markup; and where its links lead."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias
from urllib.parse import urljoin

from dbce import html
from dbce.formats.notes import read_notes
from dbce.formats.part import CELLS, ITEMS, LISTS, table_rows
from dbce.html import HEADINGS, VERBATIM, Details
from dbce.model import Page

CONTAINERS = {
    **{tag: tag for tag in (*LISTS, *ITEMS, *CELLS, "table", "tr", "caption", "blockquote")},
    **dict.fromkeys(("menu", "dir"), "ul"),
}
MARKUP = (
    dict.fromkeys(("em", "i", "cite", "dfn"), "em")
    | dict.fromkeys(("strong", "b"), "strong")
    | dict.fromkeys(("code", "kbd", "samp", "tt", "var"), "code")
    | dict.fromkeys(("del", "s", "strike"), "del")
    | {"sub": "sub", "sup": "sup"}
)
SCHEMES = frozenset({"http", "https", "mailto", "ftp", "tel"})
"""Schemes of links that mean something outside of a browser, and run nothing in one."""

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")

# What browsers take out of a link; libxml2 escapes it at the end of one.
NOT_IN_URL = re.compile(r"[\t\n\r]|(?:%20){0,9}(?:%0[9AD](?:%20){0,9}){1,9}\Z", re.IGNORECASE)
WHOLE_ADDRESS = re.compile(r"https?://[\w.-]+(?:/[^\s?#;]*)?(?:\?[^\s#]+)?(?:#\S+)?", re.ASCII)
"""An address that stays as it is wherever it stands, as most: joining it to another takes ten times as long as this."""
NOT_AROUND_URL = "".join(map(chr, range(0x21)))  # and off its ends: controls and blanks

NESTING = 64
"""Elements of blocks within such elements; what is nested deeper counts as part of the last. Old pages are laid out by
tables in tables, each of which is three."""

Having: TypeAlias = "defaultdict[str, list[int]]"

LONGEST_BASE = 4_000  # characters of an address

NO_ELEMENT = -1

PLACED = frozenset({*CONTAINERS, *HEADINGS, *VERBATIM, *MARKUP, "a", "q"})
"""Elements whose text has another place than that around them."""


def elements_with(details: Details) -> Having:
    """For each attribute the elements that have it, in order: most have none of those that are asked for."""
    having: Having = defaultdict(list)
    for element, attributes in details.items():
        for name in attributes:
            having[name].append(element)
    return having


class ElementPlace(NamedTuple):
    """The blocks around an element from the outside in, as indices, and the markup on its text.

    `markup` is (name, element of a link or a quotation, or NO_ELEMENT); `heading` is a name or "", `verbatim` the
    index of a `<pre>` or NO_ELEMENT.
    """

    blocks: tuple[int, ...] = ()
    markup: tuple[tuple[str, int], ...] = ()
    heading: str = ""
    verbatim: int = NO_ELEMENT


class Places(dict[int, ElementPlace]):
    """The places of the elements of a page, by their indices; each is made when it is asked for, as most never are.

    `holder` is for each element the one that sets its text; of those that are `preserved` line feeds are seen.
    `levels` are those of text nodes in headings by their role.
    """

    def __init__(self, page: Page, details: Details, having: Having) -> None:
        super().__init__({-1: ElementPlace()})
        self._page = page
        self._unmarked = nested_tables(page) | _links_to_themselves(page)
        self._code = {*having["text"]}
        spaces = {element: details[element]["white-space"] for element in having["white-space"]}
        styled = html.enclosing_elements(page, spaces) if spaces else ()
        self._raised = {element: details[element]["raised"] for element in having["raised"]}
        self.levels = _levels_by_role(page, details, having["heading"])
        self.notes = read_notes(page)
        self._marked = self.notes.raised_marks | self.notes.styled_marks
        self.preserved = {n for n, e in enumerate(styled) if e >= 0 and html.keeps_lines(spaces[e])}
        self.holder = html.holders(page, self._code)

    def __missing__(self, element: int) -> ElementPlace:
        parents, tags = self._page.parents, self._page.tags
        path = []
        while element not in self:
            path.append(element)
            element = parents[element]
        place = self[element]
        for inner in reversed(path):
            if inner in self._code:
                place = place if place.verbatim >= 0 else place._replace(verbatim=inner)
            elif inner in self.notes.inline_notes:
                place = place._replace(markup=())
            elif inner in self._raised:
                place = _place_in_markup(place, self._raised[inner], NO_ELEMENT)
            elif inner in self._unmarked:
                pass
            elif inner in self._marked:
                place = _place_in_markup(place, "sup", inner)
                place = _place(place, tags[inner], inner) if tags[inner] == "a" else place
            elif tags[inner] in PLACED and not (place.verbatim >= 0 and self._is_row(place, inner)):
                place = _place(place, tags[inner], inner)
            self[inner] = place
        return place

    def _is_row(self, place: ElementPlace, inner: int) -> bool:
        """Return whether an element within code is a line of it: in that without `<pre>`, in `<code>` within `<pre>`, and in an `<ol>` that begins it."""
        tags = self._page.tags
        is_in_code = tags[inner] in CONTAINERS and any(name == "code" for name, _ in place.markup)
        numbered = self._page.parents[inner] if tags[inner] == "li" else inner
        is_numbered = tags[numbered] == "ol" and numbered == place.verbatim + 1
        return is_in_code or is_numbered or tags[place.verbatim] not in VERBATIM


def _levels_by_role(page: Page, details: Details, by_role: Sequence[int]) -> dict[int, int]:
    """The level of each text node in a heading by its role; those in cells are none, for tables with headings lay a page out."""
    headings = [n for n in by_role if html.nearest_of_tags(page, n, {"td", "th"}) < 0]
    around = html.enclosing_elements(page, headings) if headings else ()
    texts = ((n, around[node.element]) for n, node in enumerate(page.nodes if headings else ()))
    return {n: int(details[element]["heading"]) for n, element in texts if element >= 0}


def nested_tables(page: Page) -> set[int]:
    """The elements of tables of one row or column within a header, or within a cell of a table with headers: lines of that."""
    tables = html.elements_of_tags(page, "table")
    table_of = html.enclosing_elements(page, tables) if len(tables) > 1 else []
    above = {n: table_of[page.parents[n]] for n in tables} if table_of else {}
    outer_of = {n: table for n, table in above.items() if table >= 0}
    if not outer_of:
        return set()
    rows_of = table_rows(page, table_of)
    headed = {table_of[n] for n in html.elements_of_tags(page, "th")}
    nested = set()
    for n in outer_of.keys() - {*outer_of.values()}:
        height = sum(page.tags[row] == "tr" for row in rows_of[n])
        width = max(map(len, rows_of[n].values()), default=0)
        if outer_of[n] in headed and min(height, width) <= 1:
            nested.add(n)
    return {n for n, table in enumerate(table_of) if table in nested}


def _links_to_themselves(page: Page) -> set[int]:
    """Links that lead to the place where they stand, as generators of documents put them around headings."""
    return {
        link
        for link, name in page.jumps
        if name
        in (page.ids[n] for n in (link, page.parents[link], page.parents[page.parents[link]]))
    }


def _place(above: ElementPlace, tag: str, element: int) -> ElementPlace:
    if tag in CONTAINERS:
        if len(above.blocks) >= NESTING:
            return above._replace(heading="")
        return ElementPlace((*above.blocks, element), above.markup, "", above.verbatim)
    if tag in HEADINGS:
        return above._replace(heading=tag)
    if tag in VERBATIM:
        return above if above.verbatim >= 0 else above._replace(verbatim=element)
    if tag in MARKUP:
        return _place_in_markup(above, MARKUP[tag], NO_ELEMENT)
    return _place_in_markup(above, tag, element)


def base_of(page: Page, details: Details, url: str) -> str:
    """Base address of the links of a page: the one it declares, or its URL; "" of one that is too long to stand in each."""
    bases = html.elements_of_tags(page, "base") & details.keys()
    declared = details[min(bases)].get("href", "") if bases else ""
    base = absolute(url, declared) or url
    return base if len(base) <= LONGEST_BASE else ""


def absolute(base: str, link: str) -> str:
    """A link as others can follow it, "" where nobody can or may."""
    link = link.strip(NOT_AROUND_URL)
    if "%0" in link or not link.isprintable():
        link = NOT_IN_URL.sub("", link)
    if WHOLE_ADDRESS.fullmatch(link):
        return link
    link = link.replace(" ", "%20")
    try:
        whole = urljoin(base, link) if link else ""
    except ValueError:  # a host that is none
        return ""
    scheme = SCHEME.match(whole)
    return "" if scheme and scheme[1].lower() not in SCHEMES else whole


def _place_in_markup(above: ElementPlace, name: str, element: int) -> ElementPlace:
    """With one more markup on the text; none inside of code, and none twice but a quotation within one."""
    names = [outer for outer, _ in above.markup]
    if "code" in names or names.count(name) > (name == "q"):
        return above
    # In a third of the time of `_replace`: all links of a page come here.
    markup = (*above.markup, (name, element))
    return ElementPlace(above.blocks, markup, above.heading, above.verbatim)
