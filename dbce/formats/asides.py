"""Texts that a page has for those who use it and not for those who read: they are in no format with markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.html import around

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.model import Page

    Details = Mapping[int, Mapping[str, str]]

MARK = re.compile(r"[\s¶#§⚓🔗∞☍⛓⎘❡\N{ZERO WIDTH SPACE}\N{VARIATION SELECTOR-16}]*")
"""Text of a link that is only the address of the place where it stands."""

WORDS = re.compile(
    r"\W*(perma(nent)?[ -]?link|(direct )?link (to|here)|section link|anchor)\b", re.IGNORECASE
)

ANCHORS = frozenset(
    "headerlink header-link header-anchor heading-anchor heading-link headline-anchor anchor anchor-link "
    "anchorjs-link hash-link hashlink permalink direct-link section-link toclink-anchor".split()
)
"""Classes of such links, as generators of documents give them."""


def asides(page: Page, details: Details) -> frozenset[int]:
    """The numbers of the text nodes that are marks of permalinks, or set beside code."""
    marks = _marks(page, details)
    beside = {element for element, own in details.items() if "beside" in own}
    if not marks and not beside:
        return frozenset()
    nearest = around(page, marks | beside)
    return frozenset(n for n, node in enumerate(page.nodes) if nearest[node.element] >= 0)


def _marks(page: Page, details: Details) -> set[int]:
    """The links that are marks."""
    anchors = {n for n, tag in enumerate(page.tags) if tag == "a" and _is_anchor(page, n)}
    near = {n for n, own in details.items() if page.tags[n] == "a" and "#" in own.get("href", "")}
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
        if MARK.fullmatch(text) or (link in anchors and WORDS.match(text))
    }


def _is_anchor(page: Page, link: int) -> bool:
    return not ANCHORS.isdisjoint(page.classes[link].lower().split())
