"""The values of this wing: a rendered page, and the blocks that it is segmented into.

Lengths are CSS pixels, positions are pixels of the whole document from its upper left corner.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple


class Rect(NamedTuple):
    x: float
    y: float
    w: float
    h: float

    def has_centre_of(self, other: "Rect") -> bool:
        """Return whether it contains the centre of another one, edges included."""
        x, y = other.x + other.w / 2, other.y + other.h / 2
        return self.x <= x <= self.x + self.w and self.y <= y <= self.y + self.h


def union(rects: Iterable[Rect]) -> Rect | None:
    """Return the bounding box of all; None if there are none."""
    edges = [(r.x, r.y, r.x + r.w, r.y + r.h) for r in rects]
    if not edges:
        return None
    lefts, tops, rights, bottoms = zip(*edges, strict=True)
    x, y = min(lefts), min(tops)
    return Rect(x, y, max(rights) - x, max(bottoms) - y)


def has_area(rect: Rect | None) -> bool:
    """Return whether a box exists and has an area, so that it can be seen."""
    return rect is not None and rect.w > 0 and rect.h > 0


class Style(NamedTuple):
    """Stored properties of a computed style; values as in CSS, lengths as numbers."""

    display: str
    visibility: str
    position: str
    floating: str  # CSS's float
    opacity: float
    font_size: float
    font_style: str
    font_weight: int
    text_decoration: str  # the lines alone
    text_align: str
    color: str
    background_color: str
    background_image: bool  # whether there is one
    border: tuple[float, float, float, float]  # widths from the top clockwise; 0 where invisible
    writing_mode: str
    direction: str


class Element(NamedTuple):
    """An element of a rendered page.

    `parent` is a place in `RenderedPage.elements`, -1 of the root, which is body (or frameset).
    `order` is its place in document order among elements and texts together. `rect` is its border
    box, None if nothing of it is laid out. `style` is a place in `RenderedPage.styles`.
    `attributes` are those among `KEPT`.
    """

    parent: int
    order: int
    tag: str
    xpath: str
    rect: Rect | None
    style: int
    attributes: Mapping[str, str]


KEPT = (
    "id", "class", "role", "href", "src", "alt", "title", "name", "type", "usemap", "controls",
    "onclick", "hidden",
)  # fmt: skip
"""Attributes of elements that are stored."""


class Text(NamedTuple):
    """A non-blank text node.

    `parent` is a place in `RenderedPage.elements`, `order` as an element's. `rects` are the boxes of
    its lines, none if it is not laid out. `node` is its number in `nodes/` of a run, -1 if a run has
    no such text.
    """

    parent: int
    order: int
    text: str
    rects: tuple[Rect, ...]
    node: int


@dataclass(frozen=True, slots=True, eq=False)
class RenderedPage:
    """A rendered capture; elements and texts in document order, parents before children.

    `viewport` and `size` are (width, height), of the window and of the whole document.
    """

    record_id: str
    url: str
    timestamp: datetime
    viewport: tuple[int, int]
    size: tuple[int, int]
    elements: tuple[Element, ...]
    styles: tuple[Style, ...]
    texts: tuple[Text, ...]


class Block(NamedTuple):
    """A block of a page.

    `parent` is a place in `Segmentation.blocks`, -1 for the page itself, which comes first. `elements`
    are places in `RenderedPage.elements` of the roots of its subtrees. `category` is the HTML5 content
    category, `role` one of header, nav, article, aside, footer, section, "" if none is given. `weight` is
    the algorithm's measure of its size. A `floating` block overlaps others: it is out of the flow, in which
    no two blocks of one level overlap.
    """

    parent: int
    rect: Rect
    elements: tuple[int, ...]
    category: str
    role: str
    weight: float
    floating: bool = False


@dataclass(frozen=True, slots=True)
class Segmentation:
    """A page in blocks, in reading order ("flow"), parents before children.

    `algorithm` is its algorithm with parameters; `record_id` that of its capture.
    """

    algorithm: str
    record_id: str
    blocks: tuple[Block, ...]

    @property
    def terminal(self) -> tuple[Block, ...]:
        """Blocks without children, in flow order."""
        parents = {block.parent for block in self.blocks}
        return tuple(b for n, b in enumerate(self.blocks) if n not in parents)
