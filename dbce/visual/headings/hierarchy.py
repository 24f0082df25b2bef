"""Parts that all methods share: the content body, headings with levels, and the blocks that they introduce."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import NamedTuple

from dbce.model import UsageError
from dbce.visual import RenderedPage
from dbce.visual.measure import plain_xpath


class Heading(NamedTuple):
    """Name of a block: places in `RenderedPage.texts`, and in `elements` of images, in document order.

    `level` is 1 at the top of the content body.
    """

    texts: tuple[int, ...]
    images: tuple[int, ...]
    level: int


class HeadedBlock(NamedTuple):
    """A block with its heading.

    `parent` is a place in `Hierarchy.blocks`, -1 for the content body, which comes first, has level 0 and
    a heading without texts. The block has everything in document order from `first` on and before `end`,
    which are numbers as `order` of elements and texts.
    """

    parent: int
    heading: Heading
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The blocks of a page in document order, parents before children.

    `algorithm` is its method with parameters; `body` is the place of the content body in
    `RenderedPage.elements`.
    """

    algorithm: str
    record_id: str
    body: int
    blocks: tuple[HeadedBlock, ...]

    @property
    def headings(self) -> tuple[Heading, ...]:
        return tuple(block.heading for block in self.blocks[1:])


BODY = Heading((), (), 0)  # placeholder for the heading of the content body itself

TBODY = re.compile(r"/tbody(?:\[\d+\])?(?=/|$)")

HALF = 0.5  # minimum share of content of a text for it to be content


def body_of(page: RenderedPage, selector: str, content: Mapping[int, float]) -> int:
    """Return the content body, a place in `page.elements`.

    `selector` is "verdicts": the smallest element that holds all texts that are content; "body"; or the XPath
    of an element, as in `element_at`. `content` is the share of each text node that is content, by its number.
    """
    if selector == "body":
        return 0
    return _content_root(page, content) if selector == "verdicts" else element_at(page, selector)


def element_at(page: RenderedPage, xpath: str) -> int:
    """Return the element at a path, with or without the number 1 where it is the only one of its name.

    Raises UsageError: the page has none.
    """
    # As written first: without tbody a path may match two elements.
    for form in (plain_xpath, path_without_tbody):
        path = form(xpath)
        for place, element in enumerate(page.elements):
            if form(element.xpath) == path:
                return place
    raise UsageError(f"the page has no element {xpath}")


def path_without_tbody(xpath: str) -> str:
    """Return a path without tbody, which browsers insert into every table, unlike other parsers."""
    return plain_xpath(TBODY.sub("", xpath))


def _content_root(page: RenderedPage, content: Mapping[int, float]) -> int:
    """Return the last element in document order that contains all content; the whole page if there is none.

    Leaving out a tenth of it would lose titles above the column of text: see docs/headings.md.
    """
    counts = [0] * len(page.elements)
    for text in page.texts:
        counts[text.parent] += content.get(text.node, 0.0) >= HALF
    for place in range(len(counts) - 1, 0, -1):
        counts[page.elements[place].parent] += counts[place]
    return max((n for n, count in enumerate(counts) if count and count == counts[0]), default=0)


def ends_of(page: RenderedPage) -> list[int]:
    """Return for each element the order number after its last descendant."""
    ends = [element.order + 1 for element in page.elements]
    for text in page.texts:
        ends[text.parent] = max(ends[text.parent], text.order + 1)
    for place in range(len(ends) - 1, 0, -1):
        parent = page.elements[place].parent
        ends[parent] = max(ends[parent], ends[place])
    return ends


def by_level(
    page: RenderedPage,
    body: int,
    headings: Iterable[Heading],
    ends: Sequence[int | None] | None = None,
) -> tuple[HeadedBlock, ...]:
    """Return the blocks of headings, each up to the next heading of its level or a higher one.

    `ends` may have another end for the block of each heading, in the order of `headings`. A block never
    extends beyond its parent.
    """
    last = ends_of(page)[body]
    blocks = [HeadedBlock(-1, BODY, page.elements[body].order, last)]
    numbered = []
    for heading, end in zip(headings, repeat(None) if ends is None else ends, strict=False):
        orders = [page.texts[text].order for text in heading.texts]
        orders += (page.elements[image].order for image in heading.images)
        numbered.append((min(orders), heading, end))
    numbered.sort()
    open_blocks = [0]
    for number, (first, heading, end) in enumerate(numbered):
        later = (n for n, h, _ in numbered[number + 1 :] if h.level <= heading.level)
        stop = next(later, last) if end is None else end
        while open_blocks[1:] and (
            blocks[open_blocks[-1]].heading.level >= heading.level
            or blocks[open_blocks[-1]].end <= first
        ):
            open_blocks.pop()
        parent = open_blocks[-1]
        stop = min(stop, blocks[parent].end)
        open_blocks.append(len(blocks))
        blocks.append(HeadedBlock(parent, heading, first, stop))
    return tuple(blocks)


def with_nested_levels(blocks: Sequence[HeadedBlock]) -> tuple[HeadedBlock, ...]:
    """Return the blocks with the level of each heading set to the depth of its block."""
    levels = [0]
    for block in blocks[1:]:
        levels.append(levels[block.parent] + 1)
    return tuple(
        block._replace(heading=block.heading._replace(level=level))
        for block, level in zip(blocks, levels, strict=True)
    )
