"""The tables of a run (docs/formats.md). Column names follow the Common Crawl index."""

from __future__ import annotations

import pyarrow as pa

from dbce.metadata import COLUMNS
from dbce.model import Label, Status

TIME = pa.timestamp("us", tz="UTC")

NEIGHBOURS = (
    ("up", pa.string()),
    ("down", pa.string()),
    ("prev", pa.string()),
    ("next", pa.string()),
    ("similarity_up", pa.float64()),
    ("similarity_down", pa.float64()),
)
"""With whom a capture was compared: record ids, and how similar the templates are."""

PAGES = pa.schema(
    [
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("url_surtkey", pa.string()),
        ("url_host_name", pa.string()),
        ("site", pa.string()),
        ("fetch_time", TIME),
        ("fetch_time_source", pa.string()),
        ("fetch_status", pa.int16()),
        ("content_digest", pa.string()),
        ("content_mime_type", pa.string()),
        ("content_charset", pa.string()),
        ("charset_source", pa.string()),
        ("charset_replacements", pa.int32()),
        ("truncated", pa.string()),
        ("warc_filename", pa.string()),
        ("warc_record_offset", pa.int64()),
        ("warc_record_length", pa.int64()),
        ("status", pa.string()),
        ("reason", pa.string()),
        ("original", pa.string()),
        ("original_time", TIME),
        ("resolution", pa.string()),
        ("cross_id", pa.string()),
        ("cross_bits", pa.string()),
        *NEIGHBOURS,
        ("variant_of", pa.string()),
        *((f"runs_{label}", pa.int32()) for label in Label),
        ("confidence", pa.float64()),
        ("expected_f1", pa.float64()),
        ("kind", pa.string()),
        ("kind_probability", pa.float64()),
        *((name, pa.string()) for name in COLUMNS),
        ("damage", pa.string()),
        ("damage_reason", pa.string()),
        ("words", pa.int32()),
        ("words_content", pa.int32()),
        ("words_expected", pa.int32()),
        ("style_sheets", pa.list_(pa.string())),
        ("pictures", pa.list_(pa.string())),
        ("text_digest", pa.string()),
        ("text_signature", pa.binary()),
        ("text_source", pa.string()),
        ("text_record", pa.string()),
        ("text", pa.string()),
    ]
)

NODES = pa.schema(
    [
        ("record_id", pa.string()),
        ("node", pa.int32()),
        ("xpath", pa.string()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("text", pa.string()),
        ("bits", pa.string()),
        ("label", pa.string()),
        ("probability", pa.float64()),
        ("decided_by", pa.string()),
        ("comparisons", pa.int32()),
        ("structure", pa.string()),
        ("structure_number", pa.int32()),
        ("structure_label", pa.string()),
        ("structure_probability", pa.float64()),
    ]
)

REJECTS = pa.schema(
    [
        ("file", pa.string()),
        ("offset", pa.int64()),
        ("length", pa.int64()),
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("stage", pa.string()),
        ("reason", pa.string()),
        ("detail", pa.string()),
    ]
)

JUDGED = (Status.ANNOTATED, Status.SINGLE)
"""The statuses of captures that have verdicts."""
