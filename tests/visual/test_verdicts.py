"""The tables of one input file, whole in a run and in pieces beside it."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.storage import Folder
from dbce.visual import rows_with, tables_beside


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "pages").mkdir()
    return Folder(str(tmp_path))


def write_table(folder: Folder, name: str, rows: list[tuple[str | None, int]] = ()) -> None:
    ids, numbers = [row[0] for row in rows], [row[1] for row in rows]
    table = pa.table({"record_id": pa.array(ids, pa.string()), "n": pa.array(numbers, pa.int32())})
    pq.write_table(table, folder.full_path(f"pages/{name}"), row_group_size=2)


@pytest.mark.parametrize("asked", ["a.parquet", "a.warc.gz.0000.parquet", "a.warc.gz.0007.parquet"])
def test_a_file_has_the_tables_of_the_whole_and_of_its_pieces(folder: Folder, asked: str) -> None:
    own = ["a.parquet", "a.warc.gz.0000.parquet", "a.warc.gz.0001.parquet"]
    for name in [*own, "b.parquet", "aa.parquet", "a.arc.gz.parquet", "a.arc.gz.0000.parquet"]:
        write_table(folder, name)
    assert tables_beside(folder, "pages", asked) == own
    assert tables_beside(folder, "pages", "a.arc.gz.parquet") == [
        "a.arc.gz.0000.parquet",
        "a.arc.gz.parquet",
    ]


def test_rows_are_found_in_whatever_group_they_are(folder: Folder) -> None:
    write_table(folder, "a.parquet", [("x", 0), ("x", 1), (None, 2), ("y", 3), ("z", 4), ("y", 5)])
    found = rows_with(folder, "pages/a.parquet", {"y", "none"}, ["n"])
    assert found.to_pydict() == {"n": [3, 5]}
    assert rows_with(folder, "pages/a.parquet", {}, ["n"]).num_rows == 0
