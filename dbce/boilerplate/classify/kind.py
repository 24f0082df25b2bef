"""What kind of page a line stands on: what can be counted on all of it.

An article, a list of links, a shop's shelf and a forum keep different things. No kind is named here:
the counts are features of every line, and the trees make of them what holds on the pages they know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dbce.boilerplate.classify.forest import by_tag, inherited

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dbce.boilerplate.classify.arrays import Floats
    from dbce.boilerplate.classify.forest import Forest
    from dbce.boilerplate.classify.lines import Lines

COUNTED = {
    "images": frozenset({"img", "picture", "svg", "figure"}),
    "inputs": frozenset({"input", "select", "textarea", "button"}),
    "items": frozenset({"li", "dt"}),
    "cells": frozenset({"td", "th"}),
    "times": frozenset({"time"}),
    "articles": frozenset({"article"}),
    "headings": frozenset({"h1", "h2", "h3", "h4", "h5", "h6"}),
}
"""Elements that are counted, by the feature's name."""

FURNITURE = frozenset({"nav", "header", "footer", "aside"})
"""Elements that pages of today set around their content."""


def kind_features(forest: Forest, lines: Lines, prose: Floats) -> dict[str, Floats]:
    """Features of the page that each line stands on, by name; counts are for each line of the page."""
    page = lines.page
    pages = len(lines.starts) - 1
    of_page = np.repeat(np.arange(pages), np.diff(forest.starts))
    count = np.bincount(page, minlength=pages)
    words = np.bincount(page, lines.words, pages)
    furniture = inherited(forest, by_tag(forest, lambda tag: int(tag in FURNITURE)))
    in_furniture = furniture[forest.path[lines.holder]]
    found: dict[str, NDArray[np.generic]] = {
        "page_lines": count,
        "page_links": np.bincount(page, lines.words * lines.linked, pages) / words,
        "page_length": words / count,
        "page_longest": np.maximum.reduceat(prose, lines.starts[:-1]),
        "page_furniture": np.bincount(page, lines.words * (in_furniture > 0), pages) / words,
        "page_elements": np.diff(forest.starts) / count,
    }
    for name, tags in COUNTED.items():
        is_one = by_tag(forest, tags.__contains__)[forest.path]
        found[f"page_{name}"] = np.bincount(of_page[is_one], minlength=pages) / count
    return {name: values.astype(np.float32)[page] for name, values in found.items()}
