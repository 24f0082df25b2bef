"""Parquet files: read, grown, and without pandas."""

from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.cli import main
from dbce.model import UsageError
from dbce.storage import Folder, open_parquet, parquet
from dbce.storage.parquet import Table
from tests.runs import finished_run, in_python, run
from tests.site import snapshots, stored

THREADS = Path("/proc/self/task")

READING = """
import os
from dbce.output.index.rows import unit_rows
from dbce.storage.folder import Folder
from dbce.output.read import rows_of, table_at
from dbce.output.rows import NODES, PAGES

def threads():
    return set(os.listdir("/proc/self/task"))

run, before = Folder("run"), threads()
[pages], [nodes] = run.names("pages/*.parquet"), run.names("nodes/*.parquet")
assert list(rows_of(run, pages, PAGES.names))
assert list(rows_of(run, nodes, NODES.names))
assert table_at(run, f"nodes/{os.path.basename(nodes)}", 0, 3).num_rows
assert list(unit_rows(Folder("run/index"), "site.warc.gz"))
print(len(threads() - before))
"""


@pytest.mark.skipif(not THREADS.exists(), reason="this system does not list a process's threads")
def test_reading_a_run_starts_no_thread(tmp_path: Path) -> None:
    """One that still holds the file when Python ends makes the process abort."""
    (tmp_path / "site.warc.gz").write_bytes(stored(*snapshots(2014)))
    finished_run(tmp_path / "site.warc.gz", tmp_path / "run", method="T002")
    assert in_python(READING, tmp_path).stdout == "0\n"


@pytest.mark.wing
@pytest.mark.parametrize(("start", "stop"), [(-100, None), (4, 2000)])
def test_a_damaged_table_is_named(tmp_path, capsys, start, stop):
    """One that breaks off is noticed when it is opened, one with other bytes in it when it is read."""
    (tmp_path / "site.warc.gz").write_bytes(stored(*snapshots(2014)))
    finished_run(tmp_path / "site.warc.gz", tmp_path / "run", method="T002")
    table = tmp_path / "run/nodes/site.parquet"
    data = bytearray(table.read_bytes())
    data[start:stop] = b"\xff" * len(data[start:stop])
    table.write_bytes(data)
    assert main(["headings", str(tmp_path / "run"), "--styles", "sheets"]) == 2
    said = capsys.readouterr().err
    assert f"{table}: " in said
    assert f"dbce repair {tmp_path / 'run'}" in said
    assert "Traceback" not in said


NIGHT = "n20260101-01"


@pytest.mark.parametrize(
    ("path", "note", "remedy"),
    [
        ("run/index/a.parquet", "", "dbce repair {}/run"),
        ("run/index/a.parquet", "run/work/begun.json", "remove it, and continue with --resume"),
        (f"index/{NIGHT}/a.parquet", f"nights/{NIGHT}/work/begun.json", "remove it, and call dbce"),
        (f"nights/{NIGHT}/pages/a.parquet", f"index/{NIGHT}/a.parquet", "dbce repair {}"),
        (f"nights/{NIGHT}/pages/a.parquet", "", "dbce repair {}"),
        ("index/compact-000002/part-00000.parquet", "", "dbce repair {}"),
        (f"nights/{NIGHT}/changes/part-0000.parquet", "", "by the command that made it, with --"),
    ],
)
def test_what_makes_a_damaged_table_again_is_said(tmp_path, path, note, remedy):
    folder = Folder(str(tmp_path))
    for name in filter(None, (path, note)):
        folder.write(name, b"")
    with pytest.raises(UsageError) as damaged, open_parquet(folder, path):
        pass
    assert f"must be made again ({remedy.format(tmp_path)}" in str(damaged.value)


def test_a_damaged_index_of_a_run_that_died_is_made_again_by_what_the_message_says(
    tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "site.warc.gz").write_bytes(stored(*snapshots(2014)))
    words = (tmp_path / "site.warc.gz", tmp_path / "run")
    with monkeypatch.context() as patch:
        patch.setattr("dbce.run.job.judge_file", None)
        assert run(*words, method="T002") == 1
    table = tmp_path / "run/index/site.parquet"
    table.write_bytes(b"")
    assert run(*words, "--resume", method="T002") == 2
    assert "(remove it, and continue with --resume)" in capsys.readouterr().err
    table.unlink()
    assert run(*words, "--resume", method="T002") == 0


# A Parquet file that grows part by part


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


@pytest.mark.parametrize("number", [1, 2, 3, 7, 8])
def test_rows_that_are_joined_at_once_give_the_bytes_of_all_together(monkeypatch, number):
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
    assert groups(of_rows(1)) == [list(range(number))[at : at + 5] for at in range(0, number, 5)]


def test_long_rows_fill_a_row_group_though_they_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "BYTES", 100)
    schema = pa.schema([("n", pa.int32()), ("text", pa.string())])
    out = BytesIO()
    with Table(out, schema, pa.Table.from_pylist, 2) as growing:
        for n, size in enumerate((1, 1, 90, 1, 1, 1, 1)):
            growing.add({"n": n, "text": "x" * size})
    assert groups(out.getvalue()) == [[0, 1, 2, 3], [4, 5, 6]]
