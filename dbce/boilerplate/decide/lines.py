"""Lines of a page as they were judged: what decisions over structures are made on."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify import UNSPACED, kinds
from dbce.html import holders
from dbce.html import lines as html_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.boilerplate.merge import Pooled
    from dbce.model import Hashes, Page, TextNode


@dataclass(frozen=True, slots=True)
class LineValues:
    """Lines of a page as they were judged.

    `of_node` is the line of each text node; `gains` are probability less cut, `words` lengths, `shown` whether a
    reader sees them, `aside` whether they are none of the page's matter, and so in no structure.
    """

    of_node: Sequence[int]
    gains: Sequence[float]
    words: Sequence[float]
    shown: Sequence[bool]
    aside: Sequence[bool]

    def above(self, cut: float) -> LineValues:
        """The same lines, whose gains were probabilities, with gains above a cut."""
        return replace(self, gains=[chance - cut for chance in self.gains])

    def nodes(self, page: Page, line: int) -> Sequence[TextNode]:
        """The text nodes of a line, which stand in a row."""
        first = bisect_left(self.of_node, line)
        return page.nodes[first : bisect_right(self.of_node, line, first)]


def line_values(page: Page, ends: Hashes, pooled: Pooled) -> LineValues:
    """The lines of a page whose words were judged, before any cut: gains are probabilities.

    As in the features of lines, two letters of a script that sets no spaces count as a word more.
    """
    of_node = html_lines(page, holders(page))
    words = np.diff(ends, prepend=0)
    first = np.flatnonzero(np.diff(of_node, prepend=-1))
    lengths = np.add.reduceat(words, first)
    starts = np.append(0, ends[:-1])[first]
    chances = np.add.reduceat(pooled.probabilities, starts) / lengths
    unspaced = [
        0 if node.text.isascii() else int(np.count_nonzero(kinds(node.text) & UNSPACED))
        for node in page.nodes
    ]
    weights = lengths + np.add.reduceat(unspaced, first) / 2
    hidden = [page.hidden[page.nodes[node].element] for node in first.tolist()]
    shown = [not h for h in hidden]
    return LineValues(of_node, chances.tolist(), weights.tolist(), shown, [False] * len(shown))
