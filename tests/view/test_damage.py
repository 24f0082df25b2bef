"""The page of damaged captures, of a run that has some."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from dbce.archive import expand
from dbce.model import Config
from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.run import open_view
from tests.runs import whole
from tests.site import page, snapshots, stored
from tests.view.visitor import let_in

LOST = "<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """What asks the view of a run with one error."""
    here: Path = tmp_path_factory.mktemp("damaged")
    pages = stored(*snapshots(2014), page("lost", "20150101000000", LOST))
    (here / "site.warc.gz").write_bytes(pages)
    whole(expand([str(here / "site.warc.gz")]), here / "out", Config())
    run = open_view(str(here / "out"), {})
    yield let_in(create_app(run, Guard()))
    run.tables.close()


def test_damaged_captures_are_listed_with_what_shows_it(client: FlaskClient) -> None:
    text = client.get("/damage").text
    assert "http://harbour.example/lost</a>" in text
    assert '<td class="nowrap">error</td><td data-name="What shows it">404</td>' in text
    assert "harbour.example/lost" not in client.get("/damage?kind=parked").text


@pytest.mark.parametrize("page", ["timeline", "history"])
def test_timeline_and_history_say_what_shows_the_damage(client: FlaskClient, page: str) -> None:
    (row,) = map(json.loads, client.get("/damage?format=jsonl").text.splitlines())
    text = client.get(f"/{page}?id={row['record_id']}").text
    assert "an error page that is answered as a page (evidence: 404)" in text


def test_they_are_a_file_too(client: FlaskClient) -> None:
    (line,) = client.get("/damage?format=jsonl").text.splitlines()
    row = json.loads(line)
    assert (row["damage"], row["url"]) == ("error", "http://harbour.example/lost")
