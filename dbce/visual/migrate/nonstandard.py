"""Elements and attributes that HTML never had, kept under names that it leaves to authors.

What browsers do not know they lay out as a `span`, and an attribute that they do not know says nothing to
them. So nothing changes but for scripts and sheets that name it: what these speak of stays as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.visual.migrate.allowed import NO_ONE, OWN, holds_blocks, is_known, may_hold_blocks
from dbce.visual.migrate.tree import DomElement, DomText

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

    from dbce.visual.migrate.sheet import Sheet

FOREIGN = frozenset({"svg", "math"})
"""Drawings and formulas: the names in them are not those of HTML."""

QUOTED = re.compile(r"""(["'])((?:(?!\1)[^\\\n]|\\.)*)\1""")
WORD = re.compile(r"[\w:.-]+")
NOT_IN_A_NAME = re.compile(r"[^a-z0-9_.-]+")


def spoken_of(root: DomElement, scripts: Iterable[str], sheets: Iterable[str]) -> frozenset[str]:
    """The words by which the scripts and style sheets of a page could ask for an element or attribute.

    Of scripts those in quotes: what is no attribute of HTML is no property either. `scripts` and `sheets`
    are those in other files.
    """
    own = {"script": list(scripts), "style": list(sheets)}
    for element in root.elements(*own):
        own[element.tag] += [child.text for child in element.children if isinstance(child, DomText)]
    for element in root.elements():
        own["script"] += [value for name, value in element.attributes.items() if name[:2] == "on"]
    quoted = (literal[2] for script in own["script"] for literal in QUOTED.finditer(script))
    named = (sheet.replace("\\", "") for sheet in own["style"])
    return frozenset(word.lower() for text in (*quoted, *named) for word in WORD.findall(text))


def rename_strangers(
    root: DomElement, sheet: Sheet, spoken: frozenset[str], counts: Counter[str]
) -> None:
    """Renames what HTML does not know of a page, and counts it.

    An element becomes `span`, or `div` where blocks are in it, and says in `data-was` what it was; an
    attribute is kept as `data-` and its name.
    """
    for element in list(of_html(root)):
        if _is_strange(element.tag) and element.tag.lower() not in spoken:
            _rename(element, sheet)
            counts["element"] += 1
        is_renamed = "data-was" in element.attributes
        for name in list(element.attributes):
            if not is_known(element.tag, name) and (is_renamed or name not in spoken):
                counts["attribute"] += put_by(element, name)


def of_html(root: DomElement) -> Iterator[DomElement]:
    """The elements of a page but for those of drawings and formulas."""
    left = [root]
    while left:
        element = left.pop()
        if element.tag not in FOREIGN:
            yield element
            left.extend(reversed(list(element)))


def put_by(element: DomElement, name: str) -> bool:
    """Keeps an attribute as `data-` and its name; False if that is taken.

    One of signs alone, such as a quotation mark too many, goes if it says nothing.
    """
    kept = "data-" + NOT_IN_A_NAME.sub("-", name)
    if kept in element.attributes:
        return False
    value = element.attributes.pop(name)
    if value or kept.strip("-") != "data":
        element.attributes[kept] = value
    return True


def _is_strange(tag: str) -> bool:
    """Return whether no version of HTML has such an element; one with a hyphen may be the author's own."""
    return tag not in OWN and tag not in NO_ONE and ("-" not in tag or ":" in tag)


def _rename(element: DomElement, sheet: Sheet) -> None:
    element.attributes["data-was"] = element.tag
    is_block = holds_blocks(element) and may_hold_blocks(element.parent)
    element.tag = "div" if is_block else "span"
    if is_block:
        sheet.style(element, "display:inline")
