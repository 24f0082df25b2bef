"""The place of each element of a page in the content: its blocks and its markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from dbce.formats.part import HEADINGS
from dbce.html import VERBATIM

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.model import Page

    Details = Mapping[int, Mapping[str, str]]

CONTAINERS = dict(
    {tag: tag for tag in ("ul", "ol", "dl", "li", "dt", "dd", "table", "tr", "td", "th")},
    caption="caption",
    menu="ul",
    dir="ul",
    blockquote="blockquote",
)
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

NOT_IN_URL = re.compile(r"[\t\n\r]")  # what browsers take out of a link
NOT_AROUND_URL = "".join(map(chr, range(0x21)))  # and off its ends: controls and blanks

NESTING = 64
"""Elements of blocks within such elements; what is nested deeper counts as part of the last. Old pages are laid out by
tables in tables, each of which is three."""

NO_ELEMENT = -1

PLACED = frozenset({*CONTAINERS, *HEADINGS, *VERBATIM, *MARKUP, "a"})
"""Elements whose text has another place than that around them."""


class ElementPlace(NamedTuple):
    """The blocks around an element from the outside in, as indices, and the markup on its text.

    `markup` is (name, element of a link or NO_ELEMENT); `heading` is a name or "", `verbatim` the
    index of a `<pre>` or NO_ELEMENT.
    """

    blocks: tuple[int, ...] = ()
    markup: tuple[tuple[str, int], ...] = ()
    heading: str = ""
    verbatim: int = NO_ELEMENT


class Places:
    """The places of the elements of a page, by their indices; each is made when it is asked for, as most never are."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._known = {-1: ElementPlace()}

    def __getitem__(self, element: int) -> ElementPlace:
        known, parents, tags = self._known, self._page.parents, self._page.tags
        path = []
        while element not in known:
            path.append(element)
            element = parents[element]
        place = known[element]
        for inner in reversed(path):
            if tags[inner] in PLACED:
                place = _place(place, tags[inner], inner)
            known[inner] = place
        return place


def _place(above: ElementPlace, tag: str, element: int) -> ElementPlace:
    """The place of an element of PLACED in one at the place `above`."""
    if tag in CONTAINERS:
        return _within(above, element)
    if tag in HEADINGS:
        return above._replace(heading=tag)
    if tag in VERBATIM:
        return above if above.verbatim >= 0 else above._replace(verbatim=element)
    if tag in MARKUP:
        return _marked(above, MARKUP[tag], NO_ELEMENT)
    return _marked(above, "a", element)


def base_of(page: Page, details: Details, url: str) -> str:
    """The address that the links of a page are relative to: the one it declares, or its URL."""
    declared = (details[i].get("href", "") for i in details if page.tags[i] == "base")
    return absolute(url, next(declared, "")) or url


def absolute(base: str, link: str) -> str:
    """A link as others can follow it, "" where nobody can or may."""
    link = NOT_IN_URL.sub("", link.strip(NOT_AROUND_URL)).replace(" ", "%20")
    try:
        whole = urljoin(base, link) if link else ""
    except ValueError:  # a host that is none
        return ""
    scheme = SCHEME.match(whole)
    return "" if scheme and scheme[1].lower() not in SCHEMES else whole


def _within(above: ElementPlace, element: int) -> ElementPlace:
    if len(above.blocks) >= NESTING:
        return above._replace(heading="")
    return ElementPlace((*above.blocks, element), above.markup, "", above.verbatim)


def _marked(above: ElementPlace, name: str, element: int) -> ElementPlace:
    """With one more markup on the text; none twice, and none inside of code."""
    if above.markup and any(given in (name, "code") for given, _ in above.markup):
        return above
    # In a third of the time of `_replace`: all links of a page come here.
    markup = (*above.markup, (name, element))
    return ElementPlace(above.blocks, markup, above.heading, above.verbatim)
