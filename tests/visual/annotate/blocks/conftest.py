"""Blocks, two rendered pages to draw them on, and a gold file that is not there yet."""

from dataclasses import replace
from typing import Any

import pytest

from dbce.view.app import bare_app
from dbce.view.guard import Guard
from dbce.visual import Rect, RenderedPage
from dbce.visual.annotate.blocks.desk import BlockDesk, add_drawing
from dbce.visual.annotate.blocks.pages import Pages, block_gold
from dbce.visual.measure import MarkedBlock
from tests.annotate.conftest import OWN
from tests.annotate.core.notes import opened
from tests.site import png
from tests.view.conftest import let_in
from tests.visual.pages import box, page, write_rendered

PAGE, OTHER = "urn:uuid:page-1", "urn:uuid:page-2"

TITLE = "The old harbour by night"
"""The title of the first page; the other has none."""

AT = "2026-05-24T02:48:00Z"
WIDE, HIGH = 1000, 2000
PNG = png((230, 230, 230), WIDE, HIGH)


def block(name: str, *rect: float, parent: str = "", **more: Any) -> MarkedBlock:
    """A block, of the XPath /NAME unless told otherwise."""
    given = {"xpaths": (f"/{name}",)} | more
    return MarkedBlock(name, parent, Rect(*rect) if rect else Rect(0, 0, 10, 10), **given)


def shown(number: int = 1) -> RenderedPage:
    """A header, two columns of text, a picture, and an element that nobody sees."""
    story = (
        box("p", (20, 140, 660, 400), "one two three four"),
        box("p", (20, 560, 660, 400), "five six seven eight"),
        box("img", (20, 1000, 300, 300)),
    )
    aside = box("aside", (720, 120, 280, 1700), box("p", (730, 140, 260, 100), "nine ten"))
    made = page(
        box("header", (0, 0, WIDE, 100), box("h1", (20, 20, 300, 60), "The old harbour")),
        box("div", (0, 120, WIDE, 1700), box("main", (0, 120, 700, 1700), *story), aside),
        box("div", (0, 1850, WIDE, 100)),
        size=(WIDE, HIGH),
    )
    url = f"http://harbour.example/{number}"
    return replace(made, record_id=f"urn:uuid:page-{number}", url=url)


def element(rendered: RenderedPage, tag: str, nth: int = 0) -> int:
    """The place of an element by its tag."""
    return [n for n, one in enumerate(rendered.elements) if one.tag == tag][nth]


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
    with opened(gold, block_gold(pages)) as store:
        yield store


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
