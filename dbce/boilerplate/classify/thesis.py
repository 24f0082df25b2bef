"""Labels by the bit patterns of the thesis and, of a page that stands alone, by densities."""

import numpy as np
from numpy.typing import NDArray

from dbce import thesis
from dbce.html import elements_of_tags, holders, lines, subtree_mask
from dbce.model import BOILERPLATE, CONTENT, INVALID, LABELS, Annotation, Cross, Page

# Bit patterns: the meaning of a text's occurrence in the cross (thesis, appendix B).


def _table(cross: str) -> NDArray[np.uint8]:
    table = np.full(32, INVALID, dtype=np.uint8)
    for bits, label in thesis.PATTERNS.get(cross, {}).items():
        table[int(bits, 2)] = LABELS.index(label)
    return table


SNAPSHOTS_ALONE = ("10010", "10001", "10011")
"""The crosses without *up*: what other pages do not say, staying or going does not tell either."""

_TABLES = {cross: _table(cross) for cross in (*thesis.PATTERNS, *SNAPSHOTS_ALONE)}


def element_bits(annotation: Annotation, cross: Cross, words: int) -> NDArray[np.uint8]:
    """Bits of every word in one cross: 16 (cur), plus 8, 4, 2, 1 where up ... next share it."""
    bits = np.full(words, 16, dtype=np.uint8)
    for weight, member in zip((8, 4, 2, 1), cross.members[1:], strict=True):
        if member is not None:
            bits += np.uint8(weight) * annotation.shared[member]
    return bits


def pattern_labels(cross_bits: str, bits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Label of every word (a place in LABELS) by the pattern table; all invalid without *up*."""
    return _TABLES[cross_bits][bits]


# Labels for a page that stands alone: by the densities of its blocks.
#
# The decision tree of Kohlschütter, Fankhauser and Nejdl, Boilerplate Detection using Shallow
# Text Features (WSDM 2010), algorithm 2: number of words and link density of a block and its
# neighbours.


def density_labels(page: Page) -> NDArray[np.uint8]:
    line = np.array(lines(page, holders(page)), np.int64)
    counts = np.array([len(node.text.split()) for node in page.nodes], np.int64)
    in_links = subtree_mask(page, elements_of_tags(page, "a"))
    linked = np.array([in_links[node.element] for node in page.nodes])
    words = np.bincount(line, counts)
    links = np.bincount(line, counts * linked) / words
    # Beside the first line of a page, and the last, stands one of no words.
    before, after = np.append(0, words[:-1]), np.append(words[1:], 0)
    # The tree and its numbers are those of the paper's algorithm 2, learned from its news pages.
    behind_links = np.append(0, links[:-1]) > 5 / 9
    is_long = np.where(behind_links, (words > 40) | (after > 17), (words > 16) | (after > 15))
    is_content = (links <= 1 / 3) & (is_long | (~behind_links & (before > 4)))
    return np.where(is_content, np.uint8(CONTENT), np.uint8(BOILERPLATE))[line]
