"""Roles of blocks: header, nav, article, aside, footer, section (Sanoja 2015, 5.2.3.3, algorithm 5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from dbce.visual.segment.boxes import check, outermost

if TYPE_CHECKING:
    from dbce.visual import Block, RenderedPage, Segmentation
    from dbce.visual.segment.boxes import Outline

SECTION, HEADER, ARTICLE, NAV, FOOTER, ASIDE = "section header article nav footer aside".split()

SHARE = 0.2
"""The share of elements, and of links, from which on a block has many (code of the thesis)."""


@dataclass(frozen=True, slots=True)
class RoleOptions:
    """Options for how algorithm 5 is read.

    Raises:
        UsageError: a value that it cannot have.
    """

    weight_test: bool = False
    """Test 0, as printed: a block whose weight is not above pA has no role."""
    granularity: float = 5.0
    """pA of test 0."""
    links: str = "block"
    """Base of the share of links: the elements of the "block" (code), or the links of the "page"."""
    bottom_third: bool = True
    """True if all blocks in the bottom third are footers where the last one is (code)."""

    def __post_init__(self) -> None:
        check(self, links=("block", "page"))


def with_roles(
    outline: Outline, segmentation: Segmentation, options: RoleOptions | None = None
) -> Segmentation:
    """The segmentation with a role for each block but the page."""
    labels = _Labels(outline, segmentation, options or RoleOptions())
    blocks = tuple(
        block if block.parent < 0 else block._replace(role=labels.role(n))
        for n, block in enumerate(segmentation.blocks)
    )
    return replace(segmentation, blocks=blocks)


class _Labels:
    """Facts about all blocks of a page, found once, that algorithm 5 asks for."""

    def __init__(self, outline: Outline, segmentation: Segmentation, options: RoleOptions) -> None:
        self.options = options
        self.page: RenderedPage = outline.page
        self.blocks = segmentation.blocks
        self.width, self.height = outline.size
        self.elements, self.links = _counts(outline, self.blocks)
        self.children = [0] * len(self.blocks)
        for block in self.blocks[1:]:
            self.children[block.parent] += 1
        self.first = min((b.rect.y for b in self.blocks[1:]), default=0)
        self.last = max((b.rect.y + b.rect.h for b in self.blocks[1:]), default=0)

    def role(self, n: int) -> str:
        """Algorithm 5, line by line."""
        block, options = self.blocks[n], self.options
        if options.weight_test and block.weight <= options.granularity:
            return ""
        is_last = block.rect.y + block.rect.h >= self.last
        if block.rect.y >= self.page.viewport[1]:
            return FOOTER if is_last else ARTICLE
        large = self.elements[n] > SHARE * self.elements[0]
        composite = self.children[n] > 0
        if block.rect.y <= self.first:
            alone = self.children[block.parent] == 1
            return SECTION if large and (composite or alone) else HEADER
        if large:
            return SECTION if composite else ARTICLE
        if self._has_many_links(n):
            return NAV
        return self._by_place(block, is_last=is_last)

    def _has_many_links(self, n: int) -> bool:
        of = self.elements[n] if self.options.links == "block" else self.links[0]
        return self.links[n] > SHARE * of

    def _by_place(self, block: Block, *, is_last: bool) -> str:
        x, y, w, h = block.rect
        at_side = x + w < self.width / 2 or x > self.width / 2
        at_bottom = y > 2 * self.height / 3
        if not (at_side or at_bottom or y + h < self.height / 3):
            return ARTICLE
        if is_last or (at_bottom and self.options.bottom_third):
            return FOOTER
        return ASIDE if at_side else ARTICLE


def _counts(outline: Outline, blocks: tuple[Block, ...]) -> tuple[list[int], list[int]]:
    """Elements and links of each block; of a composite one those of the blocks in it as well.

    What runs a script when it is clicked counts as a link, as in the code.
    """
    is_link = (
        element.tag == "a" or "onclick" in element.attributes for element in outline.page.elements
    )
    before = [0, *accumulate(is_link)]
    held = [list(block.elements) for block in blocks]
    for n in range(len(blocks) - 1, 0, -1):
        held[blocks[n].parent] += held[n]
    held[0] = [0]
    spans = [[(e, outline.end[e]) for e in outermost(outline, elements)] for elements in held]
    elements = [sum(end - start for start, end in span) for span in spans]
    links = [sum(before[end] - before[start] for start, end in span) for span in spans]
    return elements, links
