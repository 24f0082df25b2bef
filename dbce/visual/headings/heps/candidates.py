"""Candidate lists: texts and images of one style, the first nodes of their blocks, and their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.visual.headings.heps.tree import Looks, Node


class Candidates(NamedTuple):
    """Nodes of one style in document order, and the front node of each."""

    nodes: tuple[Node, ...]
    fronts: tuple[Node, ...]


def candidate_lists(root: Node) -> list[Candidates]:
    """All lists, the presumed higher levels first (H 4.2 and 4.3)."""
    lists: dict[Looks, list[Node]] = {}
    for leaf in root.leaves():
        lists.setdefault(leaf.looks, []).append(leaf)
    found = [Candidates(tuple(nodes), front_nodes(nodes, root)) for nodes in lists.values()]
    return sorted(found, key=_significance)


def front_nodes(nodes: Sequence[Node], root: Node) -> tuple[Node, ...]:
    """The first nodes of the blocks of some headings: as far above them as no two meet (H 4.3.1)."""
    if len(nodes) == 1:
        return (root,)
    fronts = list(nodes)
    while True:
        parents = [node.parent for node in fronts if node.parent is not None]
        if len(set(map(id, parents))) < len(fronts):
            return tuple(fronts)
        fronts = parents


def _significance(one: Candidates) -> tuple[int, float, int, int]:
    first = one.nodes[0]
    return one.fronts[0].depth, -first.looks.font_size, -first.looks.font_weight, first.first
