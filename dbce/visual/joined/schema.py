"""The tables of blocks with verdicts (docs/segmentation.md)."""

from __future__ import annotations

import pyarrow as pa

from dbce.output import TIME

SHARES = pa.schema(
    [
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("fetch_time", TIME),
        ("algorithm", pa.string()),
        ("block", pa.int32()),
        ("role", pa.string()),
        ("x", pa.float64()),
        ("y", pa.float64()),
        ("w", pa.float64()),
        ("h", pa.float64()),
        ("place", pa.string()),
        ("characters", pa.int32()),
        ("content", pa.float64()),
        ("label", pa.string()),
        ("importance", pa.float64()),
        ("xpath", pa.string()),
    ]
)
"""A row a block with verdicts, before those of all files are together."""

BLOCK_VERDICTS = pa.schema(
    [
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("fetch_time", TIME),
        ("algorithm", pa.string()),
        ("block", pa.int32()),
        ("template", pa.string()),
        ("place", pa.string()),
        ("characters", pa.int32()),
        ("content", pa.float64()),
        ("label", pa.string()),
        ("importance", pa.float64()),
        ("on_pages", pa.float64()),
    ]
)
"""A row a block, as in the table of blocks; `on_pages` is the share of the template's pages that have it."""

BLOCK_MAP = pa.schema(
    [
        ("site", pa.string()),
        ("template", pa.string()),
        ("algorithm", pa.string()),
        ("place", pa.string()),
        ("pages", pa.int32()),
        ("on_pages", pa.float64()),
        ("role", pa.string()),
        ("content", pa.float64()),
        ("importance", pa.float64()),
        ("x", pa.float64()),
        ("y", pa.float64()),
        ("w", pa.float64()),
        ("h", pa.float64()),
        ("url", pa.string()),
        ("xpath", pa.string()),
    ]
)
"""A row a block of a template, those of a site together; numbers are medians over its pages, `role` is the
most frequent, `url` and `xpath` say where one of them stands."""
