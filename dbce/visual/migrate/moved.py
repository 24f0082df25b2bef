"""Repair of what HTML forbids in its place: sheets in the body, blocks in a `span`, non-items in a list.

Each changes what selectors fit, so it is done only where those of the page fit what they did before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.migrate.allowed import holds_blocks, may_hold_blocks
from dbce.visual.migrate.nonstandard import of_html
from dbce.visual.migrate.tree import DomComment, DomElement, DomText

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator

    from dbce.visual.migrate.sheet import Sheet
    from dbce.visual.migrate.tree import Node

IN_BODY = frozenset(
    "dns-prefetch modulepreload pingback preconnect prefetch preload prerender stylesheet".split()
)
"""Links that a body may hold."""

LISTS = frozenset({"ul", "ol", "menu"})
KEEPERS = frozenset({"noscript", "template", "object"})
"""Elements whose sheets are theirs alone, or only at times."""


def into_head(root: DomElement, _: Sheet, counts: Counter[str]) -> None:
    """Moves sheets of the body to the end of the head, in their order, and what else belongs there."""
    head, body = root.find("head"), root.find("body")
    if head is None or body is None:
        return
    inside = [candidate for candidate in _below(body) if _belongs_in_head(candidate)]
    if any(candidate.tag == "style" for candidate in inside):  # among sheets the later wins
        inside = [
            candidate
            for candidate in _below(body)
            if _belongs_in_head(candidate) or _is_sheet(candidate)
        ]
    for element in inside:
        _keep_texts_apart(element)
    head.append(*inside)
    counts["moved"] += len(inside)


def _keep_texts_apart(element: DomElement) -> None:
    """Puts a comment behind an element that stands between texts, which would be one without it."""
    row = element.parent.children if element.parent is not None else []
    place = row.index(element)
    around = row[max(0, place - 1) : place] + row[place + 1 : place + 2]
    if element.parent is not None and all(isinstance(node, DomText) for node in around):
        element.parent.insert(place + 1, DomComment(" "))


def _below(body: DomElement) -> list[DomElement]:
    return [
        element
        for element in of_html(body)
        if element.tag in ("style", "link", "meta")
        and not any(above.tag in KEEPERS for above in element.ancestors())
    ]


def _belongs_in_head(element: DomElement) -> bool:
    if element.tag == "style":
        return True
    if "itemprop" in element.attributes or "property" in element.attributes:
        return False
    relations = set(element.attributes.get("rel", "").lower().split())
    return element.tag == "meta" or not relations or not relations <= IN_BODY


def _is_sheet(element: DomElement) -> bool:
    return "stylesheet" in element.attributes.get("rel", "").lower().split()


def blocks_in_spans(root: DomElement, sheet: Sheet, counts: Counter[str]) -> None:
    """Makes a `div` that is laid out in the line of each `span` that holds blocks, if one may stand there."""
    for element in of_html(root):
        if element.tag == "span" and holds_blocks(element) and may_hold_blocks(element.parent):
            element.tag = "div"
            sheet.style(element, "display:inline")
            counts["span"] += 1


def items_of_lists(root: DomElement, sheet: Sheet, counts: Counter[str]) -> None:
    """Wraps what stands in a list and is no item in one, without a box and a number."""
    for element in list(of_html(root)):
        if element.tag in LISTS:
            for row in _rows(element):
                item = DomElement("li")
                item.wrap(row)
                sheet.style(item, "display:contents;counter-increment:list-item 0")
                counts["item"] += 1


def _rows(element: DomElement) -> list[list[Node]]:
    """The children of a list between its items."""
    rows: list[list[Node]] = [[]]
    for child in element.children:
        if isinstance(child, DomElement) and child.tag in ("li", "script", "template"):
            rows.append([])
        elif (
            not (isinstance(child, DomComment) or (isinstance(child, DomText) and child.is_blank))
            or rows[-1]
        ):
            rows[-1].append(child)
    return [row for row in rows if row and not any(map(_holds_item, row))]


def _holds_item(node: Node) -> bool:
    """Return whether an item in it is in no list of its own: the parser would end the item round it."""
    return isinstance(node, DomElement) and any(
        not any(above.tag in LISTS for above in _up_to(item, node)) for item in node.elements("li")
    )


def _up_to(element: DomElement, top: DomElement) -> Iterator[DomElement]:
    for above in element.ancestors():
        yield above
        if above is top:
            return


MOVES: tuple[Callable[[DomElement, Sheet, Counter[str]], None], ...] = (
    into_head,
    blocks_in_spans,
    items_of_lists,
)
"""The first one changes least what selectors fit."""
