"""Agreement of a page's own style sheets with a browser: texts with equal styles, equal headings.

    python -m scripts.experiments.style_agreement DIR

DIR is the folder of a run and of its rendered pages. Of each page that both have, texts that were laid out
are compared by their numbers, and headings as sets of text nodes, found by each method in the whole page.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import pandas as pd

from dbce.visual.headings import METHODS, headings, pages_of

if TYPE_CHECKING:
    from dbce.visual import RenderedPage

PROPERTIES = ("font_size", "font_style", "font_weight", "text_decoration", "color")
SHOWN = (*PROPERTIES, "all five", "size and weight")
PIXEL = 0.05
"""Sizes that differ by less are equal: browsers round."""


def main(folder: str) -> None:
    """Prints the shares."""
    bare = without_resources(folder)
    sheets = {page.record_id: page for page, _ in pages_of(folder, "sheets").read()}
    sums = {"all pages": Sums(), "pages without resources": Sums()}
    for page, _ in pages_of(folder, "rendered").read():
        other = sheets.get(page.record_id)
        if other is None:
            continue
        for name, one in sums.items():
            if name == "all pages" or page.record_id in bare:
                one.add(page, other)
    for name, one in sums.items():
        if one.pages:
            print(f"{name}: {one}")


def without_resources(folder: str) -> set[str]:
    """The pages that found nothing in the archive: all that a browser knew of them is in themselves."""
    rows = pd.read_parquet(f"{folder}/rendered/pages", columns=["record_id", "requests_found"])
    return set(rows[rows["requests_found"] == 0]["record_id"])


class Sums:
    """Sums of pages, equal texts and equal headings."""

    def __init__(self) -> None:
        self.pages = 0
        self.texts: Counter[str] = Counter()
        self.headings: Counter[tuple[str, str]] = Counter()

    def add(self, page: RenderedPage, other: RenderedPage) -> None:
        """Counts a page, as it was rendered and as its sheets say."""
        self.pages += 1
        self.texts += equal_texts(page, other)
        for method in METHODS:
            mine, theirs = heading_texts(page, method), heading_texts(other, method)
            self.headings[method, "both"] += len(mine & theirs)
            self.headings[method, "either"] += len(mine | theirs)

    def __str__(self) -> str:
        count = self.texts["all"]
        lines = [f"{self.pages}, {count} texts with a box"]
        lines += (f"  {name:16} {self.texts[name] / max(1, count):.3f}" for name in SHOWN)
        for method in METHODS:
            both, either = self.headings[method, "both"], self.headings[method, "either"]
            lines.append(f"  headings of {method:15} {both / max(1, either):.3f} of {either}")
        return "\n".join(lines)


def equal_texts(page: RenderedPage, other: RenderedPage) -> Counter[str]:
    """Count the texts of a page by the properties that are equal on the other, and all of them."""
    styles = {text.node: values(other, text.parent) for text in other.texts}
    counted: Counter[str] = Counter()
    for text in page.texts:
        if text.node in styles and text.rects:
            mine, theirs = values(page, text.parent), styles[text.node]
            same = [
                abs(a - b) < PIXEL if isinstance(a, float) and isinstance(b, float) else a == b
                for a, b in zip(mine, theirs, strict=True)
            ]
            counted.update(["all"])
            counted.update(name for name, is_same in zip(PROPERTIES, same, strict=True) if is_same)
            counted.update(["all five"] if all(same) else [])
            counted.update(["size and weight"] if same[0] and same[2] else [])
    return counted


def values(page: RenderedPage, element: int) -> tuple[object, ...]:
    """The five properties of an element."""
    style = page.styles[page.elements[element].style]
    return tuple(getattr(style, name) for name in PROPERTIES)


def heading_texts(page: RenderedPage, method: str) -> set[frozenset[int]]:
    """The headings of a page, each as the numbers of its texts."""
    found = headings(page, 0, method).headings
    return {frozenset(page.texts[text].node for text in one.texts) for one in found if one.texts}


if __name__ == "__main__":
    main(sys.argv[1])
