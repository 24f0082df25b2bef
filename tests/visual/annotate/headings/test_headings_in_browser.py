"""Headings marked in a real browser, on pages that were really rendered."""

import json
import shutil

import pytest

from dbce.cli import main
from dbce.model import UsageError
from dbce.visual.annotate.headings.history import read_outlines
from tests.annotate.conftest import desk_at
from tests.browser import suits_everybody
from tests.view.conftest import answered

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(harbour_run, tmp_path_factory):
    """The run on the harbour, with its pages rendered."""
    folder = tmp_path_factory.mktemp("rendered") / "out"
    shutil.copytree(harbour_run, folder)
    archive = harbour_run.with_name("harbour.warc.gz")
    assert main(["render", str(archive), "--out", str(folder), "--jobs", "1"]) == 0
    return folder


@pytest.fixture
def address(folder, tmp_path, windows):
    with desk_at("headings", folder, tmp_path / "headings.jsonl", windows) as address:
        yield address


def press(page, key):
    """Presses a key that says something, and waits until that is saved."""
    with answered(page, "/headings/"):
        page.keyboard.press(key)


def test_a_page_is_labelled_with_keys(page, address, tmp_path):
    page.goto(address)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("link", name="Begin").click()
    page.locator("#chosen g").first.wait_for()
    page.keyboard.press("v")
    shown = page.frame_locator("#frame")
    shown.locator("[data-dbce-chosen]").first.wait_for()

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


def box_of(page, words):
    """The middle of a text's first line on the screenshot, on the screen."""
    at = page.locator("#items li").evaluate_all(
        "(items, words) => items.findIndex(item => item.textContent.includes(words))", words
    )
    x, y, w, h = json.loads(page.locator("#paper").get_attribute("data-boxes") or "")[at][0]
    paper = page.locator("#paper").bounding_box()
    scale = paper["width"] / int(page.locator("#shot").get_attribute("width"))
    return paper["x"] + (x + w / 2) * scale, paper["y"] + (y + h / 2) * scale


def begin(page, address):
    page.goto(f"{address}?by=Anna")
    page.get_by_role("link", name="Begin").click()
    page.locator("#chosen g").first.wait_for()


def test_the_page_is_shown_as_rendered_and_labelled_there(page, address, tmp_path):
    begin(page, address)
    shot = page.locator("#shot")
    assert shot.evaluate("async shot => { await shot.decode(); return shot.naturalWidth; }") == 1366
    assert not page.locator("#frame").is_visible()

    page.mouse.click(*box_of(page, "in the old town"))
    assert "in the old town" in page.locator("#asked").inner_text()
    assert page.locator("#chosen g").count() == 1
    press(page, "2")
    assert page.locator("#boxes .heading text").all_text_contents() == ["2"]

    start, end = box_of(page, "in the old town"), box_of(page, "ferry0")
    page.mouse.move(start[0] - 60, start[1] - 2)
    page.mouse.down()
    page.mouse.move(end[0], end[1] + 2, steps=3)
    assert page.locator("#cursor .region").count() == 1
    page.mouse.up()
    assert page.locator("#items [aria-selected=true]").count() == 2
    page.get_by_label("Kind of site").select_option("news")
    press(page, "b")
    page.locator("#boxes .body").wait_for()
    [outline] = read_outlines(tmp_path / "headings.jsonl")
    assert outline.body.endswith("/div[2]")
    assert [h.level for h in outline.headings] == [2]


def test_the_other_view_is_the_archived_page_and_is_remembered(page, address):
    begin(page, address)
    page.get_by_role("radio", name="As archived").check()
    page.frame_locator("#frame").locator("[data-dbce-chosen]").first.wait_for()
    assert not page.locator("#shot").is_visible()
    page.reload()
    page.frame_locator("#frame").locator("[data-dbce-chosen]").first.wait_for()
    page.keyboard.press("v")
    page.locator("#shot").wait_for()
    assert page.get_by_role("radio", name="As rendered").is_checked()
    assert not page.locator("#frame").is_visible()


def test_the_desk_is_accessible_and_fits_a_phone(page, address):
    begin(page, address)
    for _ in range(2):
        # The archived page is as it was written, with all its faults.
        suits_everybody(page, context={"exclude": [["iframe"]]}, options={"iframes": False})
        page.keyboard.press("v")


def test_a_run_that_was_not_rendered_is_told(harbour_run, tmp_path, windows):
    with (
        pytest.raises(UsageError, match="holds no rendered pages"),
        desk_at("headings", harbour_run, tmp_path / "headings.jsonl", windows),
    ):
        pass
