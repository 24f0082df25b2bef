"""Pages to mark headings on, those of the harbour as if they had been laid out; and what people say of a page."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest

from dbce.annotate.core.queue import sample
from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.visual.annotate.headings.desk import HeadingDesk, add_headings
from dbce.visual.annotate.headings.history import HEADING_GOLD, Outline
from dbce.visual.headings import GoldHeading, digest
from tests.annotate.conftest import OWN
from tests.annotate.core.notes import opened
from tests.view.conftest import let_in
from tests.visual.pages import HIDDEN, PLAIN, box
from tests.visual.pages import page as laid_out


def heading(*nodes, level=2, optional=False, end=None):
    return GoldHeading(nodes, (), level, optional, digest(f"text of {nodes}"), end)


def says(by, *headings, record_id="page", body="/html/body"):
    about = (record_id, "http://a.example/", "20160101000000", "a")
    return Outline(*about, by, "2026-01-01", "news", body, headings)


TITLE = PLAIN._replace(font_size=32.0, font_weight=700)
LINE = (0, 0, 100, 20)

HEADLINE, PICTURE, STORY, REMARK, FOOTER = range(3, 8)
"""Places of items, behind three of the menu."""


def rendered(run, record_id):
    """A page of the harbour: menu, article with a picture, a hidden text, footer."""
    texts = {row["node"]: "" for row in run.runs(run.page(record_id))}
    for row in run.runs(run.page(record_id)):
        texts[row["node"]] += row["text"]
    *menu, headline, story, remark, unseen, legal = texts.values()
    found = laid_out(
        box("div", LINE, *(box("p", LINE, text) for text in menu)),
        box(
            "div",
            LINE,
            box("h1", LINE, headline, style=TITLE),
            box("img", LINE, alt="The ferry"),
            box("p", LINE, story),
            box("p", LINE, remark),
            box("p", LINE, unseen, style=HIDDEN),
        ),
        box("div", LINE, box("p", LINE, legal)),
    )
    numbered = zip(found.texts, texts, strict=True)
    return replace(found, record_id=record_id, texts=tuple(t._replace(node=n) for t, n in numbered))


@pytest.fixture
def store(tmp_path):
    with opened(tmp_path / "headings.jsonl", HEADING_GOLD) as store:
        yield store


@pytest.fixture
def desk(run, store, monkeypatch):
    monkeypatch.setattr(
        "dbce.visual.annotate.headings.desk.RenderedFolder",
        lambda _: SimpleNamespace(page=partial(rendered, run)),
    )
    return HeadingDesk(run, store, sample(run, "random", 2))


@pytest.fixture
def record_id(desk):
    return desk.queue.tasks("Anna")[0]["page"]["record_id"]


@pytest.fixture
def client(desk):
    app = create_app(desk.run, Guard(token="secret"))
    add_headings(app, desk)
    return let_in(app)


@pytest.fixture
def post(client, record_id):
    """Says something of the first page as Anna, as our own pages do; the answer."""

    def send(what, *items, **more):
        given = {"by": "Anna", "id": record_id, "items": list(items)} | more
        return client.post(f"/headings/{what}", json=given, headers=OWN)

    return send
