"""A revisit among the neighbours of a page: it has a row, a time and no texts."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from dbce.archive import expand
from dbce.model import Config
from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.run import open_view
from tests.runs import whole
from tests.site import page, revisit, snapshots, stored
from tests.view.visitor import let_in

FERRY = page("ferry", "20140101000000")


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    again = revisit(FERRY, "20150101", "urn:again", WARC_Refers_To=FERRY.record_id)
    (tmp_path / "x.warc.gz").write_bytes(stored(*snapshots(2014)) + again)
    whole(expand([str(tmp_path / "x.warc.gz")]), tmp_path / "out", Config())
    app = create_app(open_view(str(tmp_path / "out"), {}), Guard(token="secret"))
    return let_in(app)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/capture", {"id": FERRY.record_id}),
        ("/capture", {"id": "urn:again"}),
        ("/cross", {"id": FERRY.record_id, "with": "next"}),
        ("/timeline", {"id": FERRY.record_id}),
        ("/timeline", {"id": "urn:again"}),
    ],
)
def test_every_page_that_shows_it_is_there(
    client: FlaskClient, path: str, query: dict[str, str]
) -> None:
    answer = client.get(path, query_string=query)
    assert answer.status_code == 200, answer.text
    assert "2015" in answer.text


def test_a_snapshot_without_texts_is_compared_with_nothing(client: FlaskClient) -> None:
    for record in ("urn:again", FERRY.record_id):
        text = client.get("/compare", query_string={"id": record}).text
        assert "There is no other" in text
    answer = client.get("/compare", query_string={"id": FERRY.record_id, "with": "urn:again"})
    assert answer.status_code == 404
