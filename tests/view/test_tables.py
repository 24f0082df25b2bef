"""The tables are read where they lie, and nothing else is."""

import json
import shutil
from pathlib import Path

import duckdb
import pytest

from dbce.model import NotInRun, UsageError
from dbce.storage.folder import Folder
from dbce.view.run import Run, open_view
from dbce.view.tables import Tables
from tests.runs import reseal
from tests.view.harbour import record_id


def test_a_question_cannot_read_beyond_the_folder(run: Run, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    for path in (str(secret), "/etc/passwd", f"{run.folder.path}/../harbour.warc.gz"):
        with pytest.raises(duckdb.PermissionException):
            run.tables.rows(f"SELECT * FROM read_text('{path}')")


@pytest.mark.parametrize(
    "sql", ["COPY pages TO '{}/x.csv'", "INSTALL httpfs", "SET lock_configuration=false"]
)
def test_a_question_changes_nothing(run: Run, tmp_path: Path, sql: str) -> None:
    with pytest.raises(duckdb.Error):
        run.tables.rows(sql.format(tmp_path))


@pytest.mark.parametrize("what", ["pages", "nodes/harbour.parquet"])
def test_a_link_that_leads_out_of_the_folder_is_refused(
    harbour: Path, tmp_path: Path, what: str
) -> None:
    folder = tmp_path / "out"
    shutil.copytree(harbour, folder)
    (folder / what).rename(tmp_path / "elsewhere")
    (folder / what).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="leads out of the run's folder"):
        Tables(Folder(str(folder)))


def test_a_folder_may_be_reached_by_a_link(harbour: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(harbour)
    assert open_view(str(tmp_path / "link"), {}).page(record_id(2013, "ferry"))


def test_a_folder_and_files_of_any_name_are_read(harbour: Path, tmp_path: Path) -> None:
    folder = tmp_path / "it's [a] run*"
    shutil.copytree(harbour, folder)
    run = open_view(str(folder), {})
    assert run.runs(run.page(record_id(2013, "maps")))


def test_a_folder_on_another_machine_is_refused() -> None:
    with pytest.raises(UsageError, match="not on this machine"):
        Tables(Folder("memory://run"))


def test_places_of_a_run_that_somebody_sent_open_nothing_elsewhere(
    harbour: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    shutil.copytree(harbour, folder)
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


def test_the_runs_of_a_capture_are_those_of_the_table(run: Run) -> None:
    for topic in ("ferry", "evil", "lamps"):
        page = run.page(record_id(2015, topic))
        expected = run.tables.rows(
            "SELECT text FROM nodes WHERE record_id = ? ORDER BY node, start", [page["record_id"]]
        )
        assert [row["text"] for row in run.runs(page)] == [row["text"] for row in expected]


def test_what_is_not_there_is_said_so(run: Run) -> None:
    with pytest.raises(NotInRun, match=r"no capture \.\./\.\./etc/passwd"):
        run.page("../../etc/passwd")
