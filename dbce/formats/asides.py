"""Texts that a page has for those who use it and not for those who read: they are in no format."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from dbce.html import SIGNS, around, holders, sign_links

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dbce.model import Page

    Details = Mapping[int, Mapping[str, str]]

WORDS = re.compile(
    r"\W*(perma(nent)?[ -]?link|(direct )?link (to|here)|section link|anchor)\b", re.IGNORECASE
)

WORD = re.compile(r"\w+")

ANCHORS = frozenset(
    "headerlink header-link header-anchor heading-anchor heading-link headline-anchor anchor anchor-link "
    "anchorjs-link hash-link hashlink permalink direct-link section-link toclink-anchor".split()
)
"""Classes of such links, as generators of documents give them."""


def asides(page: Page, details: Details, content: Sequence[int]) -> frozenset[int]:
    """The numbers of the text nodes that are marks of permalinks, set beside code, or said again in their paragraph of the content."""
    marks = _marks(page, details)
    beside = {element for element, own in details.items() if "beside" in own}
    again = frozenset(_said_again(page, details, content)) if any(page.hidden) else frozenset()
    if not marks and not beside:
        return again
    nearest = around(page, marks | beside)
    return again.union(n for n, node in enumerate(page.nodes) if nearest[node.element] >= 0)


def _said_again(page: Page, details: Details, content: Sequence[int]) -> Iterator[int]:
    """The text nodes of hidden elements in paragraphs or headings whose other text has all of their words.

    A page says things twice for windows of other widths, or for eyes, which letters fly in for, and for ears. Code is
    left as it stands.
    """
    hiding = {element for element, hides in enumerate(page.hidden) if hides}
    nearest = around(page, hiding)
    nodes = page.nodes
    if all(nearest[nodes[n].element] < 0 for n in content):  # as in most pages
        return
    outer = around(page, {e for e in hiding if nearest[page.parents[e]] < 0})
    verbatim = around(page, {element for element, own in details.items() if "text" in own})
    holder = holders(page)
    for _, paragraph in groupby(content, key=lambda n: holder[nodes[n].element]):
        of_element: dict[int, list[int]] = {}
        for n in paragraph:
            of_element.setdefault(outer[nodes[n].element], []).append(n)
        own = of_element.pop(-1, ())
        shown = _words(page, own) if of_element else set()
        for again in of_element.values():
            said = _words(page, again)
            if said and said <= shown and verbatim[nodes[again[0]].element] < 0:
                yield from again


def _words(page: Page, nodes: Sequence[int]) -> set[str]:
    return {word.lower() for n in nodes for word in WORD.findall(page.nodes[n].text)}


def _marks(page: Page, details: Details) -> set[int]:
    """The links that are marks."""
    anchors = set()
    if not ANCHORS.isdisjoint(" ".join({*page.classes}).lower().split()):  # as in few pages
        anchors = {n for n, tag in enumerate(page.tags) if tag == "a" and _is_anchor(page, n)}
    near = {link for link in sign_links(page) if "#" in details.get(link, {}).get("href", "")}
    if not anchors and not near:
        return set()
    links = around(page, anchors | near)
    texts: dict[int, str] = {}
    for node in page.nodes:
        if (link := links[node.element]) >= 0:
            texts[link] = texts.get(link, "") + node.text
    return {
        link
        for link, text in texts.items()
        if SIGNS.fullmatch(text) or (link in anchors and WORDS.match(text))
    }


def _is_anchor(page: Page, link: int) -> bool:
    return not ANCHORS.isdisjoint(page.classes[link].lower().split())
