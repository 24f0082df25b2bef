"""Two snapshots as people saw them, what changed framed."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.run import open_view
from dbce.view.server import start
from dbce.visual import Rect
from dbce.visual.view.layers import visual_diff
from tests.browser import suits_everybody
from tests.view.harbour import record_id
from tests.view.visitor import let_in, serve_to
from tests.visual.pages import box, page, words
from tests.visual.render.build import png
from tests.visual.stored import write_rendered

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient
    from playwright.sync_api import Page

    from dbce.visual import RenderedPage

OLD, NEW, CLOCKS = record_id(2013, "ferry"), record_id(2015, "ferry"), record_id(2015, "clocks")
SIZE = (1000, 800)
CHANGED, MENU, NOTE = (0, 100, 1000, 80), (0, 0, 1000, 80), (0, 500, 1000, 80)
RUNS = [
    {"node": n, "text": "some words", "start": 0, "end": 9, "label": label}
    for n, label in enumerate(("boilerplate", "content", "boilerplate"))
]


def laid_out(name: str, *texts: tuple[str, tuple[int, ...]]) -> RenderedPage:
    shown = page(
        *(box("div", rect, words(text, (10, rect[1], 900, 20))) for text, rect in texts), size=SIZE
    )
    numbered = tuple(text._replace(node=n) for n, text in enumerate(shown.texts))
    return replace(shown, texts=numbered, record_id=name)


def before() -> RenderedPage:
    return laid_out(OLD, ("home letters", MENU), ("the ferry sails at noon", CHANGED))


def after() -> RenderedPage:
    story = ("the ferry sails at seven", CHANGED)
    return laid_out(NEW, ("home letters", MENU), story, ("by our office", NOTE))


def test_blocks_that_came_and_changed_are_told_from_above_with_their_verdicts() -> None:
    changed, added = visual_diff(before(), after(), RUNS[:2], RUNS).blocks
    assert (changed.kind, changed.is_content) == ("changed", True)
    assert changed.old == changed.new == Rect(*CHANGED)
    assert (added.kind, added.old, added.new) == ("added", None, Rect(*NOTE))
    assert not added.is_content


def test_a_block_went_where_the_later_one_lacks_it() -> None:
    kinds = [one.kind for one in visual_diff(after(), before(), RUNS, RUNS[:2]).blocks]
    assert kinds == ["changed", "removed"]
    assert visual_diff(before(), before(), RUNS[:2], RUNS[:2]).blocks == ()


@pytest.fixture(scope="module")
def rendered(harbour: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of which both snapshots of a page are rendered."""
    folder = tmp_path_factory.mktemp("rendered") / "out"
    shutil.copytree(harbour, folder)
    pictures = [png(colour, *SIZE) for colour in ((240, 240, 255), (255, 240, 240))]
    write_rendered(folder, [before(), after()], pictures)
    return folder


def asking(folder: Path) -> FlaskClient:
    return let_in(create_app(open_view(str(folder), {}), Guard()))


def test_frames_lie_over_both_screenshots(rendered: Path) -> None:
    client = asking(rendered)
    text = client.get("/seen", query_string={"id": NEW, "with": OLD}).text
    assert re.findall(r'<g id="(old|new)-(\d)" class="differs (\w+)', text) == [
        ("old", "1", "changed"),
        ("new", "1", "changed"),
        ("new", "2", "added"),
    ]
    assert '<rect x="0.0" y="500.0" width="1000.0" height="80.0"/>' in text
    for name in (OLD, NEW):
        assert f'src="/screenshot?id={name}"' in text


def test_the_timeline_leads_to_them_where_both_are_rendered(rendered: Path) -> None:
    client = asking(rendered)
    address = f'href="/seen?id={NEW}&amp;with={OLD}"'
    assert address in client.get("/timeline", query_string={"id": NEW}).text
    assert "/seen" not in client.get("/timeline", query_string={"id": CLOCKS}).text


def test_what_is_not_rendered_is_said_and_leads_to_the_texts(rendered: Path, harbour: Path) -> None:
    some = asking(rendered).get("/seen", query_string={"id": CLOCKS}).text
    assert "One of the two could not be rendered" in some
    assert f'href="/compare?id={CLOCKS}&amp;with=' in some
    assert "dbce render INPUT" in asking(harbour).get("/seen", query_string={"id": NEW}).text


@pytest.mark.browser
def test_they_are_accessible_and_fit_a_phone(page: Page, rendered: Path) -> None:
    with serve_to(start(str(rendered), {}, "127.0.0.1", 0), page.context) as address:
        page.goto(f"{address}/seen?id={NEW}&with={OLD}")
        suits_everybody(page)
