"""Headings and blocks of one page on both sides, gold and found, as sets that can be equal."""

from __future__ import annotations

from hashlib import sha1
from typing import TYPE_CHECKING, NamedTuple

from dbce.model import UsageError
from dbce.visual.headings import Heading, by_level, element_at, path_without_tbody

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dbce.output import Row
    from dbce.visual import RenderedPage
    from dbce.visual.headings import GoldHeading, GoldPage, HeadedBlock

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
    """The headings that a table has of a page; the first row is the content body.

    The table may be of the page's own style sheets, where elements have other places: blocks are told by
    the numbers of their texts.
    """
    found = []
    for row in rows[1:]:
        heading = _key(row["nodes"], row["images"])
        inside: Key = frozenset()
        if row["first_node"] is not None:
            span = range(row["first_node"], row["last_node"] + 1)
            inside = frozenset(text.node for text in page.texts if text.node in span)
        found.append(Item(heading, inside or heading, max(row["parent"] - 1, -1)))
    return found


def _items(page: RenderedPage, blocks: Iterable[HeadedBlock], optional: set[Heading]) -> list[Item]:
    found = []
    for block in list(blocks)[1:]:
        nodes = [page.texts[text].node for text in block.heading.texts]
        heading = _key(nodes, [page.elements[image].xpath for image in block.heading.images])
        inside = frozenset(
            text.node
            for text in page.texts
            if block.first <= text.order < block.end and text.node >= 0
        )
        parent = max(block.parent - 1, -1)
        found.append(Item(heading, inside or heading, parent, block.heading in optional))
    return found


def _key(nodes: Iterable[int], images: Iterable[str]) -> Key:
    return frozenset(nodes) - {-1} or frozenset(map(path_without_tbody, images))


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
