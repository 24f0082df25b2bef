"""Attributes of elements that the plain page does not keep, and only formats with markup ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from dbce.html.lines import INLINE
from dbce.html.walk import DROPPED, walk_again

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml.etree import _Element as Element

    from dbce.html.document import Document
    from dbce.model import Limits

    Details = dict[int, Mapping[str, str]]

WANTED = {
    "a": ("href",),
    "base": ("href",),
    "img": ("src", "alt"),
    "li": ("value",),
    "ol": ("start", "reversed"),
    "table": ("role",),
    "td": ("colspan",),
    "th": ("colspan",),
}
"""The attributes that are read, by element."""


VERBATIM = frozenset({"pre", "listing", "xmp", "plaintext"})
"""Elements whose white space counts."""


def read_details(document: Document, limits: Limits) -> Details:
    """The attributes of WANTED, by the index of the element in the page; those that there are.

    Of an outermost element of VERBATIM its `text`, as it stands there: white space alone is no text node.
    """
    elements = walk_again(document.root, document.page.tags, limits).elements
    details: Details = {}
    for index, tag in enumerate(document.page.tags):
        if tag in WANTED:
            values = ((name, elements[index].get(name)) for name in WANTED[tag])
            details[index] = {name: value for name, value in values if value is not None}
        elif tag in VERBATIM and next(elements[index].iterancestors(*VERBATIM), None) is None:
            details[index] = {"text": _verbatim(elements[index])}
    return details


def read_attributes(
    document: Document, names: Sequence[str], limits: Limits
) -> list[dict[str, str]]:
    """Those of the named attributes that each element of a page has, by its index in the page."""
    elements = walk_again(document.root, document.page.tags, limits).elements
    return [
        {name: str(value) for name in names if (value := element.get(name)) is not None}
        for element in elements
    ]


def _verbatim(element: Element) -> str:
    """The text of an element with its white space; what is set on a line of its own stands on one."""
    pieces: list[str] = []
    last, dropped = "\n", 0
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        begins = event == "start"
        text = (node.text if begins else node.tail if node is not element else "") or ""
        if node.tag in DROPPED:
            dropped += 1 if begins else -1
        elif node.tag == "br":
            text = f"\n{text}" if begins else text
        elif _is_block(node) and node is not element and not last.endswith("\n"):
            text = f"\n{text}"
        if text and not dropped:
            pieces.append(text)
            last = text
    return "".join(pieces)


def _is_block(element: Element) -> bool:
    return isinstance(element.tag, str) and element.tag not in INLINE
