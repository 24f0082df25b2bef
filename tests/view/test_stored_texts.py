"""The page of a capture with the text that its crawler stored: it says that nobody judged it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from dbce.archive import expand
from dbce.model import Config
from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.run import open_view
from tests.crawls import WAITING, shell, text_record, warc
from tests.runs import whole
from tests.view.visitor import let_in

TIME = "2024-05-06T07:08:09.123Z"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """What asks the view of a run on two shells, of which one holds no text at all."""
    here: Path = tmp_path_factory.mktemp("shells")
    records = warc(shell("ferry"), text_record("ferry"), shell("bus", WAITING), text_record("bus"))
    (here / "crawl.warc.gz").write_bytes(records)
    whole(expand([str(here / "crawl.warc.gz")]), here / "out", Config(method="T002"))
    run = open_view(str(here / "out"), {})
    yield let_in(create_app(run, Guard()))
    run.tables.close()


@pytest.mark.parametrize("name", ["ferry", "bus"])
def test_the_text_is_shown_and_whose_it_is(client: FlaskClient, name: str) -> None:
    text = client.get(f"/capture?id=urn:shell:{name}:{TIME}").text
    assert "<p>The ferry to the island leaves at nine.</p>" in text
    assert "Text stored by the crawler; not classified." in text
    assert f"urn:text:{name}:2024-05-06T07:08:12.000Z" in text
