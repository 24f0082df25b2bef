"""Hashes of texts, and what a sketch keeps of a page."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dbce.html import holders, template_hash
from dbce.model import Hashes, Page


def hash_strings(strings: Sequence[str]) -> Hashes:
    """Hashes of strings by pandas."""
    array = np.array(strings, dtype=object)
    return pd.util.hash_array(array, categorize=False).astype(np.uint32)


def word_hashes(page: Page) -> tuple[Hashes, Hashes]:
    """(hash of every word of all text nodes, end of each node among them)."""
    words: list[str] = []
    ends = []
    for node in page.nodes:
        words += node.text.split()
        ends.append(len(words))
    return hash_strings(words), np.array(ends, dtype=np.uint32)


def template_hashes(
    tags: Sequence[str], classes: Sequence[str], parents: Sequence[int]
) -> list[int]:
    """Place in the template of each element; parents come before their children."""
    hashes: list[int] = []
    for tag, names, parent in zip(tags, classes, parents, strict=True):
        hashes.append(template_hash(tag, names, hashes[parent] if parent >= 0 else 0))
    return hashes


def node_places(page: Page) -> Hashes:
    """Place in the template of each text node: that of the element that sets its line."""
    of_element = template_hashes(page.tags, page.classes, page.parents)
    holder = holders(page)
    return np.array([of_element[holder[node.element]] for node in page.nodes], dtype=np.uint32)


def path_tokens(page: Page) -> set[str]:
    """The last three steps (tag and sorted classes) of every element's path."""
    tokens = set()
    for element in range(len(page.tags)):
        steps: list[str] = []
        while element >= 0 and len(steps) < 3:
            names = sorted(set(page.classes[element].split()))
            steps.insert(0, ".".join([page.tags[element], *names]))
            element = page.parents[element]  # noqa: PLW2901 - a climb
        tokens.add(">".join(steps))
    return tokens
