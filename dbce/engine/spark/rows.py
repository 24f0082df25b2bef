"""Values as rows of the tables that travel between the stages on Spark, and back."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from itertools import groupby, islice
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema

from dbce.boilerplate import DUPLICATE, Original, failure, repeat_of
from dbce.engine import collect_rarely
from dbce.model import CIRCLE, HISTORY, Annotation, Cross, Repeat, Resolution
from dbce.output import NEIGHBOURS, Row, columns, strings
from dbce.output.index import CAPTURE
from dbce.storage import spare_pandas

Step: TypeAlias = Callable[[Iterator[Row]], Iterator[Row]]
"""Makes the rows of a partition of those of another."""

UNIT = pa.schema(
    # The number of its partition, and the unit, pickled.
    [("task", pa.int32()), ("name", pa.string()), ("unit", pa.binary())]
)

DONE = pa.schema([("name", pa.string())])

CROSS = [
    ("cur", pa.string()),
    *NEIGHBOURS,
    ("further", pa.list_(pa.string())),
    ("variant_of", pa.string()),
]

# dbce.boilerplate.neighbourhood.Original, its fields in their order.
_ORIGINAL = [
    pa.field("is_dropped", pa.bool_()),
    *(CAPTURE.field(field.name) for field in fields(Original)[1:]),
]

# Which words of a capture its neighbours share; masks are bits, first word first. Of a revisit its
# place is known and the last two columns; of a capture that repeats another one's record the place, and of
# one that comparing fails with `fault` too.
ANNOTATION = pa.schema(
    [
        ("name", pa.string()),
        ("number", pa.int64()),
        ("record_id", pa.string()),
        ("crosses", pa.list_(pa.struct(CROSS))),
        ("words", pa.int32()),
        ("shared", pa.map_(pa.string(), pa.binary())),
        *columns(pa.binary(), "circle", "history"),
        *strings("body", "fault", "resolution"),
        ("original", pa.struct(_ORIGINAL)),
    ]
)

# Where a site that is larger than a block is cut (dbce.boilerplate.compare.Cuts).
_MOMENT = pa.struct(
    [
        ("time", pa.int64()),  # microseconds since 1970
        *strings("surt", "record_id"),
    ]
)
CUT = pa.schema(
    [
        ("site", pa.string()),
        ("cuts", pa.list_(pa.struct([("url", pa.string()), ("times", pa.list_(_MOMENT))]))),
    ]
)

BATCH = 500  # rows of a batch that goes back to Spark


def rows_of(batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
    for batch in batches:
        yield from batch.to_pylist()


def batches_of(rows: Iterable[Row], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    waiting = iter(rows)
    while batch := list(islice(waiting, BATCH)):
        yield pa.RecordBatch.from_pylist(batch, schema)


def groups(rows: Iterable[Row], *keys: str) -> Iterator[Iterator[Row]]:
    """Neighbouring rows with equal keys; the partition must be sorted by them."""
    for _, group in groupby(rows, key=lambda row: [row[key] for key in keys]):
        yield group


def map_partitions(table: DataFrame, function: Step, schema: pa.Schema) -> DataFrame:
    def map_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        collect_rarely()
        spare_pandas()
        return batches_of(function(rows_of(batches)), schema)

    return table.mapInArrow(map_batches, from_arrow_schema(schema))


def annotation_row(annotation: Annotation) -> Row:
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
        "body": annotation.body,
    }


def cross_of(row: Row) -> Cross:
    return Cross(**(row | {"further": tuple(row["further"])}))


def result_of_row(row: Row) -> Annotation | Repeat:
    if row["resolution"] is not None:
        original = Original(**row["original"]) if row["original"] else None
        return repeat_of((Resolution(row["resolution"]), original))
    if row["fault"] is not None:
        return failure(row["fault"])
    if row["crosses"] is None:
        return DUPLICATE
    return Annotation(
        record_id=row["record_id"],
        crosses=tuple(map(cross_of, row["crosses"])),
        shared={
            other: np.unpackbits(np.frombuffer(mask, dtype=np.uint8), count=row["words"]).astype(
                np.bool_
            )
            for other, mask in row["shared"]
        },
        circle=np.frombuffer(row["circle"], dtype=np.float32).reshape(-1, len(CIRCLE)),
        history=np.frombuffer(row["history"], dtype=np.float32).reshape(-1, len(HISTORY)),
        body=row["body"],
    )
