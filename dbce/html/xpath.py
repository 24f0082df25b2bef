"""XPath expressions of a page's elements and text nodes, computed from its arrays."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbce.model import Page

NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


def xpaths(page: Page) -> list[str]:
    """One expression per text node, e.g. `/html/body/div[2]/p[1]/text()[1]`; linear time.

    Evaluated on the tree that the page was read from, each finds exactly its node. White-space-only
    text nodes count for the last number.
    """
    elements = element_xpaths(page)
    return [f"{elements[node.element]}/text()[{node.position}]" for node in page.nodes]


def element_xpaths(page: Page) -> list[str]:
    """One expression per element, e.g. `/html/body/div[2]`; linear time.

    The root and its only children of a name carry no number.
    """
    siblings = Counter(zip(page.parents, page.tags, strict=True))
    seen: Counter[tuple[int, str]] = Counter()
    paths: list[str] = []
    for parent, tag in zip(page.parents, page.tags, strict=True):
        seen[parent, tag] += 1
        step = tag if NAME.fullmatch(tag) else f"*[name()={_literal(tag)}]"
        if parent > 0 or siblings[parent, tag] > 1:
            step = f"{step}[{seen[parent, tag]}]"
        paths.append(f"{paths[parent] if parent >= 0 else ''}/{step}")
    return paths


def _literal(text: str) -> str:
    """An XPath string; the language has no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = ', "\'", '.join(f"'{part}'" for part in text.split("'"))
    return f"concat({parts})"
