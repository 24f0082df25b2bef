"""A Parquet file that grows part by part."""

from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.storage import parquet
from dbce.storage.parquet import Table

SCHEMA = pa.schema([("n", pa.int32())])


def batch(*numbers: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"n": numbers}, SCHEMA)


def written(*parts: pa.RecordBatch) -> bytes:
    out = BytesIO()
    with Table(out, SCHEMA, pa.Table.from_batches) as growing:
        for part in parts:
            growing.add(part, part.num_rows)
    return out.getvalue()


def groups(data: bytes) -> list[list[int]]:
    file = pq.ParquetFile(BytesIO(data))
    return [file.read_row_group(i)["n"].to_pylist() for i in range(file.num_row_groups)]


def test_a_row_group_ends_with_the_part_that_fills_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP", 3)
    parts = batch(1, 2), batch(3, 4), batch(), batch(5)
    assert groups(written(*parts)) == [[1, 2, 3, 4], [5]]


def test_without_rows_it_is_an_empty_table() -> None:
    for parts in ((), (batch(),)):
        file = pq.ParquetFile(BytesIO(written(*parts)))
        assert (file.metadata.num_rows, file.schema_arrow) == (0, SCHEMA)


def test_the_same_parts_give_the_same_bytes() -> None:
    assert written(batch(1, 2), batch(3)) == written(batch(1, 2), batch(3))


def test_parts_may_be_rows() -> None:
    out = BytesIO()
    with Table(out, SCHEMA, pa.Table.from_pylist) as growing:
        growing.add({"n": 1})
        growing.add({"n": 2})
    assert groups(out.getvalue()) == [[1, 2]]


@pytest.mark.parametrize("number", [1, 2, 3, 7, 8])
def test_rows_that_are_joined_at_once_give_the_bytes_of_all_together(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP", 5)
    schema = pa.schema([("n", pa.int32()), ("text", pa.string()), ("parts", pa.list_(pa.string()))])
    # Longer than a page of Parquet, which ends where a piece does.
    rows = [{"n": n, "text": f"{n:07}" * 100_000, "parts": ["a"] * n} for n in range(number)]

    def of_rows(at_once: int | None) -> bytes:
        out = BytesIO()
        with Table(out, schema, pa.Table.from_pylist, at_once) as growing:
            for row in rows:
                growing.add(row)
        return out.getvalue()

    assert of_rows(2) == of_rows(1) == of_rows(None)


def test_long_rows_fill_a_row_group_though_they_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "BYTES", 100)
    schema = pa.schema([("n", pa.int32()), ("text", pa.string())])
    out = BytesIO()
    with Table(out, schema, pa.Table.from_pylist, 2) as growing:
        for n, size in enumerate((1, 1, 90, 1, 1, 1, 1)):
            growing.add({"n": n, "text": "x" * size})
    assert groups(out.getvalue()) == [[0, 1, 2, 3], [4, 5, 6]]
