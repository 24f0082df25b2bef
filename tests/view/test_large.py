"""A run of 100,000 captures is opened and leafed through from its tables as they lie."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from flask.testing import FlaskClient

from dbce.output.rows import NODES, PAGES
from dbce.storage.parquet import Parquet
from dbce.view.run import open_view
from tests.runs import reseal
from tests.view.visitor import client_of

CAPTURES = 100_000


@pytest.fixture(scope="module")
def large(harbour: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
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
    arrays = {name: columns.get(name, [None] * CAPTURES) for name in PAGES.names}
    pq.write_table(
        pa.table(arrays, PAGES), folder / "pages" / "harbour.parquet", row_group_size=10_000
    )
    nodes = {
        "record_id": np.repeat(columns["record_id"], 2),  # type: ignore[arg-type]
        "node": np.tile([0, 1], CAPTURES),
        "text": [f"text {n}" for n in range(2 * CAPTURES)],
        "bits": ["10000", "11000"] * CAPTURES,
        "label": ["content", "boilerplate"] * CAPTURES,
    }
    arrays = {name: nodes.get(name, [None] * 2 * CAPTURES) for name in NODES.names}
    pq.write_table(
        pa.table(arrays, NODES), folder / "nodes" / "harbour.parquet", row_group_size=10_000
    )
    assert json.loads((folder / "run.json").read_text())
    reseal(folder)
    return folder


@pytest.fixture(scope="module")
def client(large: Path) -> Iterator[FlaskClient]:
    run = open_view(str(large), {})
    yield client_of(run)
    run.tables.close()


def test_it_is_counted_and_paged(client: FlaskClient) -> None:
    assert "50 sites" in client.get("/").text
    last = client.get("/captures?page=2000").text
    assert "99,951 to 100,000 of 100,000 captures" in last


@pytest.mark.parametrize("sort", ["confidence", "change", "time"])
def test_it_is_sorted(client: FlaskClient, sort: str) -> None:
    assert "1 to 50 of 100,000" in client.get(f"/captures?sort={sort}").text


def test_one_is_found_by_its_words(client: FlaskClient) -> None:
    assert "1 to 1 of 1 captures" in client.get("/captures?words=page+77123+says").text


def test_the_runs_of_one_are_read_without_the_others(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
