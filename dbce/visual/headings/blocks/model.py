"""The values of this room: headings, the blocks that they name, and the tree of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Heading(NamedTuple):
    """Name of a block: places in `RenderedPage.texts`, and in `elements` of images, in document order.

    `level` is 1 at the top of the content body.
    """

    texts: tuple[int, ...]
    images: tuple[int, ...]
    level: int


class HeadedBlock(NamedTuple):
    """A block with its heading.

    `parent` is a place in `Hierarchy.blocks`, -1 of the content body, which stands first, has level 0 and
    a heading without texts. The block is all that stands in document order from `first` on and before
    `end`, numbers as `order` of elements and texts.
    """

    parent: int
    heading: Heading
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The blocks of a page in document order, parents before children.

    `algorithm` names what made it, with its parameters; `body` is the place of the content body in
    `RenderedPage.elements`.
    """

    algorithm: str
    record_id: str
    body: int
    blocks: tuple[HeadedBlock, ...]

    @property
    def headings(self) -> tuple[Heading, ...]:
        """All headings in document order."""
        return tuple(block.heading for block in self.blocks[1:])


BODY = Heading((), (), 0)
"""Stand-in for the heading of the content body itself."""
