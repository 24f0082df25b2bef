"""Lines that are as high as what is in them, as without a full doctype (Quirks Mode Standard 3.2, 3.3).

There an element adds nothing to a line in which it has no text of its own; else each line is at least as
high as one of its block's text would be.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.visual.migrate.places import BLOCKS
from dbce.visual.migrate.tree import Comment, Element, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dbce.visual.migrate.sheet import Sheet
    from dbce.visual.migrate.tree import Node

PICTURES = frozenset({"img", "object", "embed", "iframe", "applet"})
CONTROLS = frozenset({"input", "select", "textarea", "button", "keygen"})
"""Elements that count as text: a line with one has a height of its own."""

INLINE = frozenset(
    "a abbr acronym b bdo big blink cite code dfn em font i ins del kbd label nobr q s samp small "
    "span strike strong sub sup tt u var".split()
)
HOLDERS = BLOCKS - {"ul", "ol", "dl", "dir", "menu", "li", "pre", "listing", "xmp", "plaintext"}
"""Blocks that have lines; those of a list item are as high as its marker is."""

SAID = re.compile(r"line-height|font\s*:", re.IGNORECASE)
NONE, NORMAL = "line-height:0", "line-height:normal"


def heights_are_said(root: Element, sheets: Iterable[str]) -> bool:
    """Return whether a page sets the height of lines itself: then the inherited height cannot be set anew."""
    styles = (one.attributes.get("style", "") for one in root.elements())
    return any(SAID.search(css) for css in (*sheets, *styles))


def pictures_alone(root: Element, sheet: Sheet) -> None:
    """Lets a line that has pictures and no text be as high as they are."""
    for element in root.elements():
        if element.tag not in HOLDERS:
            continue
        no_text = not _has_text([element])
        for line in _lines(element):
            pictures = [one for node in line for one in _pictures(node)]
            if pictures and not _has_text(line):
                if no_text:
                    sheet.style(element, NONE)
                for picture in pictures:
                    sheet.style(picture, "vertical-align:bottom")


def heights_of_their_own(root: Element, sheet: Sheet) -> None:
    """Lets only what has text of its own make lines high, on a page that says nothing of heights."""
    body = root.find("body")
    left = [(body, NORMAL)] if body is not None else []
    while left:
        element, inherited = left.pop()
        wanted = _wanted(element, inherited)
        if wanted != inherited:
            sheet.style(element, wanted)
        if wanted == NONE and element.tag in HOLDERS:
            for line_break in list(_empty_lines(element)):
                around = Element("span")  # which gives a line its height; a break gives it none
                around.wrap([line_break])
                sheet.style(around, NORMAL)
        left += [(child, wanted) for child in element]


def _wanted(element: Element, inherited: str) -> str:
    if element.tag in HOLDERS or element.tag in INLINE:
        if any(isinstance(child, Text) and not child.is_blank for child in element.children):
            return NORMAL
        in_line = any(child.tag in INLINE | PICTURES for child in element)
        return NONE if in_line else inherited
    return inherited if element.tag in ("br", "wbr", *PICTURES) else NORMAL


def _empty_lines(block: Element) -> Iterator[Element]:
    """The line breaks of a block that nothing stands before on their line."""
    is_empty = True
    left: list[Node] = list(reversed(block.children))
    while left:
        node = left.pop()
        if isinstance(node, Text):
            is_empty = is_empty and node.is_blank
        elif isinstance(node, Element) and node.tag == "br":
            if is_empty:
                yield node
            is_empty = True
        elif isinstance(node, Element) and node.tag in INLINE:
            left.extend(reversed(node.children))
        elif isinstance(node, Element):
            is_empty = node.tag in BLOCKS or node.tag == "table"


def _lines(block: Element) -> Iterator[list[Node]]:
    """Yield the nodes of each line of a block, between line breaks and other blocks, if more than blanks."""
    line: list[Node] = []
    for node in block.children:
        if isinstance(node, Element) and _ends_lines(node):
            if line:
                yield line
            line = []
        elif not (isinstance(node, Comment) or (isinstance(node, Text) and node.is_blank)):
            line.append(node)
    if line:
        yield line


def _ends_lines(element: Element) -> bool:
    return any(one.tag in BLOCKS or one.tag == "br" for one in element.elements())


def _has_text(nodes: Iterable[Node]) -> bool:
    parts = (part for node in nodes for part in _parts(node))
    return any(
        part.tag in CONTROLS if isinstance(part, Element) else not part.is_blank
        for part in parts
        if not isinstance(part, Comment)
    )


def _parts(node: Node) -> Iterable[Node]:
    return node.nodes() if isinstance(node, Element) else (node,)


def _pictures(node: Node) -> Iterator[Element]:
    if isinstance(node, Element) and (node.tag in PICTURES or node.tag in INLINE):
        yield from node.elements(*PICTURES)
