"""Labels for a page that stands alone: by the densities of its blocks.

The decision tree of Kohlschütter, Fankhauser and Nejdl, Boilerplate Detection using Shallow Text
Features (WSDM 2010), algorithm 2: number of words and link density of a block and its neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from dbce.html import holders, lines
from dbce.model import BOILERPLATE, CONTENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from dbce.model import Page


@dataclass(frozen=True, slots=True)
class _Block:
    words: int
    link_density: float  # words inside <a> / words


_NONE = _Block(words=0, link_density=0.0)  # the neighbour of a page's first line, and of its last


def density_labels(page: Page) -> NDArray[np.uint8]:
    """One label (a place in LABELS) for every text node of a page."""
    sizes, measured = [], [_NONE]
    for nodes, block in _measure(page):
        sizes.append(nodes)
        measured.append(block)
    measured.append(_NONE)
    neighbourhoods = zip(measured, measured[1:], measured[2:], strict=False)
    labels = [CONTENT if _is_content(*n) else BOILERPLATE for n in neighbourhoods]
    return np.repeat(np.array(labels, dtype=np.uint8), sizes)


def _measure(page: Page) -> Iterator[tuple[int, _Block]]:
    """(number of text nodes, measures) of each line of text."""
    linked = inside_links(page)
    line_of = lines(page, holders(page))
    breaks = [i for i, (a, b) in enumerate(pairwise(line_of), 1) if a != b]
    for start, end in pairwise([0, *breaks, len(page.nodes)] if page.nodes else []):
        counts = [len(page.nodes[i].text.split()) for i in range(start, end)]
        in_links = sum(n for i, n in enumerate(counts, start) if linked[page.nodes[i].element])
        yield end - start, _Block(sum(counts), in_links / sum(counts))


def inside_links(page: Page) -> list[bool]:
    """True of each element that is a link or stands in one."""
    inside: list[bool] = []
    for tag, parent in zip(page.tags, page.parents, strict=True):
        inside.append(tag == "a" or (parent >= 0 and inside[parent]))
    return inside


def _is_content(before: _Block, block: _Block, after: _Block) -> bool:
    # The tree and its numbers are those of the paper's algorithm 2, learned from its news pages.
    if block.link_density > 1 / 3:
        return False
    if before.link_density > 5 / 9:
        return block.words > 40 or after.words > 17
    return block.words > 16 or after.words > 15 or before.words > 4
