"""Parquet files are read by the thread that asks alone, and damage is told from a fault of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbce.archive import expand
from dbce.cli import main
from dbce.model import Config
from tests.runs import in_python, whole
from tests.site import snapshots, stored

THREADS = Path("/proc/self/task")

READING = """
import os
from dbce.model.config import Config
from dbce.output.index.read import unit_rows
from dbce.storage.folder import Folder
from dbce.output.read import node_rows_at, rows_of
from dbce.output.schemas import NODES, PAGES

def threads():
    return set(os.listdir("/proc/self/task"))

run, before = Folder("run"), threads()
[pages], [nodes] = run.names("pages/*.parquet"), run.names("nodes/*.parquet")
assert list(rows_of(run, pages, PAGES.names))
assert list(rows_of(run, nodes, NODES.names))
assert node_rows_at(run, os.path.basename(nodes), 0, 3)
assert list(unit_rows(Folder("run/index"), "site.warc.gz", Config(method="T002")))
print(len(threads() - before))
"""


@pytest.mark.skipif(not THREADS.exists(), reason="this system does not list a process's threads")
def test_reading_a_run_starts_no_thread(tmp_path: Path) -> None:
    """One that still holds the file when Python ends makes the process abort."""
    (tmp_path / "site.warc.gz").write_bytes(stored(*snapshots(2014)))
    whole(expand([str(tmp_path / "site.warc.gz")]), tmp_path / "run", Config(method="T002"))
    called = in_python(READING, tmp_path)
    assert called.stdout == "0\n", called.stderr


@pytest.mark.parametrize(("start", "stop"), [(-100, None), (4, 2000)])
def test_a_damaged_table_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture, start: int, stop: int | None
) -> None:
    """One that breaks off is noticed when it is opened, one with other bytes in it when it is read."""
    (tmp_path / "site.warc.gz").write_bytes(stored(*snapshots(2014)))
    whole(expand([str(tmp_path / "site.warc.gz")]), tmp_path / "run", Config(method="T002"))
    table = tmp_path / "run/nodes/site.parquet"
    data = bytearray(table.read_bytes())
    data[start:stop] = b"\xff" * len(data[start:stop])
    table.write_bytes(data)
    assert main(["headings", str(tmp_path / "run"), "--styles", "sheets"]) == 2
    said = capsys.readouterr().err
    assert f"{table} is damaged and must be made again" in said
    assert "Traceback" not in said
