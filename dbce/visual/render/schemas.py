"""The tables of rendered pages (docs/formats.md)."""

from __future__ import annotations

import pyarrow as pa

from dbce.output import TIME

PAGES = pa.schema(
    [
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("title", pa.string()),
        ("fetch_time", TIME),
        ("warc_filename", pa.string()),
        ("warc_record_offset", pa.int64()),
        ("status", pa.string()),
        ("reason", pa.string()),
        ("viewport_width", pa.int32()),
        ("viewport_height", pa.int32()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("quirks", pa.bool_()),
        ("elements", pa.int32()),
        ("texts", pa.int32()),
        ("texts_numbered", pa.int32()),
        ("requests", pa.int32()),
        ("requests_found", pa.int32()),
        ("resources_found", pa.float64()),
        ("style_sheets", pa.int32()),
        ("style_sheets_found", pa.int32()),
        ("images", pa.int32()),
        ("images_found", pa.int32()),
        ("console_errors", pa.int32()),
        ("fonts", pa.list_(pa.string())),
        ("seconds", pa.float64()),
        ("screenshot_offset", pa.int64()),
    ]
)

STYLE = (
    ("display", pa.string()),
    ("visibility", pa.string()),
    ("position", pa.string()),
    ("floating", pa.string()),
    ("opacity", pa.float64()),
    ("font_size", pa.float64()),
    ("font_style", pa.string()),
    ("font_weight", pa.int32()),
    ("text_decoration", pa.string()),
    ("text_align", pa.string()),
    ("color", pa.string()),
    ("background_color", pa.string()),
    ("background_image", pa.bool_()),
    ("border", pa.list_(pa.float64(), 4)),
    ("writing_mode", pa.string()),
    ("direction", pa.string()),
)
"""The fields of dbce.visual.model.Style, in their order."""

ELEMENTS = pa.schema(
    [
        ("record_id", pa.string()),
        ("element", pa.int32()),
        ("parent", pa.int32()),
        ("order", pa.int32()),
        ("tag", pa.string()),
        ("xpath", pa.string()),
        ("rect", pa.list_(pa.float64(), 4)),
        ("attributes", pa.map_(pa.string(), pa.string())),
        *STYLE,
    ]
)

TEXTS = pa.schema(
    [
        ("record_id", pa.string()),
        ("parent", pa.int32()),
        ("order", pa.int32()),
        ("node", pa.int32()),
        ("text", pa.string()),
        ("rects", pa.list_(pa.list_(pa.float64(), 4))),
    ]
)
