"""Values as rows of the stages' tables, and back."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema

from dbce.cross import Entry
from dbce.model import (
    CIRCLE,
    Annotation,
    Capture,
    Cross,
    Dropped,
    Origin,
    Reason,
    Sketch,
    Stage,
    Status,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pyspark.sql import DataFrame

    from dbce.model import Hashes

Row = dict[str, Any]

BATCH = 500
"""Rows of a batch that goes back to Spark."""


def rows_of(batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
    """All rows of a partition, one by one."""
    for batch in batches:
        yield from batch.to_pylist()


def batches_of(rows: Iterable[Row], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Rows packed for Spark."""
    waiting: list[Row] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) >= BATCH:
            yield pa.RecordBatch.from_pylist(waiting, schema)
            waiting = []
    if waiting:
        yield pa.RecordBatch.from_pylist(waiting, schema)


def groups(rows: Iterable[Row], *keys: str) -> Iterator[Iterator[Row]]:
    """Neighbouring rows with equal keys; the partition must be sorted by them."""
    for _, group in groupby(rows, key=lambda row: [row[key] for key in keys]):
        yield group


def mapped(
    table: DataFrame, function: Callable[[Iterator[Row]], Iterator[Row]], schema: pa.Schema
) -> DataFrame:
    """The table that a function of a partition's rows makes of every partition."""

    def over_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return batches_of(function(rows_of(batches)), schema)

    return table.mapInArrow(over_batches, from_arrow_schema(schema))


def capture_row(capture: Capture, sketch: Sketch) -> Row:
    """A row of CAPTURE with a sketch."""
    return _identity(capture) | {
        "is_html": True,
        "site": sketch.site,
        "signature": sketch.signature.tobytes(),
        "words": sketch.words.tobytes(),
        "ends": sketch.ends.tobytes(),
        "places": sketch.places.tobytes(),
    }


def dropped_row(dropped: Dropped) -> Row:
    """A row of CAPTURE without a sketch."""
    return _identity(dropped) | {
        "is_html": dropped.is_html,
        "status": dropped.status,
        "reason": dropped.reason,
        "stage": dropped.stage,
        "detail": dropped.detail,
    }


def _identity(capture: Capture | Dropped) -> Row:
    return {
        "name": capture.origin.filename,
        "offset": capture.origin.offset,
        "length": capture.origin.length,
        "record_id": capture.record_id,
        "url": capture.url,
        "surt": capture.surt,
        "timestamp": capture.timestamp,
        "digest": capture.digest,
    }


def dropped_of(row: Row) -> Dropped:
    """The value of a row of CAPTURE without a sketch."""
    return Dropped(
        status=Status(row["status"]),
        reason=Reason(row["reason"]),
        stage=Stage(row["stage"]),
        detail=row["detail"],
        origin=Origin(row["name"], row["offset"], row["length"]),
        record_id=row["record_id"],
        url=row["url"],
        surt=row["surt"],
        timestamp=row["timestamp"],
        digest=row["digest"],
        is_html=row["is_html"],
    )


def sketch_of(row: Row) -> Sketch:
    """The sketch in a row of CAPTURE."""
    return Sketch(
        record_id=row["record_id"],
        site=row["site"],
        surt=row["surt"],
        timestamp=row["timestamp"],
        signature=hashes(row["signature"]),
        words=hashes(row["words"]),
        ends=hashes(row["ends"]),
        places=hashes(row["places"]),
    )


def hashes(data: bytes) -> Hashes:
    """Hashes from their bytes."""
    return np.frombuffer(data, dtype=np.uint32)


def member_row(member: Entry) -> Row:
    """A row of MEMBER, yet without its bucket."""
    return {
        "record_id": member.record_id,
        "surt": member.surt,
        "time": member.time,
        "text": member.text,
        "signature": member.signature.tobytes(),
    }


def entry_of(row: Row) -> Entry:
    """The entry in a row of MEMBER."""
    return Entry(
        record_id=row["record_id"],
        surt=row["surt"],
        time=row["time"],
        text=row["text"],
        signature=hashes(row["signature"]),
    )


def cross_row(cross: Cross) -> Row:
    """A row of CROSS."""
    return {name: getattr(cross, name) for name in Cross.__dataclass_fields__}


def cross_of(row: Row) -> Cross:
    """The value of a row of CROSS."""
    return Cross(**(row | {"further": tuple(row["further"])}))


def annotation_row(annotation: Annotation) -> Row:
    """A row of ANNOTATION."""
    masks = annotation.shared
    return {
        "record_id": annotation.record_id,
        "crosses": [cross_row(cross) for cross in annotation.crosses],
        "words": len(next(iter(masks.values()))),
        "shared": [(other, np.packbits(mask).tobytes()) for other, mask in masks.items()],
        "circle": annotation.circle.tobytes(),
    }


def annotation_of(row: Row) -> Annotation:
    """The value of a row of ANNOTATION."""
    return Annotation(
        record_id=row["record_id"],
        crosses=tuple(cross_of(cross) for cross in row["crosses"]),
        shared={
            other: np.unpackbits(np.frombuffer(mask, dtype=np.uint8), count=row["words"]).astype(
                np.bool_
            )
            for other, mask in row["shared"]
        },
        circle=np.frombuffer(row["circle"], dtype=np.float32).reshape(-1, len(CIRCLE)),
    )
