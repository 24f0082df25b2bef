"""Headings marked in a real browser, on pages that were really rendered."""

from __future__ import annotations

import shutil
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from dbce.annotate.headings.outline import read_outlines
from dbce.annotate.server import Asked, serving
from dbce.cli import main
from dbce.model import UsageError
from tests.view.answers import answered

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SERVED = {"host": "127.0.0.1", "port": 0}


@pytest.fixture(scope="module")
def folder(harbour_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run on the harbour, with its pages rendered."""
    folder = tmp_path_factory.mktemp("rendered") / "out"
    shutil.copytree(harbour_run, folder)
    archive = harbour_run.with_name("harbour.warc.gz")
    assert main(["render", str(archive), "--out", str(folder), "--jobs", "1"]) == 0
    return folder


@pytest.fixture
def address(folder: Path, tmp_path: Path) -> Iterator[str]:
    asked = Asked(str(folder), str(tmp_path / "headings.jsonl"), {}, "random", 2)
    with serving("headings", asked, **SERVED) as server:
        Thread(target=server.run, daemon=True).start()
        yield server.address
        server.close()


def press(page: Page, key: str) -> None:
    """Presses a key that says something, and waits until that is saved."""
    with answered(page, "/headings/"):
        page.keyboard.press(key)


def test_a_page_is_labelled_with_keys(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(address)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("link", name="Begin").click()
    shown = page.frame_locator("#frame")
    shown.locator("[data-dbce-chosen]").first.wait_for()

    with page.expect_popup() as opened:
        page.get_by_role("link", name="as it was rendered").click()
    opened.value.locator("img").wait_for()
    assert opened.value.evaluate("document.contentType") == "image/png"

    headline = page.locator("#items li", has_text="in the old town")
    headline.click()
    press(page, "2")
    press(page, "o")
    assert "heading 2, optional" in headline.inner_text()
    assert "".join(shown.locator("[data-dbce-said]").all_inner_texts()).endswith("in the old town")

    page.keyboard.press("Shift+j")
    press(page, "b")
    assert "Say what kind of site it is" in page.get_by_role("alert").inner_text()
    page.get_by_label("Kind of site").select_option("news")
    page.get_by_role("button", name="Content body").click()
    page.get_by_role("link", name="Next page").wait_for()

    shown.get_by_text("I saw the very same thing").click()
    press(page, "1")
    press(page, "z")
    [outline] = read_outlines(tmp_path / "headings.jsonl")
    assert (outline.set, outline.kind, outline.by) == ("harbour", "news", "Anna")
    assert outline.body.endswith("/div[2]")
    assert [(h.level, h.optional) for h in outline.headings] == [(2, True)]


def test_a_run_that_was_not_rendered_is_told(harbour_run: Path, tmp_path: Path) -> None:
    asked = Asked(str(harbour_run), str(tmp_path / "headings.jsonl"), {}, "random", 2)
    with (
        pytest.raises(UsageError, match="holds no rendered pages"),
        serving("headings", asked, **SERVED),
    ):
        pass
