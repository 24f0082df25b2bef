"""The columns of the index (docs/formats.md)."""

from __future__ import annotations

import pyarrow as pa

SKETCH = pa.schema(
    [
        ("record_id", pa.string()),
        ("site", pa.string()),
        ("surt", pa.string()),
        ("timestamp", pa.timestamp("us", tz="UTC")),
        ("signature", pa.binary()),
        ("words", pa.binary()),
        ("ends", pa.binary()),
        ("places", pa.binary()),
    ]
)
"""What stage 2 compares; the last four columns are NUMBERS."""

NUMBERS = ("signature", "words", "ends", "places")
"""Columns of uint32 numbers, little end first."""

REVISIT = pa.schema(
    [
        ("refers_to", pa.string()),
        ("refers_to_site", pa.string()),
        ("refers_to_surt", pa.string()),
        ("refers_to_time", pa.timestamp("us", tz="UTC")),
    ]
)
"""What a revisit says of the capture that it repeats: record id, site and key of the URL, date."""

CAPTURE = pa.schema(
    [
        ("name", pa.string()),
        ("number", pa.int64()),  # place in its source: in one gzip member all offsets are equal
        ("offset", pa.int64()),
        ("length", pa.int64()),
        ("url", pa.string()),
        ("digest", pa.string()),
        ("dated_by", pa.string()),
        ("fetch_status", pa.int16()),
        ("content_mime_type", pa.string()),
        ("is_html", pa.bool_()),
        ("status", pa.string()),  # null: has a sketch
        ("reason", pa.string()),
        ("stage", pa.string()),
        ("detail", pa.string()),
        *REVISIT,
        *SKETCH,
    ]
)
"""A capture after stage 1: what is known of it, and its sketch if it has one."""
