"""The report on segmentations, in Chromium."""

import pytest

from dbce.visual.evaluate.blocks.report import render
from dbce.visual.render import Picture
from tests.browser import suits_everybody
from tests.visual.evaluate.blocks.test_compared import run
from tests.visual.measure.pages import computed_file, gold_file, worked_page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 360, "height": 740})
    yield context.new_page()
    context.close()


@pytest.fixture
def report(tmp_path, browser):
    """A report with a screenshot of 200 x 400 pixels."""
    blank = browser.new_page(viewport={"width": 200, "height": 400})
    picture = Picture(blank.screenshot(), "image/png")
    blank.close()
    found = run(gold_file(tmp_path), computed_file(tmp_path), rendered=[worked_page()])
    return render(found, "gold.jsonl", lambda page: picture.uri)


def test_the_screenshot_is_as_large_as_the_page_and_below_the_blocks(page, report):
    page.set_content(report)
    assert page.locator("svg use").evaluate(
        "use => { const b = use.getBBox(); return [b.width, b.height]; }"
    ) == [200, 400]
    shown = page.locator("svg rect.gold").first
    drawn = page.locator("svg[role=img]").bounding_box()
    header = shown.bounding_box()
    assert header["y"] - drawn["y"] < 4
    assert header["height"] / drawn["height"] == pytest.approx(40 / 400, abs=0.02)


def test_it_is_accessible_and_fits_a_phone(page, report):
    page.set_content(report)
    suits_everybody(page)
