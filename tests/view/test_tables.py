"""The tables are read where they lie, no more of them than is asked for, and nothing else is."""

import json
import shutil
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.model import NotInRun, UsageError
from dbce.storage.folder import Folder
from dbce.storage.parquet import Parquet
from dbce.view.run import Tables, open_view
from tests.runs import reseal
from tests.view.harbour import record_id

OWN = record_id(2015, "maps")


def test_a_question_cannot_read_beyond_the_folder(run, tmp_path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    for path in (str(secret), "/etc/passwd", f"{run.folder.path}/../harbour.warc.gz"):
        with pytest.raises(duckdb.PermissionException):
            run.tables.rows(f"SELECT * FROM read_text('{path}')")


@pytest.mark.parametrize(
    "sql", ["COPY pages TO '{}/x.csv'", "INSTALL httpfs", "SET lock_configuration=false"]
)
def test_a_question_changes_nothing(run, tmp_path, sql) -> None:
    with pytest.raises(duckdb.Error):
        run.tables.rows(sql.format(tmp_path))


@pytest.fixture
def folder(harbour, tmp_path) -> Path:
    """A copy of the harbour's run."""
    return shutil.copytree(harbour, tmp_path / "out")


@pytest.mark.parametrize("what", ["pages", "nodes/harbour.parquet"])
def test_a_link_that_leads_out_of_the_folder_is_refused(folder, tmp_path, what) -> None:
    (folder / what).rename(tmp_path / "elsewhere")
    (folder / what).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="leads out of the run's folder"):
        Tables(Folder(str(folder)))


def test_a_folder_may_be_reached_by_a_link(harbour, tmp_path) -> None:
    (tmp_path / "link").symlink_to(harbour)
    assert open_view(str(tmp_path / "link"), {}).page(record_id(2013, "ferry"))


def test_a_folder_and_files_of_any_name_are_read(harbour, tmp_path) -> None:
    run = open_view(shutil.copytree(harbour, str(tmp_path / "it's [a] run*")), {})
    assert run.runs(run.page(record_id(2013, "maps")))


def test_a_folder_on_another_machine_is_refused() -> None:
    with pytest.raises(UsageError, match="not on this machine"):
        Tables(Folder("memory://run"))


def test_places_of_a_run_that_somebody_sent_open_nothing_elsewhere(folder, tmp_path) -> None:
    (folder / "own.warc.gz").touch()
    (folder / "link.warc.gz").symlink_to(tmp_path / "private.warc.gz")
    named = {
        "own": str(folder / "own.warc.gz"),
        "member": f"{folder}/own.wacz/archive/data.warc.gz",
        "link": str(folder / "link.warc.gz"),
        "above": f"{folder}/../private.warc.gz",
        "private": str(tmp_path / "private.warc.gz"),
        "web": "http://evil.example/x",
        "file": "file:///etc/passwd",
        "piped": "-",
        "none": 7,
    }
    account = folder / "run.json"
    account.write_text(json.dumps(json.loads(account.read_text()) | {"places": named}))
    reseal(folder)
    run = open_view(str(folder), {})
    assert set(run.places) == {"own", "member"}
    assert str(tmp_path) in run.elsewhere
    moved = open_view(str(folder), {"moved": named["private"], "web": "http://a.example/x"})
    assert moved.places["private"] == named["private"]
    assert moved.places["web"] == "http://a.example/x"


def test_the_runs_of_a_capture_are_those_of_the_table(run) -> None:
    for topic in ("ferry", "evil", "lamps"):
        page = run.page(record_id(2015, topic))
        expected = run.tables.rows(
            "SELECT text FROM nodes WHERE record_id = ? ORDER BY node, start", [page["record_id"]]
        )
        assert [row["text"] for row in run.runs(page)] == [row["text"] for row in expected]


def test_what_is_not_there_is_said_so(run) -> None:
    with pytest.raises(NotInRun, match=r"no capture \.\./\.\./etc/passwd"):
        run.page("../../etc/passwd")


def test_the_runs_of_one_are_read_without_the_others(folder, monkeypatch) -> None:
    nodes = pq.read_table(folder / "nodes/harbour.parquet")
    pq.write_table(nodes, folder / "nodes/harbour.parquet", row_group_size=5)
    reseal(folder)
    own = [n for n, one in enumerate(nodes["record_id"].to_pylist()) if one == OWN]
    read: list[list[int]] = []
    groups = Parquet.read_row_groups

    def counted(self: Parquet, wanted: list[int]) -> pa.Table:
        read.append(wanted)
        return groups(self, wanted)

    run = open_view(str(folder), {})
    monkeypatch.setattr(Parquet, "read_row_groups", counted)
    assert len(run.runs(run.page(OWN))) == len(own)
    assert read == [list(range(own[0] // 5, own[-1] // 5 + 1))]
    assert len(read[0]) < nodes.num_rows / 5 - 5
