"""The tables of headings (docs/formats.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from dbce.output import Row
    from dbce.visual import RenderedPage
    from dbce.visual.headings.blocks import HeadedBlock, Hierarchy

HEADINGS = pa.schema(
    [
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("algorithm", pa.string()),
        ("block", pa.int32()),
        ("parent", pa.int32()),
        ("level", pa.int32()),
        ("heading", pa.string()),
        ("nodes", pa.list_(pa.int32())),
        ("images", pa.list_(pa.string())),
        ("first", pa.int32()),
        ("end", pa.int32()),
        ("first_node", pa.int32()),
        ("last_node", pa.int32()),
        ("xpath", pa.string()),
    ]
)
"""A row a block, in document order, parents before children; the first of a page is the content body."""

REJECTS = pa.schema(
    [
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("algorithm", pa.string()),
        ("detail", pa.string()),
    ]
)
"""A row a page whose headings could not be found."""


def heading_rows(page: RenderedPage, hierarchy: Hierarchy) -> list[Row]:
    """The rows of a page."""
    starts = {element.order: element.xpath for element in page.elements}
    starts |= {text.order: page.elements[text.parent].xpath for text in page.texts}
    return [
        {
            "record_id": page.record_id,
            "url": page.url,
            "algorithm": hierarchy.algorithm,
            "block": number,
            "parent": block.parent,
            "level": block.heading.level,
            "heading": words_of_heading(page, block.heading.texts, block.heading.images),
            "nodes": [page.texts[text].node for text in block.heading.texts],
            "images": [page.elements[image].xpath for image in block.heading.images],
            "first": block.first,
            "end": block.end,
            **_nodes(page, block),
            "xpath": starts[block.first],
        }
        for number, block in enumerate(hierarchy.blocks)
    ]


def _nodes(page: RenderedPage, block: HeadedBlock) -> Row:
    """The first and the last number of a text node in a block, null if none in it has one."""
    numbers = [
        text.node for text in page.texts if block.first <= text.order < block.end and text.node >= 0
    ]
    first, last = (min(numbers), max(numbers)) if numbers else (None, None)
    return {"first_node": first, "last_node": last}


def words_of_heading(page: RenderedPage, texts: tuple[int, ...], images: tuple[int, ...]) -> str:
    """The words of a heading, those of its images by their alternative texts."""
    things = [(page.texts[text].order, page.texts[text].text) for text in texts]
    for image in images:
        element = page.elements[image]
        things.append((element.order, element.attributes.get("alt", "")))
    return " ".join(" ".join(words for _, words in sorted(things)).split())
