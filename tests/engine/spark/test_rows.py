"""Values as rows and back, without Spark."""

import numpy as np
import pytest

from dbce.boilerplate.neighbourhood import DUPLICATE
from dbce.engine.spark import rows as spark_rows
from dbce.engine.spark.rows import BATCH, batches_of, result_of_row, rows_of
from dbce.model import CIRCLE, HISTORY, Annotation, Cross, Reason, Repeat

FULL = Cross("a", "b", "c", "d", "e", 1 / 3, 0.1, ("f", "größe"))
LEAST = Cross("a", "b", None, None, None, 0.5, 0.0)
ALONE = Cross("a", None, None, "b", "c", 0.0, 0.0)


def through_spark(row: dict) -> dict:
    """The row as it comes out of an Arrow batch, with the place that it was given."""
    (back,) = rows_of(
        batches_of([row | {"name": "x.warc.gz", "number": 2**40}], spark_rows.ANNOTATION)
    )
    assert (back["name"], back["number"]) == ("x.warc.gz", 2**40)
    return back


@pytest.mark.parametrize(("crosses", "others"), [((FULL, LEAST), "bcde"), ((ALONE,), "bc")])
@pytest.mark.parametrize("words", [1, 7, 8, 9, 1000])
def test_an_annotation_comes_back(words, crosses, others):
    rng = np.random.default_rng(words)
    shared = {name: rng.random(words) < 0.5 for name in others}
    circle = rng.random((words // 2 + 1, len(CIRCLE)), dtype=np.float32)
    circle[slice(None) if crosses == (ALONE,) else 0, 1:] = np.nan
    history = rng.random((words // 2 + 1, len(HISTORY)), dtype=np.float32)
    history[0, 1] = np.nan
    row = spark_rows.annotation_row(Annotation("a", crosses, shared, circle, history))
    back = result_of_row(through_spark(row))
    assert isinstance(back, Annotation)
    assert (back.record_id, back.crosses) == ("a", crosses)
    assert back.shared.keys() == shared.keys()
    for name, mask in shared.items():
        assert back.shared[name].dtype == np.bool_
        assert np.array_equal(back.shared[name], mask)
    for returned, known in ((back.circle, circle), (back.history, history)):
        assert returned.dtype == np.float32
        assert np.array_equal(returned, known, equal_nan=True)


def test_a_place_alone_is_a_capture_that_repeats_another():
    assert result_of_row(through_spark({})) is DUPLICATE


def test_a_capture_that_comparing_fails_with_says_how():
    back = result_of_row(through_spark({"record_id": "a", "fault": "KeyError"}))
    assert back == Repeat(Reason.FAULT, "KeyError")


@pytest.mark.parametrize("count", [0, 1, BATCH, BATCH + 1, 3 * BATCH])
def test_rows_are_packed_in_batches_and_none_is_lost(count):
    rows = [{"name": str(n)} for n in range(count)]
    batches = list(batches_of(rows, spark_rows.DONE))
    assert list(rows_of(batches)) == rows
    assert all(0 < batch.num_rows <= BATCH for batch in batches)


def test_neighbouring_rows_with_equal_keys_are_a_group():
    rows = [{"a": a, "b": b, "n": n} for n, (a, b) in enumerate([(1, 1), (1, 1), (1, 2), (2, 2)])]
    found = [[row["n"] for row in group] for group in spark_rows.groups(rows, "a", "b")]
    assert found == [[0, 1], [2], [3]]
