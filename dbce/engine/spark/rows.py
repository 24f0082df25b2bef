"""Values as rows of the tables that travel between stages, and back."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema

from dbce.boilerplate import DUPLICATE, Original, failure, repeat_of
from dbce.engine import collect_rarely
from dbce.model import CIRCLE, HISTORY, Annotation, Cross, Resolution
from dbce.storage import spare_pandas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pyspark.sql import DataFrame

    from dbce.model import Repeat
    from dbce.output.index import Row

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
        collect_rarely()
        spare_pandas()
        return batches_of(function(rows_of(batches)), schema)

    return table.mapInArrow(over_batches, from_arrow_schema(schema))


def annotation_row(annotation: Annotation) -> Row:
    """The columns of ANNOTATION that say what was found."""
    masks = annotation.shared
    return {
        "record_id": annotation.record_id,
        "crosses": [
            {name: getattr(cross, name) for name in Cross.__dataclass_fields__}
            for cross in annotation.crosses
        ],
        "words": len(next(iter(masks.values()), ())),
        "shared": [(other, np.packbits(mask).tobytes()) for other, mask in masks.items()],
        "circle": annotation.circle.tobytes(),
        "history": annotation.history.tobytes(),
    }


def found_in(row: Row) -> Annotation | Repeat:
    """Return the annotation or the repeat in a row of ANNOTATION."""
    if row["resolution"] is not None:
        original = Original(**row["original"]) if row["original"] else None
        return repeat_of((Resolution(row["resolution"]), original))
    if row["fault"] is not None:
        return failure(row["fault"])
    if row["crosses"] is None:
        return DUPLICATE
    return Annotation(
        record_id=row["record_id"],
        crosses=tuple(
            Cross(**(cross | {"further": tuple(cross["further"])})) for cross in row["crosses"]
        ),
        shared={
            other: np.unpackbits(np.frombuffer(mask, dtype=np.uint8), count=row["words"]).astype(
                np.bool_
            )
            for other, mask in row["shared"]
        },
        circle=np.frombuffer(row["circle"], dtype=np.float32).reshape(-1, len(CIRCLE)),
        history=np.frombuffer(row["history"], dtype=np.float32).reshape(-1, len(HISTORY)),
    )
