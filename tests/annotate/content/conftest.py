"""A finished run to label: a small site, with something hidden and something that readers wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dbce.annotate.content.book import Book
from dbce.annotate.content.desk import Desk
from dbce.annotate.content.routes import add_label_mode
from dbce.annotate.content.sample import sample
from dbce.archive import expand
from dbce.model import Config
from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.run import open_view
from tests.runs import whole
from tests.site import TOPICS, article, page, stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flask.testing import FlaskClient

    from dbce.view.run import Run

HIDDEN = "Nobody sees this text about cookies"
REMARK = "I saw the very same thing from my window!"


def labelled_page(topic: str, year: int):
    html = article(topic).replace(
        '<div class="foot">',
        f'<p class="remark">{REMARK}</p><div style="display:none"><p>{HIDDEN}</p></div>'
        '<div class="foot">',
    )
    return page(topic, f"{year}0101000000", html)


@pytest.fixture(scope="session")
def harbour_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run on four pages at two times."""
    folder = tmp_path_factory.mktemp("to-label")
    archive = folder / "harbour.warc.gz"
    archive.write_bytes(stored(*(labelled_page(t, y) for y in (2013, 2015) for t in TOPICS)))
    whole(expand([str(archive)]), folder / "out", Config())
    return folder / "out"


@pytest.fixture(scope="session")
def run(harbour_run: Path) -> Run:
    return open_view(str(harbour_run), {})


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    book = Book(tmp_path / "gold.jsonl")
    yield book
    book.close()


@pytest.fixture
def desk(run: Run, book: Book) -> Desk:
    return Desk(run, book, sample(run, "random", 3))


@pytest.fixture
def client(desk: Desk) -> FlaskClient:
    """What asks the application without a network; an error in it is an error of the test."""
    guard = Guard(token="secret")
    app = create_app(desk.run, guard)
    add_label_mode(app, desk)
    app.testing = True
    return app.test_client()


@pytest.fixture
def post(client: FlaskClient) -> Callable:
    """Sends a change as our own pages do; the answer."""

    def send(path: str, **given: object):
        own = {"Origin": "http://localhost", "X-Dbce-Token": "secret"}
        return client.post(path, json=given, headers=own)

    return send
