"""The whole page in a real browser, with mouse, keys and a phone's width; filters of lists stand in rows on a desk."""

import re
from contextlib import closing
from itertools import groupby, pairwise
from urllib.parse import parse_qs, urlsplit

import pytest

from dbce.view.server import start
from tests.browser import suits_everybody
from tests.gate import first
from tests.view.conftest import serve_to
from tests.view.harbour import AD, places, record_id
from tests.view.mutants import CLOBBERING

pytestmark = pytest.mark.browser

FERRY = record_id(2015, "ferry")
EVIL = record_id(2013, "evil")


def in_frame(page, selector: str) -> list[str]:
    """The texts of what fits a selector in the archived page."""
    return page.frame_locator("#frame").locator(selector).all_inner_texts()


def color(page, selector: str, name: str = "color") -> str:
    element = page.frame_locator("#frame").locator(selector).first
    found: str = element.evaluate("(e, name) => getComputedStyle(e)[name]", name)
    return found


def test_from_the_overview_to_the_reason_and_on_to_a_neighbour(page, address) -> None:
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


def test_a_page_is_read_with_the_mouse(page, address) -> None:
    page.goto(f"{address}/capture?id={FERRY}")
    frame = page.frame_locator("#frame")
    frame.locator("h1").wait_for()
    assert page.locator("#frame").evaluate("e => e.style.transform") == ""
    assert not page.locator("button.scale").is_visible()

    page.locator(".runs a", has_text=AD).click()
    frame.locator("[data-dbce-chosen]").wait_for()
    assert in_frame(page, "[data-dbce-chosen]") == [AD]

    word = page.get_by_role("button", name="cross", exact=True)
    word.click()
    about = page.locator("#about-cross")
    assert about.is_visible()
    assert abs(about.bounding_box()["y"] - word.bounding_box()["y"]) < 60
    page.keyboard.press("Escape")
    assert not about.is_visible()


def test_a_page_is_shown_in_five_ways(page, address) -> None:
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


def told_keys(page) -> dict[str, str]:
    """The keys that the list of keys names, which is closed again, each with what it does."""
    page.keyboard.press("?")
    told: dict[str, str] = page.locator("#keys").evaluate(
        """list => Object.fromEntries([...list.querySelectorAll("kbd")].map(
            key => [key.textContent, key.closest("dt").nextElementSibling.textContent]))"""
    )
    page.keyboard.press("Escape")
    return told


def test_keys_do_what_the_mouse_does(page, address) -> None:
    page.goto(f"{address}/capture?id={FERRY}")
    page.frame_locator("#frame").locator("h1").wait_for()
    # It is the last snapshot, and there is no rendering: none is later, and no screenshot.
    assert told_keys(page).keys() == {*"/g?thdx[w12345jkcb"}
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
    page.keyboard.press("g")
    page.wait_for_url(f"{address}/")


@pytest.mark.nightly
def test_keys_can_be_turned_off_and_are_letters_where_one_types(page, address) -> None:
    page.goto(f"{address}/rejects")
    assert told_keys(page).keys() == {*"/g?"}
    page.goto(f"{address}/capture?id={FERRY}")
    page.keyboard.press("/")
    page.keyboard.type("4jg")
    assert page.locator("#quick").input_value() == "4jg"
    page.locator("#quick").blur()
    page.keyboard.press("?")
    page.get_by_label("Single keys are shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("4")
    assert not page.locator("#text").is_visible()


SAYS = {"p": "page", "t": "timeline", "h": "history", "d": "compare", "x": "cross"}
"""The keys of the tabs, with what the list of keys says of each; a run without pictures has no other."""
TABS = {key: f"/{name}?id={FERRY}".replace("page", "capture") for key, name in SAYS.items()}


@pytest.mark.nightly
def test_on_every_tab_keys_lead_to_the_others_and_to_other_snapshots(page, address) -> None:
    page.goto(address + TABS["p"])
    for tab, following in pairwise("ptxdp"):
        others = SAYS.keys() - {tab} - ({"d"} if tab == "t" else set())
        told = told_keys(page)
        assert {key: told.get(key) for key in others} == {key: SAYS[key] for key in others}
        if tab != "d":
            page.keyboard.press("[")
            page.wait_for_url(address + TABS[tab].replace(FERRY, record_id(2013, "ferry")))
            page.keyboard.press("]")
            page.wait_for_url(address + TABS[tab])
        if tab == "x":
            assert {*"[w123jk"} <= told.keys()
        page.keyboard.press(following)
        page.wait_for_url(address + TABS[following])


@pytest.mark.nightly
def test_two_snapshots_are_chosen_and_compared_with_keys(page, address) -> None:
    page.goto(f"{address}/timeline?id={FERRY}")
    for key in "jjakb":  # to the second, which is A, and back to the first, which is B
        page.keyboard.press(key)
    page.keyboard.press("d")
    page.wait_for_url(lambda url: "/compare" in url)
    asked = parse_qs(urlsplit(page.url).query)
    assert asked == {"with": [record_id(2013, "ferry")], "id": [FERRY]}
    old, new = page.frame_locator("#old"), page.frame_locator("#new")
    for side in (old, new):
        side.locator("[data-dbce-change=changed]").first.wait_for()
    new.locator("[data-dbce-change=changed]").last.click()
    old.locator("[data-dbce-chosen]").first.wait_for()
    assert "ferry7 is told" in "".join(old.locator("[data-dbce-chosen]").all_inner_texts())

    page.reload()
    new.locator("[data-dbce-change]").first.wait_for()
    page.keyboard.press("j")
    assert "counted again" in "".join(new.locator("[data-dbce-chosen]").all_inner_texts())
    assert old.locator("[data-dbce-chosen]").count()
    page.keyboard.press("2")
    assert not page.locator(".pair").is_visible()
    one = page.frame_locator("#one")
    one.locator("[data-dbce-chosen]", has_text="counted again").wait_for()
    assert page.locator("#one").is_visible()
    page.keyboard.press("3")
    assert not page.locator("#one").is_visible()
    assert page.locator(".changes [aria-current], .changes li[aria-current]").count() == 1


WIDE = "<!doctype html><style>body{margin:0}div{width:1600px;height:40px}</style><div id=wide>wide</div>"


def test_a_page_fits_the_width_of_its_frame_or_is_shown_as_it_is(page, address) -> None:
    page.route(
        re.compile("/frame\\?"), lambda route: route.fulfill(body=WIDE, content_type="text/html")
    )
    page.goto(f"{address}/capture?id={FERRY}")
    button = page.locator("button.scale")
    button.wait_for()
    holder = page.locator(".fit").bounding_box()
    frame = page.locator("#frame").bounding_box()
    assert abs(frame["width"] - holder["width"]) <= 3
    assert abs(frame["height"] - holder["height"]) <= 3
    inside = page.frame_locator("#frame").locator("#wide")
    assert inside.evaluate("e => e.ownerDocument.documentElement.clientWidth") >= 1600
    assert button.inner_text().startswith("Fitted at 5")
    page.keyboard.press("w")
    assert inside.evaluate("e => e.ownerDocument.documentElement.clientWidth") < 900
    assert "1:1" in button.inner_text()
    page.reload()
    button.get_by_text("Shown 1:1").wait_for()


@pytest.mark.nightly
def test_on_a_phone_why_opens_where_one_tapped(phone, address) -> None:
    phone.goto(f"{address}/capture?id={FERRY}")
    why, frame = phone.locator("#why"), phone.frame_locator("#frame")
    frame.locator("h1").wait_for()
    assert not why.is_visible()
    frame.locator("h1").tap()
    why.locator(".plain-why").wait_for()
    tapped = frame.locator("h1").bounding_box()
    assert 0 < why.bounding_box()["y"] - tapped["y"] < 90
    why.get_by_role("button", name="Close").tap()
    assert not why.is_visible()
    listed = phone.locator(".runs li", has_text=AD)
    listed.locator("a").tap()
    why.locator("blockquote", has_text=AD).wait_for()
    assert listed.locator("#why").is_visible()


@pytest.mark.nightly
def test_on_a_phone_no_table_breaks_names_or_runs_off_the_edge(phone, address) -> None:
    for path in ("/", "/rejects"):
        phone.goto(address + path)
        for cell in phone.locator(".list tbody :is(th, td):not(:empty)").all():
            box = cell.bounding_box()
            assert box["x"] + box["width"] <= 390
            assert box["width"] > 200  # wide enough for words
        for name in phone.locator(".list tbody th a").all():
            assert name.bounding_box()["height"] < 60  # on a line or two


SHOWN_AS = """async () => {
    const dom = await import("/static/dom.js");
    return dom.rootOf(document.getElementById("frame").contentDocument)?.getAttribute("data-dbce-show");
}"""


@pytest.mark.nightly
def test_a_page_whose_parts_are_named_like_methods_is_shown_and_heard(page, address) -> None:
    """Even where the names were not left out of it. Playwright itself cannot look into such a page."""
    named = CLOBBERING.replace("<form ", "<form data-dbce-at=1 ")
    above = f"<div style='position:absolute;z-index:9;inset:0;background:#fff'>{named}</div>"

    def clobbered(route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("</body>", f"{above}</body>"))

    page.route(re.compile("/frame\\?"), clobbered)
    page.goto(f"{address}/capture?id={FERRY}")
    page.wait_for_function(SHOWN_AS)
    assert page.evaluate(SHOWN_AS) == "verdicts"
    box = page.locator("#frame").bounding_box()
    for down in range(60, 400, 40):  # until a form was hit, and not what stands between two
        page.mouse.click(box["x"] + 300, box["y"] + down)
    page.locator(".runs a[data-at='1'][aria-current]").wait_for()
    page.locator("#why .plain-why").wait_for()
    page.keyboard.press("j")
    page.locator(".runs a[data-at='2'][aria-current]").wait_for()


def test_shared_texts_lead_from_one_page_to_the_other(page, address) -> None:
    page.goto(f"{address}/cross?id={FERRY}&with=up")
    cur, other = page.frame_locator("#cur"), page.frame_locator("#other")
    other.locator("[data-dbce-shared]").first.wait_for()
    cur.locator("[data-dbce-shared]", has_text=AD).click()
    assert other.locator("[data-dbce-chosen]").all_inner_texts() == [AD]
    assert cur.get_by_text("ferry7 is told").get_attribute("data-dbce-shared") is None


def test_style_and_pictures_are_those_of_the_archive(page, address) -> None:
    for year, expected in ((2013, "rgb(1, 2, 3)"), (2015, "rgb(4, 5, 6)")):
        page.goto(f"{address}/capture?id={record_id(year, 'ferry')}")
        page.get_by_role("radio", name="Page", exact=True).check()
        page.frame_locator("#frame").locator("h1").wait_for()
        assert color(page, "h1") == expected
        width = page.frame_locator("#frame").locator("img").evaluate("e => e.naturalWidth")
        assert width == 1


def test_a_browser_is_let_in_once_by_the_printed_address(harbour, browser) -> None:
    """The token is then in no address, and no script and no archived page can read it."""
    server = start(str(harbour), places(harbour), "127.0.0.1", 0)
    bare, _, token = server.address.partition("?token=")
    with (
        closing(browser.new_context()) as own,
        closing(browser.new_context()) as other,
        serve_to(server, own) as address,
    ):
        page, shut = own.new_page(), other.new_page()
        page.goto(server.address)
        assert page.url == bare
        page.goto(f"{address}/capture?id={FERRY}")
        page.get_by_role("radio", name="Page", exact=True).check()
        page.frame_locator("#frame").locator("h1").wait_for()
        assert color(page, "h1") == "rgb(4, 5, 6)"  # by a style sheet of the archive
        assert token in str(own.cookies())
        for frame in page.frames:
            assert frame.evaluate("document.cookie") == ""
            assert token not in frame.content()
        shut.goto(page.url)
        assert "Paste the address that dbce printed" in shut.inner_text("body")


def test_an_archived_page_loads_runs_and_sends_nothing(page, address) -> None:
    """Of a picture that is missing there is a box, of its size."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    page.goto(f"{address}/capture?id={EVIL}")
    frame = page.frame_locator("#frame")
    frame.locator("#a1").wait_for()
    missing = frame.locator("img[data-dbce-missing]:not([width])").last
    missing.wait_for()
    assert "not%20in%20the%20archive" in missing.get_attribute("src")
    assert missing.get_attribute("alt").startswith("not in the archive")
    box = missing.bounding_box()
    assert 100 < box["width"] < 250
    assert 20 < box["height"] < 90
    for link in ("#a1", "#a2", "#a3", "button", "td"):
        frame.locator(link).first.click()
    page.wait_for_timeout(300)
    assert page.evaluate("window.hacked") is None
    assert dialogs == []
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(address).netloc}
    own = "view.css keys.js capture.js frame.js fit.js dom.js icon.svg".split()
    allowed = {"/capture", "/frame", "/frame.css", "/resource", "/why"}
    allowed |= {f"/static/{name}" for name in own}
    assert {urlsplit(url).path for url in asked} <= allowed
    assert page.url.startswith(f"{address}/capture?id=")
    assert len(page.frames) == 2


def test_a_frame_opened_by_itself_runs_no_script(page, address) -> None:
    """What is left when sanitising fails: the policy and the sandbox of the answer itself."""

    def unsanitised(route: object) -> None:
        answer = route.fetch()
        hostile = answer.text() + (
            "<script>document.title='stolen'</script><img src=x onerror=\"document.title='stolen'\">"
            "<img src='http://evil.example/'><style>@import 'http://evil.example/';</style>"
            "<meta http-equiv=refresh content='0;url=http://evil.example/'>"
            "<iframe src='http://evil.example/'></iframe>"
        )
        route.fulfill(response=answer, body=hostile)

    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).netloc))
    page.route(re.compile("/frame\\?"), unsanitised)
    page.goto(f"{address}/frame?id={EVIL}")
    page.wait_for_timeout(300)
    assert page.title() != "stolen"
    page.goto(f"{address}/capture?id={EVIL}")
    frame = page.frame_locator("#frame")
    frame.locator("#a1").wait_for()
    page.wait_for_timeout(300)
    assert page.evaluate("document.title") != "stolen"
    assert "stolen" not in frame.locator("body").evaluate("e => e.ownerDocument.title")


PAGES = {
    "overview": "/",
    "captures": "/captures?since=x",
    "capture": f"/capture?id={FERRY}&run=4",
    "why": f"/why?id={FERRY}&run=4",
    "timeline": f"/timeline?id={FERRY}",
    "history": f"/history?id={FERRY}",
    "compare": f"/compare?id={FERRY}",
    "hits": f"/captures?words={AD}&rule=joint&least=0",
    "cross": f"/cross?id={FERRY}&with=prev",
    "templates": "/templates",
    "site": "/site",
    "damage": "/damage",
    "rejects": "/rejects",
    "nothing": "/capture?id=x",
}


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_accessible_and_fits_a_phone(page, address, name) -> None:
    page.goto(address + PAGES[name])
    if name == "capture":
        page.locator("#why table").wait_for()
    # The archived page is as it was written, with all its faults.
    suits_everybody(page, context={"exclude": [["iframe"]]}, options={"iframes": False})


PLACES = """() => [...document.querySelectorAll("main form.search :is(input, select, button)")].map(one => {
    const { x, y, right } = one.getBoundingClientRect();
    return [one.id, Math.round(x), Math.round(y), Math.round(right)];
})"""
"""The filters of a page: id, left edge, upper edge, right edge."""

ROWS = [["words", "place"], ["site", "status", "rule"], "since until least most sort ".split(" ")]


def filters(page, path: str, width: int, height: int) -> list[tuple[str, int, int, int]]:
    """The places of all filters; none sticks out of what is seen."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto(path)
    folded = page.locator("details.more:not([open]) > summary")
    if folded.count() and folded.is_visible():
        folded.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    places: list[tuple[str, int, int, int]] = page.evaluate(PLACES)
    assert all(left >= 0 and right <= width for _, left, _, right in places)
    return places


def rows(places: list[tuple[str, int, int, int]]) -> list[list[str]]:
    """The filters at each height, from above, from the left."""
    by_place = sorted(places, key=lambda place: (place[2], place[1]))
    return [[one[0] for one in row] for _, row in groupby(by_place, key=lambda place: place[2])]


ASKED = pytest.mark.parametrize("asked", first(["?since=x", "", "?words=ferry&most=200"]))


@ASKED
def test_filters_stand_in_three_rows_on_a_desk(page, address, asked) -> None:
    assert rows(filters(page, f"{address}/captures{asked}", 1200, 900)) == ROWS


@ASKED
@pytest.mark.parametrize("width", first([320, 390]))
def test_filters_stand_below_each_other_on_a_phone(page, address, asked, width) -> None:
    places = filters(page, f"{address}/captures{asked}", width, 844)
    singly = [[name] for row in ROWS[:2] for name in row]
    last = [["sort"], [""]]
    assert rows(places) == [*singly, ["since", "until"], ["least", "most"], *last]
    alone = {right - left for name, left, _, right in places if [name] in [*singly, *last]}
    assert len(alone) == 1
    assert min(alone) > 0.8 * width - 10  # of equal width, and as wide as may be


def test_results_are_seen_on_the_first_screen_of_a_phone(phone, address) -> None:
    phone.goto(f"{address}/captures?words=ferry")
    box = phone.locator(".results li").first.bounding_box()
    assert box["y"] + box["height"] < 844
    assert not phone.locator("#site").is_visible()
    phone.goto(f"{address}/captures?words=ferry&since=2013")
    assert phone.locator("#since").is_visible()  # what is asked is not hidden


@pytest.mark.parametrize("path", first(["/captures", "/damage", "/rejects", "/templates", "/site"]))
def test_no_list_scrolls_sideways_on_a_phone(page, address, path) -> None:
    filters(page, address + path, 390, 844)
    for one in page.locator(".filters a").all():
        box = one.bounding_box()
        assert 0 <= box["x"] <= 390 - box["width"]
