"""Text coverage: how many of a page's words are in blocks (T 3.3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce.visual.measure import members

if TYPE_CHECKING:
    from dbce.visual.measure import Contents, Flat


class Coverage(NamedTuple):
    """Words in blocks, and words of the page."""

    covered: int
    words: int

    @property
    def share(self) -> float:
        """TC; NaN for a page without words."""
        return self.covered / self.words if self.words else float("nan")


def summed(flat: Flat) -> Coverage:
    """As the thesis defines it: words of overlapping blocks count twice, so it may exceed 1."""
    return Coverage(sum(block.words for block in flat.blocks), flat.words)


def counted_once(flat: Flat, found: Contents) -> Coverage:
    """Words of texts that have their centre in any block, each once."""
    inside = members(found.texts, flat.blocks).any(axis=1)
    return Coverage(int(found.words[inside].sum()), int(found.words.sum()))
