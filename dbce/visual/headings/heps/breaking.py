"""Sentence-breaking nodes, such as links in a sentence, replaced by their texts (H 4.1)."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from dbce.visual.headings.heps.tree import Node

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.visual.headings.heps.tree import Looks


def without_breaking(root: Node, breaking: str) -> None:
    """Replaces the sentence-breaking nodes of a content body, in place.

    They are those between two sibling texts, and all that look like one of these. Each becomes a text of
    its content, joined with the texts beside it, by a space, as texts are everywhere in the paper.
    """
    if breaking == "none":
        return
    looks = {node.looks for node in _between(root, only_internal=breaking == "internal")}
    for node in list(root.all()):
        if any(child.looks in looks for child in node.children):
            _replace(node, looks)


def _between(root: Node, *, only_internal: bool) -> Iterator[Node]:
    for node in root.all():
        beside = zip(node.children, node.children[1:], node.children[2:], strict=False)
        for before, middle, after in beside:
            is_between = before.is_text and after.is_text and not middle.is_text
            if is_between and (middle.children or not only_internal):
                yield middle


def _replace(parent: Node, looks: set[Looks]) -> None:
    """Joins texts and breaking nodes that stand in a row with at least one of the latter."""

    def is_joined(node: Node) -> bool:
        return node.is_text or node.looks in looks

    children: list[Node] = []
    for joins, row in groupby(parent.children, key=is_joined):
        nodes = list(row)
        if joins and not all(node.is_text for node in nodes):
            children += _joined(parent, nodes)
        else:
            children += nodes
    parent.children = children


def _joined(parent: Node, nodes: Sequence[Node]) -> list[Node]:
    """One text of a row of nodes; none of a row without any, as of a lone br."""
    leaves = [leaf for node in nodes for leaf in node.leaves()]
    if not leaves:
        return []
    return [
        Node(
            tag="",
            looks=parent.looks._replace(path=(*parent.looks.path, ""), height=None),
            first=nodes[0].first,
            end=nodes[-1].end,
            content=" ".join(leaf.content for leaf in leaves if leaf.content),
            texts=tuple(text for leaf in leaves for text in leaf.texts),
            images=tuple(image for leaf in leaves for image in leaf.images),
            parent=parent,
        )
    ]
