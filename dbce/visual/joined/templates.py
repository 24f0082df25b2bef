"""Pages that share a template, and blocks of one page that correspond to blocks of another."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from dbce.html import place
from dbce.model import stable_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dbce.output import Row
    from dbce.visual import Block, RenderedPage


def templates(pages: Iterable[Row]) -> dict[str, str]:
    """The template of every capture, by record id: the least id of those that hang together.

    `pages` are rows of `pages`; captures hang together where one is a neighbour of the other in a
    comparison (`up`, `down`), or its snapshot (`prev`, `next`).
    """
    edges: list[tuple[str, str]] = []
    for row in pages:
        own = row["record_id"]
        edges += ((own, other) for role in ("up", "down", "prev", "next") if (other := row[role]))
        edges.append((own, own))
    names = sorted({name for edge in edges for name in edge})
    number = {name: n for n, name in enumerate(names)}
    ends = [[number[edge[side]] for edge in edges] for side in (0, 1)]
    graph = coo_array(([True] * len(edges), ends), shape=(len(names), len(names)))
    _, groups = connected_components(graph, directed=False)
    least: dict[int, str] = {}
    return {
        name: least.setdefault(int(group), name) for name, group in zip(names, groups, strict=True)
    }


def block_places(page: RenderedPage, blocks: Sequence[Block]) -> list[str]:
    """For each block its place in the template: a hash of the paths of its elements, and which it is.

    A path is that of tags and classes from the root (`dbce.html.place`), and equal paths count once: a
    list is the same block however many items it has. Of blocks with equal paths the first on every
    page are the same one, and so on. A block without elements is "".
    """
    of_element: list[int] = []
    for element in page.elements:
        above = of_element[element.parent] if element.parent >= 0 else 0
        of_element.append(place(element.tag, element.attributes.get("class", ""), above))
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for block in blocks:
        paths = tuple(sorted({str(of_element[element]) for element in block.elements}))
        seen[paths] += 1
        found.append(stable_id("block", str(seen[paths]), *paths) if paths else "")
    return found
