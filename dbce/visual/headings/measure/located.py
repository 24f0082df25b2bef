"""Headings and blocks of one page on both sides, gold and found, as sets that can be equal."""

from __future__ import annotations

from hashlib import sha1
from typing import TYPE_CHECKING, NamedTuple

from dbce.errors import UsageError
from dbce.visual.headings import HeadedBlock, Heading, by_level, element_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dbce.output import Row
    from dbce.visual import RenderedPage
    from dbce.visual.headings import GoldHeading, GoldPage

Key = frozenset[int | str]


class Item(NamedTuple):
    """A block with its heading, as they are compared.

    `heading` is the numbers of its text nodes, of a heading without texts the XPaths of its images. `block`
    is the numbers of the text nodes in the block, of a block without texts that of its heading. `parent`
    is a place among the items of its side, -1 of the content body.
    """

    heading: Key
    block: Key
    parent: int
    optional: bool = False


def gold_items(page: RenderedPage, gold: GoldPage) -> list[Item]:
    """The marked headings of a page.

    Raises:
        UsageError: the page has no such body, node or image, or other words are there: it is another page.
    """
    body = element_at(page, gold.body)
    place_of = {text.node: place for place, text in enumerate(page.texts)}
    headings = [_heading(page, one, place_of) for one in gold.headings]
    order_of = {text.node: text.order for text in page.texts}
    ends = [None if one.end is None else order_of.get(one.end) for one in gold.headings]
    blocks = by_level(page, body, headings, ends)
    optional = {
        heading for heading, one in zip(headings, gold.headings, strict=True) if one.optional
    }
    return _items(page, blocks, optional)


def found_items(page: RenderedPage, rows: Sequence[Row]) -> list[Item]:
    """The headings that a table has of a page; the first row is the content body."""
    place_of = {text.node: place for place, text in enumerate(page.texts)}
    image_of = {element.xpath: place for place, element in enumerate(page.elements)}
    blocks = [
        HeadedBlock(
            row["parent"],
            Heading(
                tuple(place_of[node] for node in row["nodes"] if node in place_of),
                tuple(image_of[path] for path in row["images"] if path in image_of),
                row["level"],
            ),
            row["first"],
            row["end"],
        )
        for row in rows
    ]
    return _items(page, blocks, set())


def _items(page: RenderedPage, blocks: Iterable[HeadedBlock], optional: set[Heading]) -> list[Item]:
    found = []
    for block in list(blocks)[1:]:
        heading = _key(page, block.heading)
        inside = frozenset(
            text.node
            for text in page.texts
            if block.first <= text.order < block.end and text.node >= 0
        )
        parent = max(block.parent - 1, -1)
        found.append(Item(heading, inside or heading, parent, block.heading in optional))
    return found


def _key(page: RenderedPage, heading: Heading) -> Key:
    nodes = frozenset(page.texts[text].node for text in heading.texts) - {-1}
    return nodes or frozenset(page.elements[image].xpath for image in heading.images)


def _heading(page: RenderedPage, one: GoldHeading, place_of: dict[int, int]) -> Heading:
    if missing := [node for node in one.nodes if node not in place_of]:
        raise UsageError(f"the page has no text node {missing[0]}")
    texts = tuple(place_of[node] for node in one.nodes)
    words = [" ".join(page.texts[text].text.split()) for text in texts]
    if words and one.hash and one.hash not in {_hash(" ".join(words)), _hash("".join(words))}:
        raise UsageError(f"text node {one.nodes[0]} has other words than the gold")
    images = tuple(element_at(page, path) for path in one.images)
    return Heading(texts, images, one.level)


def _hash(words: str) -> str:
    return sha1(words.encode(), usedforsecurity=False).hexdigest()[:12]
