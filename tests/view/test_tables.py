"""The tables are read where they lie, of 100,000 captures too, and nothing else is."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from flask.testing import FlaskClient

from dbce.model import NotInRun, UsageError
from dbce.output.rows import NODES, PAGES
from dbce.storage.folder import Folder
from dbce.storage.parquet import Parquet
from dbce.view.run import Tables, open_view
from tests.runs import reseal
from tests.view.conftest import client_of
from tests.view.harbour import record_id


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


CAPTURES = 100_000


@pytest.fixture(scope="module")
def large(harbour, tmp_path_factory) -> Path:
    """The harbour's run with a table of 100,000 captures in place of its own."""
    folder = tmp_path_factory.mktemp("large") / "out"
    shutil.copytree(harbour, folder)
    shutil.rmtree(folder / "index")
    rng = np.random.default_rng(1)
    number = np.arange(CAPTURES)
    urls = [f"http://s{n % 50}.example/page/{n // 4}" for n in number]
    columns: dict[str, object] = {
        "record_id": [f"urn:test:{n}" for n in number],
        "url": urls,
        "url_surtkey": [f"example,s{n % 50})/page/{n // 4}" for n in number],
        "url_host_name": [f"s{n % 50}.example" for n in number],
        "site": [f"s{n % 50}.example" for n in number],
        "fetch_time": np.datetime64("2010-01-01", "us") + number * np.timedelta64(3600, "s"),
        "status": ["annotated"] * CAPTURES,
        "confidence": rng.random(CAPTURES),
        "runs_content": np.ones(CAPTURES, np.int32),
        "runs_boilerplate": np.full(CAPTURES, 1, np.int32),
        "runs_invalid": np.zeros(CAPTURES, np.int32),
        "title": [f"Page number {n}" for n in number],
        "text": [f"What page {n} says of ferries, in few words" for n in number],
    }
    nodes = {
        "record_id": np.repeat(columns["record_id"], 2),
        "node": np.tile([0, 1], CAPTURES),
        "text": [f"text {n}" for n in range(2 * CAPTURES)],
        "bits": ["10000", "11000"] * CAPTURES,
        "label": ["content", "boilerplate"] * CAPTURES,
    }
    for name, schema, known in (("pages", PAGES, columns), ("nodes", NODES, nodes)):
        nothing = [None] * len(known["record_id"])
        table = pa.table({one: known.get(one, nothing) for one in schema.names}, schema)
        pq.write_table(table, folder / name / "harbour.parquet", row_group_size=10_000)
    reseal(folder)
    return folder


@pytest.fixture(scope="module")
def client(large) -> Iterator[FlaskClient]:
    run = open_view(str(large), {})
    yield client_of(run)
    run.tables.close()


def test_it_is_counted_paged_sorted_and_searched(client) -> None:
    assert "50 sites" in client.get("/").text
    shown = {"page=2000": "99,951 to 100,000 of 100,000", "words=page+77123+says": "1 to 1 of 1"}
    shown |= {f"sort={name}": "1 to 50 of 100,000" for name in ("confidence", "change", "time")}
    for asked, told in shown.items():
        assert f"{told} captures" in client.get(f"/captures?{asked}").text, asked


def test_the_runs_of_one_are_read_without_the_others(large, monkeypatch) -> None:
    run = open_view(str(large), {})
    read: list[list[int]] = []
    groups = Parquet.read_row_groups

    def counted(self: Parquet, wanted: list[int]) -> pa.Table:
        read.append(wanted)
        return groups(self, wanted)

    monkeypatch.setattr(Parquet, "read_row_groups", counted)
    rows = run.runs(run.page("urn:test:77123"))
    assert [row["text"] for row in rows] == ["text 154246", "text 154247"]
    assert read == [[15]]
