"""The annotator in a real browser: every operation with the mouse and with keys, on long pages too."""

import re
from dataclasses import replace

import pytest

from dbce.storage import read_json_objects
from dbce.visual.measure import page_of
from tests.annotate.conftest import desk_at
from tests.browser import is_accessible
from tests.site import png
from tests.view.conftest import answered
from tests.visual.annotate.blocks.conftest import OTHER, PAGE, TITLE, WIDE
from tests.visual.pages import box, write_rendered
from tests.visual.pages import page as rendered_page

pytestmark = pytest.mark.browser

LONG = 14_000


@pytest.fixture
def address(rendered, gold, windows):
    with desk_at("blocks", rendered, gold, windows) as address:
        yield address


def begin(page, address, name="Anna", record_id=PAGE):
    page.goto(f"{address}/page?by={name}&id={record_id}")
    page.locator("main[data-ready]").wait_for()
    page.locator("#shot").evaluate("shot => shot.decode()")


def pick(page, address, *points):
    """Begins, and picks the elements at some points as blocks."""
    begin(page, address)
    press(page, "e")
    for x, y in points:
        with answered(page, "/blocks/do"):
            click(page, x, y)


def push(inside, name):
    """Pushes a button, which is answered."""
    button = inside.get_by_role("button", name=name)
    with answered(button.page, "/blocks/do"):
        button.click()


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def told(page, *keys):
    """Presses keys, of which the last is answered."""
    with answered(page, "/blocks/do"):
        press(page, *keys)


def at(page, x, y):
    """Where a pixel of the page is on the screen; it is scrolled there."""
    found = page.evaluate(
        """([x, y]) => {
            const view = document.getElementById("view"), paper = document.getElementById("paper");
            const by = paper.clientWidth / Number(document.getElementById("shot").getAttribute("width"));
            view.scrollTop = Math.max(0, y * by - 100);
            const edge = paper.getBoundingClientRect();
            return [edge.left + x * by, edge.top + y * by];
        }""",
        [x, y],
    )
    return found[0], found[1]


def click(page, x, y):
    page.mouse.move(*at(page, x, y))
    page.mouse.click(*at(page, x, y))


def drag(page, x, y, w, h):
    page.mouse.move(*at(page, x, y))
    page.mouse.down()
    by = page.evaluate("document.getElementById('paper').clientWidth") / WIDE
    here = at(page, x, y)
    page.mouse.move(here[0] + w * by, here[1] + h * by, steps=4)
    with answered(page, "/blocks/do"):
        page.mouse.up()


def blocks(gold):
    return [one for page in read_json_objects(str(gold), page_of) for one in page.blocks]


def places(gold):
    return [tuple(round(value) for value in one.rect or ()) for one in blocks(gold)]


def test_a_box_is_drawn_labelled_and_listed_with_the_mouse(page, address, gold):
    page.goto(address)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("link", name=TITLE).click()
    page.locator("main[data-ready]").wait_for()
    assert page.locator("#blocks li").count() == 0
    page.get_by_role("radio", name="Draw a box").check()
    drag(page, 3, 3, WIDE, 95)
    push(page, "header")
    page.get_by_label("Type").fill("masthead")
    push(page, "Apply")
    page.locator("#blocks li", has_text="1 header · masthead").wait_for()
    (one,) = blocks(gold)
    assert (one.label, one.type, one.origin, one.words) == ("header", "masthead", "drawn", 3)
    assert one.rect is not None
    assert one.rect.w == pytest.approx(WIDE, abs=6)
    assert "23 % of the words" in page.locator("#left").inner_text()


def test_the_smallest_element_under_the_pointer_is_shown_and_picked(page, address, gold):
    begin(page, address)
    press(page, "e")
    page.mouse.move(*at(page, 100, 200))
    shown_at = page.locator("#cursor rect")
    assert [shown_at.get_attribute(name) for name in ("x", "y", "width")] == ["20", "140", "660"]
    with answered(page, "/blocks/do"):
        click(page, 100, 200)
    page.mouse.move(*at(page, 350, 985))  # between the paragraph and the picture: main itself
    press(page, "ArrowLeft")  # the element around it
    told(page, "Enter")
    assert places(gold) == [(0, 120, 1000, 1700), (20, 140, 660, 400)]


@pytest.mark.nightly
def test_two_blocks_are_merged_and_it_is_taken_back_and_done_again(page, address, gold):
    pick(page, address, (100, 200), (100, 600))
    press(page, "Escape")
    click(page, 100, 200)
    page.keyboard.down("Shift")
    click(page, 100, 600)
    page.keyboard.up("Shift")
    told(page, "m")
    assert places(gold) == [(20, 140, 660, 820)]
    told(page, "z")
    assert len(places(gold)) == 2
    told(page, "y")
    assert len(places(gold)) == 1
    press(page, "m")
    page.locator("#failed", has_text="Select two blocks").wait_for()


def test_everything_goes_by_keys_alone(page, address, gold):
    begin(page, address)
    press(page, "e")  # the first element, the header
    told(page, "Enter")
    told(page, "1")
    press(page, "ArrowDown", "ArrowDown", "ArrowDown")  # h1, div, main
    told(page, "Enter")
    told(page, "3")
    press(page, "s", "+", "ArrowDown")
    told(page, "Enter")
    assert [(one.label, round(one.rect.h)) for one in blocks(gold) if one.rect] == [
        ("header", 100),
        ("section", 950),
        ("section", 750),
    ]
    press(page, "Escape", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "Shift+ArrowDown")
    assert page.locator("#what").inner_text() == "Block 2, section and Block 3, section"
    told(page, "m")
    assert len(blocks(gold)) == 2
    press(page, "n", "b", "ArrowDown", "Shift+ArrowRight")
    told(page, "Enter")
    (inner,) = [one for one in blocks(gold) if one.parent]
    assert inner.rect is not None
    assert (round(inner.rect.w), round(inner.rect.h)) == (260 + 80, 120)
    press(page, "o")
    assert page.locator("#what").inner_text().startswith("Block 2")
    told(page, "a")
    assert not any(one.parent for one in blocks(gold))
    press(page, "t")
    page.keyboard.type("story")
    told(page, "Enter")
    assert blocks(gold)[1].type == "story"
    told(page, "Delete")
    assert [one.label for one in blocks(gold)] == ["header"]
    press(page, "?")
    keys = set(page.locator("#keys kbd").all_inner_texts())
    assert {*"beshdoimafrzytcnvw]0123456", "Enter", "Esc", "Del", "↑"} <= keys


TOLD = """() => Object.fromEntries([...document.querySelectorAll("#keys dd")].map(says =>
    [says.textContent, [...says.previousElementSibling.querySelectorAll("kbd")].map(key => key.textContent)]))"""
"""What the list of keys says, with the keys that do it."""

HINTS = """() => [...document.querySelectorAll("main [aria-keyshortcuts]")].map(control =>
    (control.closest("label") ?? control).title)"""
"""What the controls that have keys say."""


def test_all_keys_stand_in_one_list_from_which_the_hints_of_controls_are(page, address):
    begin(page, address)
    assert page.locator("main kbd").count() == 0
    press(page, "?")
    told = {f"{says}: {', '.join(keys)}" for says, keys in page.evaluate(TOLD).items()}
    hints = page.evaluate(HINTS)
    assert len(hints) == 26
    assert set(hints) <= told
    headings = page.locator("#keys h3").all_inner_texts()
    assert headings == ["Select", "Draw, pick, split", "Change", "Label", "View", "All pages"]


@pytest.mark.nightly
def test_the_list_of_keys_stays_open_beside_the_work(page, address, gold):
    begin(page, address)
    keys = page.get_by_role("dialog", name="Keyboard")
    page.locator("#blocks").focus()
    press(page, "?", "e")
    assert keys.is_visible()
    assert page.evaluate("document.activeElement.id") == "blocks"
    told(page, "Enter")  # the keys work as before
    assert len(places(gold)) == 1
    is_accessible(page)
    press(page, "]")
    page.wait_for_url(f"**id={OTHER}")
    keys.wait_for()  # on the next page, too
    press(page, "?")
    assert not keys.is_visible()
    page.reload()
    page.locator("main[data-ready]").wait_for()
    assert not keys.is_visible()
    page.get_by_role("button", name="Keys", expanded=False).click()
    keys.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Keys", expanded=False).wait_for()


@pytest.mark.nightly
def test_a_block_is_held_while_another_is_chosen(page, address, gold):
    pick(page, address, (100, 50), (100, 200), (100, 600))
    press(page, "Escape", "ArrowUp", "ArrowUp", "h", "ArrowDown", "ArrowDown")
    assert page.locator("#what").inner_text() == "Block 1 and Block 3"
    told(page, "m")
    assert len(places(gold)) == 2


@pytest.mark.nightly
def test_a_block_is_split_down_where_it_is_clicked(page, address, gold):
    begin(page, address)
    press(page, "b")
    drag(page, 3, 120, 990, 1700)
    page.get_by_role("radio", name="Split down").check()
    page.mouse.move(*at(page, 710, 400))
    with answered(page, "/blocks/do"):
        click(page, 710, 400)
    (x, _, w, _), (other, *_) = places(gold)
    assert (x, w) == pytest.approx((3, 707), abs=4)
    assert other == pytest.approx(710, abs=4)
    page.get_by_role("radio", name="Split down").focus()
    press(page, "ArrowLeft")  # the radio button before it
    assert page.get_by_role("radio", name="Split across").is_checked()


@pytest.mark.nightly
def test_overlaps_are_asked_for_pair_by_pair(page, address, gold):
    begin(page, address)
    press(page, "b")
    for rect in ((3, 3, 400, 300), (300, 3, 400, 300), (600, 3, 300, 300)):
        drag(page, *rect)
    assert "2 overlaps" in page.locator("#left").inner_text()
    press(page, "r")
    dialog = page.locator("#pair")
    assert re.search(r"Block 1 and Block 2 share \d+ . \d+ px", dialog.inner_text())
    push(dialog, "Keep Block 1 whole")
    dialog.get_by_text("Block 2 and Block 3").wait_for()
    push(dialog, "Merge")
    dialog.wait_for(state="hidden")
    (_, _, w, _), (x, _, rest, _) = places(gold)
    assert x == pytest.approx(3 + w, abs=2)
    assert x + rest == pytest.approx(900, abs=4)


@pytest.mark.nightly
def test_candidates_come_on_request_and_finer_ones_are_found(page, address, gold):
    begin(page, address)
    press(page, "c")
    page.locator("#algorithm").select_option("html5")
    push(page, "Import")
    found = blocks(gold)
    assert {one.origin for one in found} == {"candidate"}
    told(page, "f")
    click(page, 100, 200)
    before = page.locator("#what").inner_text()
    press(page, "i")
    assert page.locator("#what").inner_text() != "" != before
    press(page, "v")
    assert not page.locator("#boxes g").first.is_visible()


@pytest.mark.nightly
def test_a_page_of_14000_pixels_is_drawn_on_from_top_to_bottom(page, tmp_path, gold):
    lines = [box("p", (0, 100 * n, WIDE, 90), f"line {n}") for n in range(140)]
    long = replace(rendered_page(*lines, size=(WIDE, LONG)), record_id=PAGE)
    write_rendered(tmp_path, [long], [png((200, 220, 240), WIDE, LONG)], rows=50)
    with desk_at("blocks", tmp_path, gold, page.context, 1) as address:
        pick(page, address, (500, 13_950), (500, 7_050))
        assert page.locator("#shot").evaluate("shot => shot.naturalHeight") == LONG
        press(page, "w", "Escape", "ArrowDown")  # 1:1, and to the last
        top = page.locator("#view").evaluate("view => view.scrollTop")
    assert places(gold) == [(0, 7000, WIDE, 90), (0, 13_900, WIDE, 90)]
    assert top > 12_000


def test_two_people_agree_and_a_reviewer_chooses(page, address, gold):
    for name in ("Anna", "Ben"):
        begin(page, address, name)
        press(page, "e")
        told(page, "Enter")
        told(page, "1")
    page.goto(f"{address}/review?by=Cleo")
    assert "1.00 B-cubed F" in page.locator(".card").inner_text()
    with answered(page, "/blocks/choose"):
        page.get_by_role("button", name="Ben", exact=True).click()
    page.locator("#said", has_text="blocks of Ben").wait_for()
    assert [one.by for one in blocks(gold)] == ["Ben"]


@pytest.mark.nightly
def test_what_is_not_saved_is_told(page, address):
    begin(page, address)
    page.route("**/blocks/do", lambda route: route.abort())
    press(page, "e", "Enter")
    page.locator("#failed", has_text="dbce label does not answer").wait_for()


def test_the_annotator_is_accessible(page, address):
    for name in ("Anna", "Ben"):
        begin(page, address, name)
        page.locator("#algorithm").select_option("html5")
        push(page, "Import")
    page.locator("#blocks li").first.wait_for()
    is_accessible(page)
    for path in ("", "?by=<", "?by=Anna", "/review?by=Anna", f"/page?by=A&id={OTHER}"):
        page.goto(f"{address}{path}")
        is_accessible(page)


@pytest.mark.nightly
def test_a_phone_needs_no_scrolling_sideways(address, gold, phone):
    page = phone
    begin(page, address)
    page.locator(".modes label", has_text="Pick an element").tap()
    with answered(page, "/blocks/do"):
        page.touchscreen.tap(*at(page, 100, 200))
    assert places(gold) == [(20, 140, 660, 400)]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
