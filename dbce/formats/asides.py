"""Texts that a page has for those who use it and not for those who read: they are in no format with markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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
    links = _around(page, {n for n, tag in enumerate(page.tags) if tag == "a"})
    texts: dict[int, str] = {}
    for node in page.nodes:
        if (link := links[node.element]) >= 0:
            texts[link] = texts.get(link, "") + node.text
    marks = {link for link, text in texts.items() if _is_mark(page, details, link, text)}
    beside = _around(page, {element for element, own in details.items() if "beside" in own})
    return frozenset(
        number
        for number, node in enumerate(page.nodes)
        if links[node.element] in marks or beside[node.element] >= 0
    )


def _is_mark(page: Page, details: Details, link: int, text: str) -> bool:
    if not (MARK.fullmatch(text) or WORDS.match(text)):
        return False
    is_anchor = not ANCHORS.isdisjoint(page.classes[link].lower().split())
    leads_here = "#" in details.get(link, {}).get("href", "")
    return is_anchor or (leads_here and MARK.fullmatch(text) is not None)


def _around(page: Page, chosen: set[int]) -> list[int]:
    """For each element the nearest chosen one, itself included; -1 where there is none."""
    around: list[int] = []
    for element, parent in enumerate(page.parents):
        around.append(element if element in chosen else around[parent] if parent >= 0 else -1)
    return around
