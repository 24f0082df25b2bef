"""The features of text runs by which the thesis learns (section 2.3, "Feature Extraction").

A text run is the thesis' `<dbce>` element: a leaf of the tree, beside the elements with which it
shares its parent. The thesis leaves open: how long a text is (here its words and one space between
two), what a run inside a link has for link density (1) and for a class attribute (none: that of
`<dbce>` names the bits), and whether an element counts among its tags (it does).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from dbce.boilerplate.classify.density import inside_links

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from dbce.model import Hashes, Page

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

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
    """The elements of a page, its text runs, and last the dummy: the neighbour of who has none.

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


def run_features(page: Page, starts: NDArray[np.int64], ends: Hashes, layers: int) -> Floats:
    """The features of every text run, shape (runs, layers * len(FEATURES)).

    Args:
        page: the page; it has text.
        starts: the first word of every run among all words of the page.
        ends: the end of every text node among them.
        layers: 1 for the group of the run, 2 for that of its parent too, 3 for its grandparent's.
    """
    tree = _tree(page, starts, ends)
    measured = _measured(page, tree)
    nodes = np.arange(len(page.tags), len(page.tags) + len(starts))
    windows = []
    for _ in range(layers):
        windows.append(_window(tree, measured, nodes))
        nodes = tree.parents[nodes]
    return np.hstack(windows)


def _tree(page: Page, starts: NDArray[np.int64], ends: Hashes) -> _Tree:
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
    linked = np.array(inside_links(page))
    first = np.concatenate([[0], ends])[np.searchsorted(after, elements)].astype(np.int64)
    size = np.diff(starts, append=int(ends[-1]))
    return _Tree(
        parents=_with_dummy(parents, -1),
        before=before,
        behind=behind,
        first=_with_dummy(np.concatenate([first, starts]), 0),
        end=_with_dummy(np.concatenate([first + _sums(own, last), starts + size]), 0),
        linked=_with_dummy(np.concatenate([_sums(own * linked, last), size * linked[of_run]]), 0),
        tags=_with_dummy(np.concatenate([last - elements, np.zeros_like(starts)]), 0),
    )


def _with_dummy(values: Ints, value: int) -> Ints:
    return np.append(values, value)


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
    """The first element behind each element that is not below it."""
    ends = list(range(1, len(page.tags) + 1))
    for element in range(len(ends) - 1, 0, -1):
        parent = page.parents[element]
        ends[parent] = max(ends[parent], ends[element])
    return np.array(ends)


def _sums(own: Ints, last: Ints) -> Ints:
    """The sum over each element and all below it."""
    total = np.concatenate([[0], np.cumsum(own)])
    return np.asarray(total[last] - total[:-1])


def _measured(page: Page, tree: _Tree) -> Floats:
    """The measures of every node, shape (nodes, len(MEASURES)); those of the dummy are 0."""
    runs = len(tree.parents) - 1 - len(page.tags)
    lengths = [len(word) + 1 for node in page.nodes for word in node.text.split()]
    characters = np.concatenate([[0], np.cumsum(lengths)])
    words = tree.end - tree.first
    columns = (
        np.array([*_name_ids(page.tags), *[1] * runs, 0]),
        np.array([*map(_class_hash, page.classes), *[0] * runs, 0]),
        tree.linked / np.maximum(words, 1),
        _text_densities(tree, characters),
        words,
        np.maximum(characters[tree.end] - characters[tree.first] - 1, 0),
        tree.tags,
    )
    return np.column_stack(columns).astype(np.float64)


def _name_ids(tags: Iterable[str]) -> list[int]:
    """Tag names as numbers, in the order in which the page first has them; a run has 1.

    They need to tell names apart within one page only, since it is the page that is learned.
    """
    numbers: dict[str, int] = {}
    return [numbers.setdefault(tag, len(numbers) + 2) for tag in tags]


def _class_hash(classes: str) -> int:
    return crc32(" ".join(sorted(classes.split())).encode("utf-8", "replace"))


def _text_densities(tree: _Tree, characters: Ints) -> Floats:
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


def _window(tree: _Tree, measured: Floats, nodes: Ints) -> Floats:
    """The features of nodes, one layer."""
    around = {"P": tree.before[nodes], "C": nodes, "N": tree.behind[nodes]}
    columns = []
    for name in FEATURES[:-1]:
        who, _, measure = name.partition("_")
        columns.append(measured[around[who], MEASURES.index(measure)])
    length, tags = measured[nodes][:, [MEASURES.index("tl"), MEASURES.index("tc")]].T
    return np.column_stack([*columns, length / np.maximum(tags, 1)])
