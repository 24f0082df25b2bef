"""A page that was compared with its own snapshots alone: it has a cross without other pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from dbce.archive import expand
from dbce.model import Config
from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.run import Run, open_view
from dbce.view.search import read_search, search
from tests.runs import whole
from tests.site import article, page, stored, story
from tests.view.visitor import let_in

FRONTS = [
    page("", f"{year}0101000000", article("front", story(f"day{year}")))
    for year in (2014, 2015, 2016)
]
FIRST, INNER, _ = (one.record_id for one in FRONTS)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder: Path = tmp_path_factory.mktemp("fronts")
    (folder / "x.warc.gz").write_bytes(stored(*FRONTS))
    whole(expand([str(folder / "x.warc.gz")]), folder / "out", Config())
    opened = open_view(str(folder / "out"), {})
    yield opened
    opened.tables.close()


@pytest.fixture
def client(run: Run) -> FlaskClient:
    app = create_app(run, Guard(token="secret"))
    return let_in(app)


@pytest.mark.parametrize("role", ["prev", "next", ""])
def test_its_cross_shows_it_beside_its_snapshots(client: FlaskClient, role: str) -> None:
    asked = {"id": INNER} | ({"with": role} if role else {})
    answer = client.get("/cross", query_string=asked)
    assert answer.status_code == 200
    assert "of this page stand on the other one too" in answer.text
    assert answer.text.count('empty"><b>') == 2, "there is neither up nor down"


def test_its_texts_say_who_has_them_and_that_no_other_page_was_there(client: FlaskClient) -> None:
    answer = client.get("/why", query_string={"id": INNER, "run": 0})
    assert "also on prev, next, but no other page to compare with" in answer.text
    assert "What pushed the verdict" in answer.text


def test_its_timeline_tells_what_came_and_went(client: FlaskClient) -> None:
    answer = client.get("/timeline", query_string={"id": FIRST})
    assert "<h2>3 " in answer.text
    assert ">snapshots</" in answer.text
    assert "day20150 day20151" in answer.text


def test_the_patterns_do_not_disagree_with_its_verdicts(run: Run) -> None:
    asked = read_search({"sort": "disagreement"}, {"harbour.example": 3})
    rows = search(run.tables, asked).rows
    assert [row["disagreement"] for row in rows] == [None] * 3
