"""Methods of the thesis, and the one for a page that stands alone: patterns, densities, reclassification."""

from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from dbce import thesis
from dbce.boilerplate.classify.lines import Doubles, Ints
from dbce.html import holders, lines
from dbce.model import BOILERPLATE, CONTENT, INVALID, LABELS, Annotation, Cross, Hashes, Page

# Bit patterns: the meaning of a text's occurrence in the cross (thesis, appendix B).


def _table(cross: str) -> NDArray[np.uint8]:
    table = np.full(32, INVALID, dtype=np.uint8)
    for bits, label in thesis.PATTERNS[cross].items():
        table[int(bits, 2)] = LABELS.index(label)
    return table


SNAPSHOTS_ALONE = ("10010", "10001", "10011")
"""The crosses without *up*: what other pages do not say, staying or going does not tell either."""

_TABLES = {cross: _table(cross) for cross in thesis.PATTERNS}
_TABLES |= dict.fromkeys(SNAPSHOTS_ALONE, np.full(32, INVALID, dtype=np.uint8))


def element_bits(annotation: Annotation, cross: Cross, words: int) -> NDArray[np.uint8]:
    """Bits of every word in one cross: 16 (cur), plus 8, 4, 2, 1 where up ... next share it."""
    bits = np.full(words, 16, dtype=np.uint8)
    for weight, member in zip((8, 4, 2, 1), cross.members[1:], strict=True):
        if member is not None:
            bits += np.uint8(weight) * annotation.shared[member]
    return bits


def pattern_labels(cross_bits: str, bits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Label of every word (a place in LABELS) by the pattern table; all invalid without *up*."""
    labels: NDArray[np.uint8] = _TABLES[cross_bits][bits]
    return labels


# Labels for a page that stands alone: by the densities of its blocks.
#
# The decision tree of Kohlschütter, Fankhauser and Nejdl, Boilerplate Detection using Shallow
# Text Features (WSDM 2010), algorithm 2: number of words and link density of a block and its
# neighbours.


def density_labels(page: Page) -> NDArray[np.uint8]:
    line = np.array(lines(page, holders(page)), np.int64)
    counts = np.array([len(node.text.split()) for node in page.nodes], np.int64)
    linked = np.array(link_flags(page))[[node.element for node in page.nodes]]
    words = np.bincount(line, counts)
    links = np.bincount(line, counts * linked) / words
    # Beside the first line of a page, and the last, stands one of no words.
    before, after = np.append(0, words[:-1]), np.append(words[1:], 0)
    # The tree and its numbers are those of the paper's algorithm 2, learned from its news pages.
    behind_links = np.append(0, links[:-1]) > 5 / 9
    is_long = np.where(behind_links, (words > 40) | (after > 17), (words > 16) | (after > 15))
    is_content = (links <= 1 / 3) & (is_long | (~behind_links & (before > 4)))
    return np.where(is_content, np.uint8(CONTENT), np.uint8(BOILERPLATE))[line]


def link_flags(page: Page) -> list[bool]:
    inside: list[bool] = []
    for tag, parent in zip(page.tags, page.parents, strict=True):
        inside.append(tag == "a" or (parent >= 0 and inside[parent]))
    return inside


# Reclassification: a page learns from the runs that bit patterns decide (thesis, section 2.3).

_KINDS = {CONTENT: "content", BOILERPLATE: "bp"}


def reclassify(
    page: Page, starts: Ints, ends: Hashes, labels: NDArray[np.uint8], *, method: str, seed: int
) -> Doubles | None:
    """Probability of content of every text run, those included that were learned from; above one half a run is content.

    `starts` and `ends` are the first word of every run and the end of every text node among all words, `labels` those
    of every run by the patterns of one cross; what is not invalid is an example. None, and these labels stand, where
    there is nothing to learn from: fewer than five examples, or one class only, once equal vectors of both classes
    are taken out.
    """
    rows = run_features(page, starts, ends, thesis.LAYERS[method])
    model = thesis.train(rows, [_KINDS.get(label) for label in labels.tolist()], method, seed)
    return None if model is None else np.array(thesis.chances(model, rows))


# The features of text runs by which the thesis learns (section 2.3, "Feature Extraction").
#
# A text run is the thesis' `<dbce>` element: a leaf of the tree, beside the elements with which
# it shares its parent. The thesis leaves open: how long a text is (here its words and one space
# between two), what a run inside a link has for link density (1) and for a class attribute (none:
# that of `<dbce>` names the bits), and whether an element counts among its tags (it does).

FEATURES = (
    *("P_nid", "C_nid", "N_nid", "C_class", "P_ld", "P_td", "C_ld", "C_td", "N_ld", "N_td"),
    *("P_wc", "C_wc", "N_wc", "P_tl", "C_tl", "N_tl", "P_tc", "C_tc", "N_tc", "R_1"),
)
"""Features of a node C, and of P and N, before and behind it in its group (thesis, table 2.1):
number of the tag name, class attribute, link density, text density, words, characters, tags; R_1 is
characters a tag."""

MEASURES = ("nid", "class", "ld", "td", "wc", "tl", "tc")

LINE = 80
"""Characters of a line, for the text density (Kohlschütter and others, WSDM 2010, section 3.2)."""


@dataclass(frozen=True, slots=True, eq=False)
class _Tree:
    """Elements of a page, its text runs, and last the dummy: the neighbour of who has none.

    Index -1 is the dummy, so there is no end to parents and neighbours. A node holds the words from
    `first` to `end`, of which `linked` stand in links, and `tags` elements.
    """

    parents: Ints
    before: Ints
    behind: Ints
    first: Ints
    end: Ints
    linked: Ints
    tags: Ints


def run_features(page: Page, starts: Ints, ends: Hashes, layers: int) -> Doubles:
    """Features of every text run, shape (runs, layers * len(FEATURES)).

    `starts` and `ends` are as in `reclassify`; of 1 layer the group of the run, of 2 that of its parent too,
    of 3 that of its grandparent.
    """
    tree = _tree(page, starts, ends)
    measured = _measure_nodes(page, tree)
    nodes = np.arange(len(page.tags), len(page.tags) + len(starts))
    windows = []
    for _ in range(layers):
        windows.append(_window(tree, measured, nodes))
        nodes = tree.parents[nodes]
    return np.hstack(windows)


def _tree(page: Page, starts: Ints, ends: Hashes) -> _Tree:
    elements, words = np.arange(len(page.tags)), np.diff(ends.astype(np.int64), prepend=0)
    holder = np.array([node.element for node in page.nodes])
    after = np.array([node.after for node in page.nodes])
    node_of_run = np.searchsorted(ends, starts, side="right")
    of_run = holder[node_of_run]
    parents = np.array([*page.parents, *of_run.tolist()])
    before, behind = _neighbours(parents, np.concatenate([elements, after[node_of_run]]))
    # An element and all below it are neighbours in document order, as are their words.
    last = _subtree_ends(page)
    own = np.bincount(holder, weights=words, minlength=len(elements)).astype(np.int64)
    linked = np.array(link_flags(page))
    first = np.concatenate([[0], ends])[np.searchsorted(after, elements)].astype(np.int64)
    size = np.diff(starts, append=int(ends[-1]))
    return _Tree(
        parents=np.append(parents, -1),
        before=before,
        behind=behind,
        first=np.append(np.concatenate([first, starts]), 0),
        end=np.append(np.concatenate([first + _sums(own, last), starts + size]), 0),
        linked=np.append(np.concatenate([_sums(own * linked, last), size * linked[of_run]]), 0),
        tags=np.append(np.concatenate([last - elements, np.zeros_like(starts)]), 0),
    )


def _neighbours(parents: Ints, places: Ints) -> tuple[Ints, Ints]:
    """(node before, node behind) each node and the dummy in their groups, -1 where there is none.

    The place of an element is its index, that of a run the last element that begins before it.
    """
    order = np.lexsort((places, parents))  # stable: an element comes before runs of its place
    node, other = order[:-1], order[1:]
    together = parents[node] == parents[other]
    before, behind = np.full((2, len(parents) + 1), -1)
    before[other[together]] = node[together]
    behind[node[together]] = other[together]
    return before, behind


def _subtree_ends(page: Page) -> Ints:
    ends = list(range(1, len(page.tags) + 1))
    for element in range(len(ends) - 1, 0, -1):
        parent = page.parents[element]
        ends[parent] = max(ends[parent], ends[element])
    return np.array(ends)


def _sums(own: Ints, last: Ints) -> Ints:
    total = np.concatenate([[0], np.cumsum(own)])
    return np.asarray(total[last] - total[:-1])


def _measure_nodes(page: Page, tree: _Tree) -> Doubles:
    """Measures of every node, shape (nodes, len(MEASURES)); those of the dummy are 0."""
    runs = len(tree.parents) - 1 - len(page.tags)
    lengths = [len(word) + 1 for node in page.nodes for word in node.text.split()]
    characters = np.concatenate([[0], np.cumsum(lengths)])
    words = tree.end - tree.first
    names = (" ".join(sorted(classes.split())) for classes in page.classes)
    hashes = [crc32(of.encode("utf-8", "replace")) for of in names]
    numbers = {tag: n for n, tag in enumerate(dict.fromkeys(page.tags), 2)}  # a run has 1
    columns = (
        np.array([*(numbers[tag] for tag in page.tags), *[1] * runs, 0]),
        np.array([*hashes, *[0] * runs, 0]),
        tree.linked / np.maximum(words, 1),
        _text_densities(tree, characters),
        words,
        np.maximum(characters[tree.end] - characters[tree.first] - 1, 0),
        tree.tags,
    )
    return np.column_stack(columns).astype(np.float64)


def _text_densities(tree: _Tree, characters: Ints) -> Doubles:
    """Words a line when texts are set in lines of 80 characters.

    The last line counts only where it is the only one, for it need not be full. Lines are walked in
    jumps of powers of two, for all nodes at once: elements hold each other's text.
    """
    words = len(characters) - 1
    following = np.searchsorted(characters, characters[:-1] + LINE + 1, side="right") - 1
    jumps = [np.append(np.maximum(following, np.arange(1, words + 1)), words)]
    while jumps[-1][0] < words:
        jumps.append(jumps[-1][jumps[-1]])
    last_line, full_lines = tree.first, np.zeros_like(tree.first)
    for power, jump in reversed(list(enumerate(jumps))):
        further = jump[last_line] < tree.end
        last_line = np.where(further, jump[last_line], last_line)
        full_lines += further << power
    in_full = (last_line - tree.first) / np.maximum(full_lines, 1)
    return np.where(full_lines > 0, in_full, tree.end - tree.first)


def _window(tree: _Tree, measured: Doubles, nodes: Ints) -> Doubles:
    around = {"P": tree.before[nodes], "C": nodes, "N": tree.behind[nodes]}
    columns = []
    for name in FEATURES[:-1]:
        who, _, measure = name.partition("_")
        columns.append(measured[around[who], MEASURES.index(measure)])
    length, tags = measured[nodes][:, [MEASURES.index("tl"), MEASURES.index("tc")]].T
    return np.column_stack([*columns, length / np.maximum(tags, 1)])
