"""Parquet files are read by the thread that asks alone, and damage is told from a fault of ours."""

from pathlib import Path

import pytest

from dbce.archive import expand
from dbce.cli import main
from dbce.model import Config, UsageError
from dbce.storage import Folder, open_parquet
from tests.runs import in_python, whole
from tests.site import snapshots, stored

THREADS = Path("/proc/self/task")

READING = """
import os
from dbce.model.config import Config
from dbce.output.index.read import unit_rows
from dbce.storage.folder import Folder
from dbce.output.read import node_rows_at, rows_of
from dbce.output.rows import NODES, PAGES

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


@pytest.mark.wing
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
    assert f"{table}: " in said
    assert f"dbce repair {tmp_path / 'run'}" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("path", "notes", "remedy"),
    [
        ("run/index/a.parquet", [], "dbce repair {}/run"),
        ("run/index/a.parquet", ["run/work/begun.json"], "remove it, and continue with --resume"),
        (
            "index/n20260101-01/a.parquet",
            ["nights/n20260101-01/work/begun.json"],
            "remove it, and call dbce nightly again",
        ),
        (
            "nights/n20260101-01/pages/a.parquet",
            ["index/n20260101-01/a.parquet"],
            "dbce repair {}",
        ),
        ("nights/n20260101-01/pages/a.parquet", [], "dbce repair {}"),
        ("index/compact-000002/part-00000.parquet", [], "dbce repair {}"),
        (
            "nights/n20260101-01/changes/part-0000.parquet",
            [],
            "by the command that made it, with --overwrite",
        ),
    ],
)
def test_what_makes_a_damaged_table_again_is_said(
    tmp_path: Path, path: str, notes: list[str], remedy: str
) -> None:
    folder = Folder(str(tmp_path))
    for name in [path, *notes]:
        folder.write(name, b"")
    with pytest.raises(UsageError) as damaged, open_parquet(folder, path):
        pass
    assert f"must be made again ({remedy.format(tmp_path)}" in str(damaged.value)


def test_a_damaged_index_of_a_run_that_died_is_made_again_by_what_the_message_says(
    tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "site.warc.gz").write_bytes(stored(*snapshots(2014)))
    command = ["run", str(tmp_path / "site.warc.gz"), "--out", str(tmp_path / "run")]
    command += ["--master", "none", "--method", "T002"]
    with monkeypatch.context() as patch:
        patch.setattr("dbce.run.job.judge_file", None)
        assert main(command) == 1
    table = tmp_path / "run/index/site.parquet"
    table.write_bytes(b"")
    assert main([*command, "--resume"]) == 2
    assert "(remove it, and continue with --resume)" in capsys.readouterr().err
    table.unlink()
    assert main([*command, "--resume"]) == 0
