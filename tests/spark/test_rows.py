"""Values as rows and back, without Spark."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
import pytest

from dbce.archive import capture
from dbce.config import Config
from dbce.model import CIRCLE, Annotation, Cross, Dropped, Origin, Reason, Sketch, Stage, Status
from dbce.pipeline import entry, sketch
from dbce.spark import schemas
from dbce.spark.rows import (
    BATCH,
    annotation_of,
    annotation_row,
    batches_of,
    capture_row,
    cross_of,
    cross_row,
    dropped_of,
    dropped_row,
    entry_of,
    groups,
    member_row,
    rows_of,
    sketch_of,
)
from tests.site import article

if TYPE_CHECKING:
    import pyarrow as pa


def through_spark(row: dict, schema: pa.Schema) -> dict:
    """The row as it comes out of an Arrow batch."""
    (back,) = rows_of(batches_of([row], schema))
    return back


def same(one: object, other: object) -> bool:
    """Whether two values agree field by field; arrays by what they hold."""
    return all(
        np.array_equal(getattr(one, field.name), getattr(other, field.name))
        for field in fields(one)  # type: ignore[arg-type]
    )


PAGE = capture("http://harbour.example/ferry", article("ferry"), "20160101000000.123456")
SKETCH = sketch(PAGE, Config())
FULL = Cross("a", "b", "c", "d", "e", 1 / 3, 0.1, ("f", "größe"))
LEAST = Cross("a", "b", None, None, None, 0.5, 0.0)


def test_a_sketch_comes_back():
    assert isinstance(SKETCH, Sketch)
    row = through_spark(capture_row(PAGE, SKETCH), schemas.CAPTURE)
    assert same(sketch_of(row), SKETCH)
    assert len(SKETCH.places) == len(SKETCH.ends) > 0
    assert row["status"] is None
    assert row["timestamp"] == PAGE.timestamp


def test_a_sketch_takes_only_the_columns_of_its_schema():
    row = through_spark(capture_row(PAGE, SKETCH), schemas.CAPTURE)
    assert same(sketch_of({name: row[name] for name in schemas.SKETCH.names}), SKETCH)


@pytest.mark.parametrize(
    "dropped",
    [
        Dropped(
            Status.REJECTED, Reason.DAMAGED, Stage.READ, "no record", Origin("x.warc.gz", 7, 0)
        ),
        Dropped(
            Status.SKIPPED,
            Reason.NO_TEXT,
            Stage.PARSE,
            "",
            Origin("größe/x.warc", 2**40, 9),
            "urn:x",
            PAGE.url,
            PAGE.surt,
            PAGE.timestamp,
            PAGE.digest,
            is_html=True,
        ),
    ],
)
def test_what_was_dropped_comes_back(dropped):
    assert dropped_of(through_spark(dropped_row(dropped), schemas.CAPTURE)) == dropped


def test_an_entry_of_a_bucket_comes_back():
    member = entry(SKETCH)
    row = member_row(member) | {"place": "", "band": 31, "key": b"\xff\0"}
    back = through_spark(row, schemas.MEMBER)
    assert same(entry_of(back), member)
    assert (back["place"], back["band"], back["key"]) == ("", 31, b"\xff\0")


@pytest.mark.parametrize("cross", [FULL, LEAST])
def test_a_cross_comes_back_exactly(cross):
    assert cross_of(through_spark(cross_row(cross), schemas.CROSS)) == cross


@pytest.mark.parametrize("words", [1, 7, 8, 9, 1000])
def test_an_annotation_comes_back(words):
    rng = np.random.default_rng(words)
    shared = {name: rng.random(words) < 0.5 for name in "bcde"}
    circle = rng.random((words // 2 + 1, len(CIRCLE)), dtype=np.float32)
    circle[0, 1:] = np.nan
    row = annotation_row(Annotation("a", (FULL, LEAST), shared, circle))
    back = annotation_of(through_spark(row, schemas.ANNOTATION))
    assert (back.record_id, back.crosses) == ("a", (FULL, LEAST))
    assert back.shared.keys() == shared.keys()
    for name, mask in shared.items():
        assert back.shared[name].dtype == np.bool_
        assert np.array_equal(back.shared[name], mask)
    assert back.circle.dtype == np.float32
    assert np.array_equal(back.circle, circle, equal_nan=True)


@pytest.mark.parametrize("count", [0, 1, BATCH, BATCH + 1, 3 * BATCH])
def test_rows_are_packed_in_batches_and_none_is_lost(count):
    rows = [{"name": str(n)} for n in range(count)]
    batches = list(batches_of(rows, schemas.UNIT))
    assert list(rows_of(batches)) == rows
    assert all(0 < batch.num_rows <= BATCH for batch in batches)


def test_neighbouring_rows_with_equal_keys_are_a_group():
    rows = [{"a": a, "b": b, "n": n} for n, (a, b) in enumerate([(1, 1), (1, 1), (1, 2), (2, 2)])]
    found = [[row["n"] for row in group] for group in groups(rows, "a", "b")]
    assert found == [[0, 1], [2], [3]]
