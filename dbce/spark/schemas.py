"""The columns that travel between the stages on Spark."""

from __future__ import annotations

import pyarrow as pa

SOURCE = pa.schema(
    [
        ("name", pa.string()),
        ("uri", pa.string()),
        ("offsets", pa.list_(pa.int64())),  # null: all records
    ]
)

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

# A capture after stage 1: what is known of it, and its sketch if it has one.
CAPTURE = pa.schema(
    [
        ("name", pa.string()),
        ("number", pa.int64()),  # place in its source: in one gzip member all offsets are equal
        ("offset", pa.int64()),
        ("length", pa.int64()),
        ("url", pa.string()),
        ("digest", pa.string()),
        ("is_html", pa.bool_()),
        ("status", pa.string()),  # null: has a sketch
        ("reason", pa.string()),
        ("stage", pa.string()),
        ("detail", pa.string()),
        *SKETCH,
    ]
)

# One row for every bucket that a capture is in.
MEMBER = pa.schema(
    [
        ("place", pa.string()),
        ("band", pa.int32()),
        ("key", pa.binary()),
        ("record_id", pa.string()),
        ("surt", pa.string()),
        ("time", pa.int64()),
        ("text", pa.int64()),
        ("signature", pa.binary()),
    ]
)

_CROSS = [
    ("cur", pa.string()),
    ("up", pa.string()),
    ("down", pa.string()),
    ("prev", pa.string()),
    ("next", pa.string()),
    ("similarity_up", pa.float64()),
    ("similarity_down", pa.float64()),
    ("further", pa.list_(pa.string())),
]

CROSS = pa.schema(_CROSS)

# The crosses of one capture, and the records they name.
CROSSES = pa.schema(
    [
        ("cur", pa.string()),
        ("others", pa.list_(pa.string())),
        ("crosses", pa.list_(pa.struct(_CROSS))),
    ]
)

# Which words of a capture its neighbours share; masks are bits, first word first.
ANNOTATION = pa.schema(
    [
        ("record_id", pa.string()),
        ("crosses", pa.list_(pa.struct(_CROSS))),
        ("words", pa.int32()),
        ("shared", pa.map_(pa.string(), pa.binary())),
        ("circle", pa.binary()),
    ]
)

UNIT = pa.schema([("name", pa.string())])
