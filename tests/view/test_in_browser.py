"""The whole page in a real browser, with mouse, keys and a phone's width."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.view.harbour import AD, record_id

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

FERRY = record_id(2015, "ferry")
EVIL = record_id(2013, "evil")


def in_frame(page: Page, selector: str) -> list[str]:
    """The texts of what fits a selector in the archived page."""
    return page.frame_locator("#frame").locator(selector).all_inner_texts()


def color(page: Page, selector: str, name: str = "color") -> str:
    element = page.frame_locator("#frame").locator(selector).first
    found: str = element.evaluate("(e, name) => getComputedStyle(e)[name]", name)
    return found


def test_from_the_overview_to_the_reason_and_on_to_a_neighbour(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("searchbox", name="Search all captures").fill("ferry")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Ferry in the old town").last.click()
    page.frame_locator("#frame").get_by_text(AD).click()
    why = page.locator("#why")
    why.get_by_text("What pushed the verdict").wait_for()
    assert AD in why.locator("blockquote").inner_text()
    assert why.locator(".pushes tbody tr").count() == 10
    assert page.locator(".runs a[aria-current]").inner_text().find(AD) >= 0
    assert "run=" in page.url
    neighbour = why.locator(".who .on a").first
    neighbour.click()
    page.wait_for_url(lambda url: FERRY not in url)
    page.frame_locator("#frame").locator("[data-dbce-chosen]").wait_for()
    assert in_frame(page, "[data-dbce-chosen]") == [AD]
    assert AD in page.locator("#why blockquote").inner_text()


def test_the_list_leads_to_the_page(page: Page, address: str) -> None:
    page.goto(f"{address}/capture?id={FERRY}")
    page.locator(".runs a", has_text=AD).click()
    page.frame_locator("#frame").locator("[data-dbce-chosen]").wait_for()
    assert in_frame(page, "[data-dbce-chosen]") == [AD]


def test_the_page_is_shown_in_five_ways(page: Page, address: str) -> None:
    page.goto(f"{address}/capture?id={FERRY}")
    ad = page.frame_locator("#frame").get_by_text(AD)
    ad.wait_for()
    assert color(page, ".ad", "backgroundImage").startswith("repeating-linear-gradient")
    page.get_by_role("radio", name="Page", exact=True).check()
    assert color(page, ".ad", "backgroundImage") == "none"
    page.get_by_role("radio", name="Content only", exact=True).check()
    ad.wait_for(state="hidden")
    assert page.frame_locator("#frame").get_by_text("ferry7 is told").is_visible()
    page.get_by_role("radio", name="Text", exact=True).check()
    assert "ferry7 is told" in page.locator("#text").inner_text()
    assert not page.locator("#frame").is_visible()
    page.get_by_role("radio", name="Source", exact=True).check()
    page.locator("#source", has_text='<p class="ad">').wait_for()


def test_keys_do_what_the_mouse_does(page: Page, address: str) -> None:
    page.goto(f"{address}/capture?id={FERRY}")
    page.frame_locator("#frame").locator("h1").wait_for()
    page.keyboard.press("j")
    page.locator("#why blockquote").wait_for()
    page.keyboard.press("c")
    page.locator(".runs .content a[aria-current]").wait_for()
    page.keyboard.press("b")
    page.locator(".runs .boilerplate a[aria-current]").wait_for()
    page.keyboard.press("4")
    assert page.locator("#text").is_visible()
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("[")
    page.wait_for_url(re.compile("2013-0"))
    page.keyboard.press("x")
    page.wait_for_url(re.compile("/cross"))


def test_keys_can_be_turned_off(page: Page, address: str) -> None:
    page.goto(f"{address}/capture?id={FERRY}")
    page.keyboard.press("?")
    page.get_by_label("Single keys are shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("4")
    assert not page.locator("#text").is_visible()


def test_a_text_in_a_search_field_is_no_shortcut(page: Page, address: str) -> None:
    page.goto(f"{address}/capture?id={FERRY}")
    page.keyboard.press("/")
    page.keyboard.type("4jg")
    assert page.locator("#quick").input_value() == "4jg"


def test_shared_texts_lead_from_one_page_to_the_other(page: Page, address: str) -> None:
    page.goto(f"{address}/cross?id={FERRY}&with=up")
    cur, other = page.frame_locator("#cur"), page.frame_locator("#other")
    other.locator("[data-dbce-shared]").first.wait_for()
    cur.locator("[data-dbce-shared]", has_text=AD).click()
    assert other.locator("[data-dbce-chosen]").all_inner_texts() == [AD]
    assert cur.get_by_text("ferry7 is told").get_attribute("data-dbce-shared") is None


def test_style_and_pictures_are_those_of_the_archive(page: Page, address: str) -> None:
    for year, expected in ((2013, "rgb(1, 2, 3)"), (2015, "rgb(4, 5, 6)")):
        page.goto(f"{address}/capture?id={record_id(year, 'ferry')}")
        page.get_by_role("radio", name="Page", exact=True).check()
        page.frame_locator("#frame").locator("h1").wait_for()
        assert color(page, "h1") == expected
        width = page.frame_locator("#frame").locator("img").evaluate("e => e.naturalWidth")
        assert width == 1


def test_an_archived_page_loads_runs_and_sends_nothing(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    page.goto(f"{address}/capture?id={EVIL}")
    frame = page.frame_locator("#frame")
    frame.locator("#a1").wait_for()
    for link in ("#a1", "#a2", "#a3", "button", "td"):
        frame.locator(link).first.click()
    page.wait_for_timeout(300)
    assert page.evaluate("window.hacked") is None
    assert dialogs == []
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(address).netloc}
    assert {urlsplit(url).path for url in asked} <= {
        *("/capture", "/frame", "/frame.css", "/resource", "/why"),
        *(
            f"/static/{name}"
            for name in ("view.css", "keys.js", "capture.js", "frame.js", "icon.svg")
        ),
    }
    assert page.url.startswith(f"{address}/capture?id=")
    assert len(page.frames) == 2


def test_a_frame_opened_by_itself_runs_no_script(page: Page, address: str) -> None:
    """What is left when sanitising fails: the policy and the sandbox of the answer itself."""

    def unsanitised(route: object) -> None:
        answer = route.fetch()  # type: ignore[attr-defined]
        hostile = answer.text() + (
            "<script>document.title='stolen'</script><img src=x onerror=\"document.title='stolen'\">"
            "<img src='http://evil.example/'><style>@import 'http://evil.example/';</style>"
            "<meta http-equiv=refresh content='0;url=http://evil.example/'>"
            "<iframe src='http://evil.example/'></iframe>"
        )
        route.fulfill(response=answer, body=hostile)  # type: ignore[attr-defined]

    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).netloc))
    page.route(re.compile("/frame\\?"), unsanitised)
    page.goto(f"{address}/frame?id={EVIL}")
    page.wait_for_timeout(300)
    assert page.title() != "stolen"
    page.goto(f"{address}/capture?id={EVIL}")
    page.frame_locator("#frame").locator("#a1").wait_for()
    page.wait_for_timeout(300)
    assert page.evaluate("document.title") != "stolen"
    assert "stolen" not in page.frame_locator("#frame").locator("body").evaluate(
        "e => e.ownerDocument.title"
    )


PAGES = {
    "overview": "/",
    "captures": "/captures?since=x",
    "capture": f"/capture?id={FERRY}&run=4",
    "why": f"/why?id={FERRY}&run=4",
    "timeline": f"/timeline?id={FERRY}",
    "cross": f"/cross?id={FERRY}&with=prev",
    "templates": "/templates",
    "rejects": "/rejects",
    "nothing": "/capture?id=x",
}


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_fault_that_axe_finds(
    page: Page, address: str, name: str, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(address + PAGES[name])
    if name == "capture":
        page.locator("#why table").wait_for()
    # The archived page is as it was written, with all its faults.
    found = axe.run(page, context={"exclude": [["iframe"]]}, options={"iframes": False})
    assert found.response["violations"] == [], found.generate_report()


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_needs_no_scrolling_sideways(browser: Browser, address: str, name: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(address + PAGES[name])
    wide = page.evaluate("document.documentElement.scrollWidth")
    context.close()
    assert wide <= 360
