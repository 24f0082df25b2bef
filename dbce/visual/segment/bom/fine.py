"""Fine-grained segmentation: the smallest coherent blocks (Sanoja 2015, 2.3, algorithm 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.segment.boxes import PHRASING, Node, around, can_be_block, category

if TYPE_CHECKING:
    from dbce.visual import Rect
    from dbce.visual.segment.boxes import Outline, Weigh

PARTING = frozenset({"br", "hr"})
"""Elements without child elements that part others and hold nothing."""

FOREIGN = frozenset({"math", "svg"})
"""Elements whose contents are a part of them: the names in these are not those of HTML."""

BODY = 0
"""Place of body, the root of the elements that are collected."""


def fine_grained(outline: Outline, weigh: Weigh, *, drop_at_body: bool) -> list[Node]:
    """One block for each element that a leaf climbs to, in document order; texts of body come last.

    From each leaf the climb goes up to the first element that meets condition C. A climb that comes to
    body ends at the last element below it, or the leaf is lost (`drop_at_body`, to the letter). A text
    that is itself in body is a block, whose element is body.
    """
    hosts = _hosts(outline)
    climbed: dict[int, Rect] = {}
    loose: list[Node] = []
    for leaf, place in _leaves(outline):
        host = hosts[leaf]
        if drop_at_body and (host == BODY or not _is_block(outline, host)):
            continue
        if host == BODY:
            loose.append(Node(place, [BODY], PHRASING, weigh(place, outline.size)))
        else:
            climbed[host] = around(climbed[host], place) if host in climbed else place
    holds = _holding(outline, climbed)
    blocks = []
    for host, leaves in sorted(climbed.items()):
        # An element's own box would lie over the blocks inside it.
        own = outline.boxes[host]
        box = leaves if holds[host] or own is None else own
        element = outline.page.elements[host]
        kind = category(element.tag, element.attributes)
        blocks.append(Node(box, [host], kind, weigh(box, outline.size)))
    return blocks + loose


def _leaves(outline: Outline) -> list[tuple[int, Rect]]:
    """Return (element, box) of elements without child elements, and of texts with element siblings."""
    elements = outline.page.elements
    found = []
    hidden_until = 0  # behind the last descendant of what is foreign
    for n, element in enumerate(elements):
        if n < hidden_until:
            continue
        box = outline.boxes[n]
        if element.tag in FOREIGN:
            hidden_until = outline.end[n]
        elif outline.children[n]:
            found += [(n, place) for t in outline.texts[n] if (place := outline.places[t])]
            continue
        if box and (n != BODY or outline.texts[n]) and element.tag not in PARTING:
            found.append((n, box))
    return found


def _hosts(outline: Outline) -> list[int]:
    """Return where the climb from each element ends: at itself, an ancestor, or the last one below body."""
    hosts: list[int] = []
    for n, element in enumerate(outline.page.elements):
        if element.parent <= BODY or _is_block(outline, n):
            hosts.append(n)
        else:
            hosts.append(hosts[element.parent])
    return hosts


def _is_block(outline: Outline, element: int) -> bool:
    return can_be_block(outline.page.elements[element].tag)


def _holding(outline: Outline, blocks: dict[int, Rect]) -> list[bool]:
    """Flag of each element: True if there are blocks inside it."""
    elements = outline.page.elements
    holds = [False] * len(elements)
    for n in range(len(elements) - 1, BODY, -1):
        if n in blocks or holds[n]:
            holds[elements[n].parent] = True
    return holds
