"""Hints of a role in a page's own names: elements of HTML5, `role` attributes, words of ids and classes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbce.visual import Element

ASIDE, ARTICLE, FOOTER, HEADER, NAV, SECTION = "aside article footer header nav section".split()

TAGS = {name: name for name in (ASIDE, ARTICLE, FOOTER, HEADER, NAV)} | {"main": SECTION}
"""Elements that say what they are; `section` says nothing."""

LANDMARKS = {
    "banner": HEADER,
    "navigation": NAV,
    "complementary": ASIDE,
    "contentinfo": FOOTER,
    "article": ARTICLE,
    "main": SECTION,
    "search": SECTION,
}
"""Values of `role` (WAI-ARIA landmarks)."""

WORDS = {
    **dict.fromkeys(("footer", "foot", "bottom", "copyright"), FOOTER),
    **dict.fromkeys(("header", "head", "masthead", "logo", "top"), HEADER),
    **dict.fromkeys(("nav", "navigation", "navbar", "menu", "links"), NAV),
    **dict.fromkeys(("sidebar", "aside", "side", "ad", "ads", "advert", "rail"), ASIDE),
    **dict.fromkeys(("article", "post", "story", "news"), ARTICLE),
    **dict.fromkeys(("content", "main", "search"), SECTION),
}
"""Words of ids and classes, as pages use them."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def landmark(element: Element) -> str:
    """The role that an element has by HTML5 or WAI-ARIA, "" if it has none."""
    named = LANDMARKS.get(element.attributes.get("role", "").strip().lower(), "")
    return named or TAGS.get(element.tag, "")


def hint(element: Element) -> str:
    """The role that an element's id or class names, "" if they name none; the id counts first.

    In a compound name the last word says what it is: `header-nav` is a nav.
    """
    attributes = element.attributes
    for name in (*attributes.get("id", "").split(), *attributes.get("class", "").split()):
        for word in reversed(_WORD.findall(name)):
            if found := WORDS.get(word.lower()):
                return found
    return ""
