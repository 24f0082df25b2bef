"""The tables of blocks (docs/segmentation.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from dbce.output import TIME

if TYPE_CHECKING:
    from dbce.output import Row
    from dbce.visual import RenderedPage, Segmentation

BLOCKS = pa.schema(
    [
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("fetch_time", TIME),
        ("algorithm", pa.string()),
        ("block", pa.int32()),
        ("parent", pa.int32()),
        ("terminal", pa.bool_()),
        ("x", pa.float64()),
        ("y", pa.float64()),
        ("w", pa.float64()),
        ("h", pa.float64()),
        ("category", pa.string()),
        ("role", pa.string()),
        ("floating", pa.bool_()),
        ("weight", pa.float64()),
        ("elements", pa.list_(pa.int32())),
        ("xpaths", pa.list_(pa.string())),
    ]
)
"""A row a block, in reading order, parents before children; the first of a page is the page itself."""

OWN = ("parent", "category", "role", "floating", "weight")
"""The columns that are fields of a block."""

REJECTS = pa.schema(
    [
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("algorithm", pa.string()),
        ("detail", pa.string()),
    ]
)
"""A row a page that could not be cut."""


def block_rows(page: RenderedPage, segmentation: Segmentation) -> list[Row]:
    """The rows of a page."""
    parents = {block.parent for block in segmentation.blocks}
    return [
        {
            "record_id": page.record_id,
            "url": page.url,
            "fetch_time": page.timestamp,
            "algorithm": segmentation.algorithm,
            "block": n,
            "terminal": n not in parents,
            **block.rect._asdict(),
            **{name: getattr(block, name) for name in OWN},
            "elements": block.elements,
            "xpaths": [page.elements[element].xpath for element in block.elements],
        }
        for n, block in enumerate(segmentation.blocks)
    ]
