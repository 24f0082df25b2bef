"""The table of changes, and the rows of snapshots that travel between the stages (docs/formats.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from dbce.history import PassageKind, TextUnit
from dbce.model import key_of
from dbce.output import TIME
from dbce.visual.changes.snapshot import BlockColumns, Look, References, Snapshot

if TYPE_CHECKING:
    from dbce.output import Row

UNIT_KINDS = tuple(kind for kind in PassageKind if kind is not PassageKind.STAMP)
"""Kinds of changes of units that are counted; a stamp is never content."""

CHANGES = pa.schema(
    [
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("url_surtkey", pa.string()),
        ("site", pa.string()),
        ("fetch_time", TIME),
        ("before", pa.string()),
        ("before_time", TIME),
        ("mode", pa.string()),
        ("class", pa.string()),
        ("reason", pa.string()),
        ("back", pa.bool_()),
        ("kinds", pa.list_(pa.string())),
        ("score", pa.float64()),
        ("probability", pa.float64()),
        ("important", pa.bool_()),
        ("redesign_kept", pa.bool_()),
        ("weight", pa.float64()),
        ("template_similarity", pa.float64()),
        *(
            (f"{what}_{part}", pa.int32())
            for what in ("content", "boilerplate")
            for part in ("added", "removed", "kept")
        ),
        ("content_new", pa.int32()),
        ("content_lost", pa.int32()),
        *((f"{what}_touched", pa.int32()) for what in ("numbers", "names", "negations")),
        *(
            (f"{what}_{part}", pa.int32())
            for what in ("links", "images")
            for part in ("added", "removed", "kept", "in_content")
        ),
        *((f"units_{kind}", pa.int32()) for kind in UNIT_KINDS),
        ("damage", pa.string()),
        *((f"boxes_{part}", pa.int32()) for part in ("added", "removed", "changed", "kept")),
        ("height_before", pa.int32()),
        ("height", pa.int32()),
        ("rows_kept", pa.float64()),
        ("ssim", pa.float64()),
        ("ssim_top", pa.float64()),
        ("pixels", pa.float64()),
        ("pixels_top", pa.float64()),
        ("difference_hash", pa.int32()),
        *(
            (f"{what}{when}", pa.float64())
            for what in ("resources", "style_sheets_found", "images_found")
            for when in ("_before", "")
        ),
    ]
)
"""A row a snapshot that has one before it."""

_ARRAYS = pa.struct([(name, pa.binary()) for name in BlockColumns._fields])
_LOOK = pa.struct(
    [
        ("file", pa.string()),
        ("offset", pa.int64()),
        ("height", pa.int32()),
        *(
            (f"{kind}{found}", pa.int32())
            for kind in ("requests", "style_sheets", "images")
            for found in ("", "_found")
        ),
        ("blocks", _ARRAYS),
    ]
)
_REFERENCES = pa.struct([(name, pa.binary()) for name in References._fields])

SNAPSHOTS = pa.schema(
    [
        ("part", pa.int32()),
        ("is_new", pa.bool_()),
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("url_surtkey", pa.string()),
        ("site", pa.string()),
        ("fetch_time", TIME),
        ("content_digest", pa.string()),
        ("status", pa.string()),
        ("reason", pa.string()),
        ("original", pa.string()),
        ("gone", pa.string()),
        ("truncated", pa.bool_()),
        ("blocks", _ARRAYS),
        ("links", _REFERENCES),
        ("images", _REFERENCES),
        ("media", _REFERENCES),
        ("look", _LOOK),
        ("units", pa.list_(pa.struct([("kind", pa.string()), ("text", pa.string())]))),
    ]
)
"""A row a capture of a URL that has several. `part` is that of the table which its change is to be in, if
`is_new`; behind `gone` all are null of a capture without a text of its own."""

_TYPES = {"traits": np.uint8, "content": np.float32, "importance": np.float32, "rects": np.float32}
"""Types of the arrays of blocks; the others are 32-bit whole numbers."""


def snapshot_row(snapshot: Snapshot) -> Row:
    """The columns of SNAPSHOTS that a snapshot fills."""
    return {
        "truncated": snapshot.truncated,
        "blocks": _packed(snapshot.blocks),
        "links": _packed(snapshot.links),
        "images": _packed(snapshot.images),
        "media": _packed(snapshot.media),
        "look": snapshot.look._asdict() | {"blocks": _packed(snapshot.look.blocks)}
        if snapshot.look
        else None,
        "units": [{"kind": unit.kind, "text": unit.text} for unit in snapshot.units],
    }


def snapshot_of(row: Row) -> Snapshot:
    """The snapshot in a row that has one."""
    return Snapshot(
        row["record_id"],
        row["fetch_time"],
        row["content_digest"] or "",
        row["gone"],
        row["truncated"],
        _blocks(row["blocks"]),
        _references(row["links"]),
        _references(row["images"]),
        _references(row["media"]),
        _look(row["look"]) if row["look"] else None,
        tuple(TextUnit(u["kind"], u["text"], key_of(u["text"]), "") for u in row["units"]),
    )


def _look(packed: Row) -> Look:
    return Look(**packed | {"blocks": _blocks(packed["blocks"])})


def _packed(arrays: BlockColumns | References) -> Row:
    return {name: values.tobytes() for name, values in arrays._asdict().items()}


def _blocks(packed: Row) -> BlockColumns:
    arrays: dict[str, Any] = {
        name: np.frombuffer(packed[name], _TYPES.get(name, np.uint32))
        for name in BlockColumns._fields
    }
    return BlockColumns(**arrays | {"rects": arrays["rects"].reshape(-1, 4)})


def _references(packed: Row) -> References:
    addresses = np.frombuffer(packed["addresses"], np.uint32)
    return References(addresses, np.frombuffer(packed["is_content"], np.bool_))
