"""Template tokens: the features that two pages of one template share, whatever their text says.

A recipe turns a page into a set of strings. It is a named choice, kept with every signature,
since signatures of different recipes cannot be compared.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from dbce.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Callable

    from dbce.model import Hashes, Page

DOCUMENT = "[document]"  # the root above <html>, as BeautifulSoup names it


def layers(page: Page) -> list[list[list[int]]]:
    """The page's elements by layer, sibling groups in document order (thesis, listing 2.3).

    `layers(page)[level]` is a list of groups; a group holds the indices of the elements that share
    one parent. The root element is layer 0.
    """
    parents = page.parents
    levels: list[int] = []
    for parent in parents:
        levels.append(0 if parent < 0 else levels[parent] + 1)
    # Elements are in document order, so siblings appear in order, but not side by side; groups of
    # a layer are in the order of their parents, which is the order of the parents' indices.
    by_layer = sorted(range(len(parents)), key=lambda e: (levels[e], parents[e], e))
    return [
        [list(group) for _, group in groupby(layer, key=lambda e: parents[e])]
        for _, layer in groupby(by_layer, key=lambda e: levels[e])
    ]


def layer_tokens(page: Page) -> set[str]:
    """The thesis' tokens, e.g. `0_0_2_ul/0_0_2_body/0_0_2_html/0_0_2_[document]`.

    For node n of group g in layer l: `n_g_l_tag`, then `n_g_l_ancestor` for every ancestor (thesis,
    listing 2.7). The chain of ancestors is the same for all siblings, so it is joined once a group.
    """
    tokens = set()
    for level, groups in enumerate(layers(page)):
        for group_number, group in enumerate(groups):
            ancestors = _ancestors(page, page.parents[group[0]])
            for node_number, element in enumerate(group):
                place = f"{node_number}_{group_number}_{level}_"
                tokens.add(place + f"/{place}".join([page.tags[element], *ancestors]))
    return tokens


def _ancestors(page: Page, element: int) -> list[str]:
    tags = []
    while element >= 0:
        tags.append(page.tags[element])
        element = page.parents[element]
    return [*tags, DOCUMENT]


def path_tokens(page: Page) -> set[str]:
    """The last three steps (tag and classes) of every element's path: no positions.

    One paragraph more or less moves no token, and a wrapper around the whole page changes only
    the first three layers.
    """
    # A text is only made for paths that differ, a third of all. That of the root's parent, -1, is empty.
    steps = [*map(_step, page.tags, page.classes), ""]
    above = [*map(steps.__getitem__, page.parents), ""]
    paths = set(zip(map(above.__getitem__, page.parents), above, steps[:-1], strict=False))
    return {">".join(filter(None, path)) for path in paths}


def path_hashes(page: Page) -> Hashes | None:
    """The hashes of the path tokens, each once; None where nothing is compiled."""
    if (compiled := kernel()) is None:
        return None
    hashes = np.empty(len(page.tags), np.uint32)
    compiled.hash_paths(list(map(_step, page.tags, page.classes)), page.parents, hashes)
    return np.unique(hashes)


@lru_cache(maxsize=10_000)
def _step(tag: str, classes: str) -> str:
    return f"{tag}.{'.'.join(sorted(set(classes.split())))}" if classes else tag


RECIPES: dict[str, Callable[[Page], set[str]]] = {"layers": layer_tokens, "paths": path_tokens}
