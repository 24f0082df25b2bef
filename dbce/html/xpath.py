"""XPath expressions of a page's elements and text nodes, computed from its arrays."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from dbce.model import Page

NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


def xpaths(page: Page) -> list[str]:
    """One expression per text node, e.g. `/html/body/div[2]/p[1]/text()[1]`; linear time.

    Evaluated on the tree that the page was read from, each finds exactly its node. White-space-only
    text nodes count for the last number.
    """
    elements = element_xpaths(page)
    return [f"{elements[node.element]}/text()[{node.position}]" for node in page.nodes]


def element_xpaths(page: Page, without: Collection[int] = ()) -> list[str]:
    """One expression per element, e.g. `/html/body/div[2]`; linear time.

    The root and its only children of a name carry no number. Elements `without` children do not count, as
    if they were not there; their own expressions mean nothing.
    """
    below_root = Counter(
        tag for parent, tag in zip(page.parents, page.tags, strict=True) if parent == 0
    )
    steps = {tag: f"/{step(tag)}" for tag in {*page.tags}}
    seen: dict[tuple[int, str], int] = {}
    paths: list[str] = []
    for element, place in enumerate(zip(page.parents, page.tags, strict=True)):
        number = seen[place] = seen.get(place, 0) + (element not in without)
        parent, tag = place
        if parent > 0 or (parent == 0 and below_root[tag] > 1):
            paths.append(f"{paths[parent]}{steps[tag]}[{number}]")
        else:
            paths.append(f"{paths[0] if paths else ''}{steps[tag]}")
    return paths


@lru_cache(maxsize=1000)  # names of elements are few, those that a hostile page makes up are not
def step(tag: str) -> str:
    """The step of a path to an element; a name that XPath cannot write is compared as a text."""
    return tag if NAME.fullmatch(tag) else f"*[name()={_literal(tag)}]"


def _literal(text: str) -> str:
    """An XPath string; the language has no escapes."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = ', "\'", '.join(f"'{part}'" for part in text.split("'"))
    return f"concat({parts})"
