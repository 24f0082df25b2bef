"""The columns that travel between the stages on Spark."""

from __future__ import annotations

import pyarrow as pa

from dbce.output import NEIGHBOURS, TIME

UNIT = pa.schema(
    [
        ("task", pa.int32()),  # the number of its partition
        ("name", pa.string()),
        ("unit", pa.binary()),  # pickled
    ]
)

DONE = pa.schema([("name", pa.string())])

_CROSS = [
    ("cur", pa.string()),
    *NEIGHBOURS,
    ("further", pa.list_(pa.string())),
    ("variant_of", pa.string()),
]

# dbce.boilerplate.neighbourhood.Original, its fields in their order.
_ORIGINAL = [
    ("is_dropped", pa.bool_()),
    ("timestamp", TIME),
    ("record_id", pa.string()),
    ("surt", pa.string()),
    ("digest", pa.string()),
    ("is_html", pa.bool_()),
]

# Which words of a capture its neighbours share; masks are bits, first word first. Of a revisit its
# place is known and the last two columns; of a capture that repeats another one's record the place, and of
# one that comparing fails with `fault` too.
ANNOTATION = pa.schema(
    [
        ("name", pa.string()),
        ("number", pa.int64()),
        ("record_id", pa.string()),
        ("crosses", pa.list_(pa.struct(_CROSS))),
        ("words", pa.int32()),
        ("shared", pa.map_(pa.string(), pa.binary())),
        ("circle", pa.binary()),
        ("history", pa.binary()),
        ("fault", pa.string()),
        ("resolution", pa.string()),
        ("original", pa.struct(_ORIGINAL)),
    ]
)

# Where a site that is larger than a block is cut (dbce.boilerplate.compare.Cuts).
_MOMENT = pa.struct(
    [
        ("time", pa.int64()),  # microseconds since 1970
        ("surt", pa.string()),
        ("record_id", pa.string()),
    ]
)
CUT = pa.schema(
    [
        ("site", pa.string()),
        (
            "cuts",
            pa.list_(pa.struct([("url", pa.string()), ("times", pa.list_(_MOMENT))])),
        ),
    ]
)
