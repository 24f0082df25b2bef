"""A page with blocks marked on it, by people or by an algorithm."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbce.visual import Rect


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """A block of a page.

    `parent` is the id of the block around it, "" if it is the page. `rect` is in pixels of the
    document, None where only `xpaths`, those of its elements, say where it is. `label` is its role,
    `type` any other name. `elements` and `words` are None where nobody counted them. `by` and `at`
    say who drew it and when, `origin` whether it was drawn or a candidate, `algorithm` of which then.
    """

    id: str
    parent: str = ""
    rect: Rect | None = None
    xpaths: tuple[str, ...] = ()
    label: str = ""
    type: str = ""
    elements: int | None = None
    words: int | None = None
    by: str = ""
    at: str = ""
    origin: str = "drawn"
    algorithm: str = ""


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page and its blocks, parents before children, in reading order.

    `viewport` is (width, height) of the window, `size` that of the document, `words` are all that are
    rendered; each is 0 where it is not known. `timestamp` has 14 digits. `algorithm` is "gold" if
    people drew the blocks.
    """

    record_id: str
    url: str
    blocks: tuple[MarkedBlock, ...]
    algorithm: str = "gold"
    timestamp: str = ""
    viewport: tuple[float, float] = (0, 0)
    size: tuple[float, float] = (0, 0)
    words: int = 0
    group: str = field(default="", kw_only=True)

    @property
    def terminal(self) -> tuple[MarkedBlock, ...]:
        """The blocks that hold no others: what is compared."""
        parents = {block.parent for block in self.blocks}
        return tuple(block for block in self.blocks if block.id not in parents)
