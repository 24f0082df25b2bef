"""Two rendered pages to draw on, and a gold file that is not there yet."""

import pytest

from dbce.annotate.core.store import AnnotationStore
from dbce.view.app import bare_app
from dbce.view.guard import Guard
from dbce.visual.annotate.blocks.desk import BlockDesk, add_drawing
from dbce.visual.annotate.blocks.pages import Pages, block_gold
from tests.annotate.conftest import OWN
from tests.view.conftest import let_in
from tests.visual.annotate.blocks.drawn import PNG, shown
from tests.visual.pages import write_rendered

PAGE, OTHER = "urn:uuid:page-1", "urn:uuid:page-2"

TITLE = "The old harbour by night"
"""The title of the first page; the other has none."""


@pytest.fixture(scope="session")
def rendered(tmp_path_factory):
    """A folder as `dbce render` leaves it."""
    folder = tmp_path_factory.mktemp("rendered")
    write_rendered(folder, [shown(1), shown(2)], [PNG, PNG], more=[{"title": TITLE}, {}])
    return folder


@pytest.fixture
def pages(rendered):
    return Pages(str(rendered))


@pytest.fixture
def gold(tmp_path):
    return tmp_path / "blocks.jsonl"


@pytest.fixture
def store(gold, pages):
    store = AnnotationStore(gold, block_gold(pages))
    yield store
    store.close()


@pytest.fixture
def desk(pages, store):
    return BlockDesk(pages, store, pages.random_rows(10))


@pytest.fixture
def client(desk):
    """What asks the application without a network; an error in it is an error of the test."""
    app = bare_app(Guard(token="secret"))
    add_drawing(app, desk)
    return let_in(app)


@pytest.fixture
def post(client):
    """Sends an operation of Anna's on the first page as our own page does; the answer."""

    def send(path="/blocks/do", **given):
        return client.post(path, json={"by": "Anna", "id": PAGE} | given, headers=OWN)

    return send
