"""A block while a page is cut, and the finished segmentation of a tree of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dbce.visual import Block, Segmentation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dbce.visual import Rect
    from dbce.visual.segment.boxes.outline import Outline


@dataclass(slots=True, eq=False)
class Node:
    """A block that may still get or lose children; they stand in reading order."""

    rect: Rect
    elements: list[int] = field(default_factory=list)
    category: str = ""
    weight: float = 0.0
    children: list[Node] = field(default_factory=list)

    def terminal(self) -> Iterator[Node]:
        """The blocks in it that hold no other, itself if it holds none, in reading order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if not node.children:
                yield node
            waiting += reversed(node.children)


def by_place(node: Node) -> tuple[float, float]:
    """Reading order of blocks that stand side by side: from top to bottom, then from the left."""
    return node.rect.y, node.rect.x


def segmentation(outline: Outline, algorithm: str, root: Node) -> Segmentation:
    """The tree as a segmentation: the page first, parents before children, in reading order."""
    blocks: list[Block] = []
    waiting = [(root, -1)]
    while waiting:
        node, parent = waiting.pop()
        waiting += [(child, len(blocks)) for child in reversed(node.children)]
        elements = outermost(outline, node.elements)
        blocks.append(Block(parent, node.rect, elements, node.category, "", float(node.weight)))
    return Segmentation(algorithm, outline.page.record_id, tuple(blocks))


def outermost(outline: Outline, elements: Iterable[int]) -> tuple[int, ...]:
    """Elements without those that lie inside another of them, in document order."""
    found: list[int] = []
    for element in sorted(elements):
        if not found or element >= outline.end[found[-1]]:
            found.append(element)
    return tuple(found)
