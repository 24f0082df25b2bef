"""What is collected of pages: boxes, styles, texts, in all the ways that pages are laid out."""

import asyncio
from io import BytesIO

import pytest
from PIL import Image

from dbce.visual.render import layout
from tests.site import png
from tests.visual.render.build import BLUE, RED, box, got, html, laid_out, rendered

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("_browser")]


def pixel(screenshot, x, y):
    with Image.open(BytesIO(screenshot)) as image:
        return image.convert("RGB").getpixel((x, y))


def test_elements_have_the_boxes_that_their_styles_say():
    shown = (
        "<div id=a style='width:300px;height:50px;margin:10px 0 0 20px;border:1px solid red'></div>"
    )
    others = "<div id=b style='display:none'>hidden</div><p id=c style='margin:0'></p>"
    page = laid_out(html(shown + others))
    assert box(page, "a") == (20, 10, 302, 52)
    assert box(page, "b") is None
    assert box(page, "c") == (0, 62, 1366, 0)
    assert page.page.viewport == (1366, 768)
    assert page.page.size == (1366, 768)


def test_a_page_has_its_title_as_a_browser_shows_it():
    title = "<title>\n The old &amp;  new harbour </title>"
    assert laid_out(html("", title)).laid_out.collected.title == "The old & new harbour"
    assert laid_out(html("none")).laid_out.collected.title == ""
    clobbered = html("<img name=title src=x>", title)
    assert laid_out(clobbered).laid_out.collected.title == "The old & new harbour"


def test_the_tree_is_in_document_order_with_paths_as_the_nodes_of_a_run_have():
    body = "<ul><li>one</li><li id=second>two <b>three</b></li></ul>"
    page = laid_out(html(body)).page
    elements = [(e.tag, e.parent, e.order) for e in page.elements]
    items = [("li", 1, 2), ("li", 1, 4), ("b", 3, 6)]
    assert elements == [("body", -1, 0), ("ul", 0, 1), *items]
    assert page.elements[3].xpath == "/html/body/ul[1]/li[2]"
    assert page.elements[3].attributes == {"id": "second"}
    texts = [(t.text, t.parent, t.order, t.node) for t in page.texts]
    assert texts == [("one", 2, 3, 0), ("two ", 3, 5, 1), ("three", 4, 7, 2)]


def test_a_text_has_a_box_for_each_of_its_lines_and_none_where_it_does_not_show():
    style = "width:200px;font:20px/30px monospace;margin:0"
    page = laid_out(html(f"<p style='{style}'>{'word ' * 40}</p><p hidden>no</p>")).page
    shown, hidden = page.texts
    # Three words of 60 pixels a line.
    places = [(round(rect.x), round(rect.y - shown.rects[0].y)) for rect in shown.rects]
    assert places == [(0, 30 * n) for n in range(14)]
    assert hidden.rects == ()


def test_styles_are_those_that_are_computed():
    css = (
        "float:right;font:italic bold 12px serif;color:#010203;background:#fff;opacity:.5;"
        "text-decoration:underline;border-top:3px solid;position:relative;text-align:center"
    )
    page = laid_out(html(f"<div style='{css}'>x</div>")).page
    style = page.styles[page.elements[1].style]
    assert (style.display, style.floating, style.position) == ("block", "right", "relative")
    assert (style.font_size, style.font_style, style.font_weight) == (12.0, "italic", 700)
    assert (style.text_decoration, style.text_align) == ("underline", "center")
    assert (style.color, style.background_color) == ("rgb(1, 2, 3)", "rgb(255, 255, 255)")
    assert (style.opacity, style.border, style.background_image) == (0.5, (3, 0, 0, 0), False)


def test_what_a_shadow_tree_has_no_slot_for_is_not_shown():
    shadow = "<template shadowrootmode=open><p>in its shadow</p></template>"
    slot = "<template shadowrootmode=open><slot></slot></template>"
    divs = f"<div>{shadow}<p>covered<b>too</b></p></div><div>{slot}<p>in its <b>slot</b></p></div>"
    page = laid_out(html(divs)).page
    named = [one for one in page.elements if one.tag in {"p", "b"}]
    shown = [page.styles[one.style].display for one in named]
    assert shown == ["none", "none", "block", "inline"]
    assert [one.rect is not None for one in named] == [False, False, True, True]
    assert [text.text for text in page.texts if text.rects] == ["in its ", "slot"]


def test_a_page_without_a_doctype_is_laid_out_in_quirks_mode():
    body = b"<body style='margin:0'><div id=a style='width:100'>x</div>"  # a length without unit
    quirks = laid_out(body)
    assert quirks.laid_out.collected.is_quirks
    assert box(quirks, "a")[2] == 100
    standards = laid_out(b"<!doctype html>" + body)
    assert not standards.laid_out.collected.is_quirks
    assert box(standards, "a")[2] == 1366


def test_a_frameset_is_the_root_and_its_frames_are_drawn():
    body = b"<frameset cols='50%,50%'><frame id=l src=/l><frame id=r src=/r></frameset>"
    frames = [got(f"/{n}", html(f"<body bgcolor={c}>")) for n, c in (("l", "red"), ("r", "blue"))]
    page = laid_out(body, *frames)
    assert page.page.elements[0][2:4] == ("frameset", "/html/frameset")
    assert box(page, "r")[0] == pytest.approx(683, abs=4)
    assert pixel(page.laid_out.screenshot, 200, 200) == RED
    assert pixel(page.laid_out.screenshot, 1100, 200) == BLUE


def test_a_page_without_css_or_text_is_laid_out():
    page = laid_out(b"<img src=a.png><img src=gone.png>", got("/a.png", png(RED), "image/png"))
    assert page.page.texts == ()
    assert page.page.elements[1].rect[2:] == (40, 20)
    assert (page.laid_out.requests, page.laid_out.found) == (2, 1)
    assert (page.laid_out.style_sheets, page.laid_out.images) == ((0, 0), (2, 1))
    assert pixel(page.laid_out.screenshot, 20, 20) == RED


def test_right_to_left_and_vertical_writing_are_told_and_laid_out():
    left = "<p dir=rtl style='margin:0'>שלום</p>"
    page = laid_out(html(f"{left}<p style='margin:0;writing-mode:vertical-rl'>縦書き</p>")).page
    first, second = (text.rects[0] for text in page.texts)
    styles = [page.styles[page.elements[text.parent].style] for text in page.texts]
    assert (styles[0].direction, styles[1].writing_mode) == ("rtl", "vertical-rl")
    assert first.x + first.w == pytest.approx(1366)
    assert second.h > second.w


def test_fixed_and_absolute_boxes_are_where_the_document_has_them():
    absolute = (
        "<div id=a style='position:absolute;left:100px;top:2000px;width:10px;height:10px'></div>"
    )
    fixed = "<div id=f style='position:fixed;bottom:0;left:0;width:100px;height:20px'></div>"
    page = laid_out(html(absolute + fixed))
    assert box(page, "a") == (100, 2000, 10, 10)
    assert box(page, "f") == (0, 748, 100, 20)
    assert page.page.size == (1366, 2010)


def test_the_screenshot_is_of_the_whole_page():
    ground = "height:5000px;background:linear-gradient(red 4900px,blue 4900px)"
    page = laid_out(html(f"<div style='{ground}'></div>"))
    with Image.open(BytesIO(page.laid_out.screenshot)) as image:
        assert image.size == page.page.size == (1366, 5000)
    assert pixel(page.laid_out.screenshot, 600, 4890) == RED
    assert pixel(page.laid_out.screenshot, 600, 4910) == BLUE


def test_what_moves_is_drawn_standing_still():
    css = "<style>@keyframes a{to{margin-left:500px}} #a{width:9px;height:9px;animation:a 50s both}</style>"
    body = html("<div id=a></div><marquee>away</marquee>", css)
    one, other = rendered(got("/1", body), got("/2", body))
    assert box(one, "a") == (500, 0, 9, 9)
    assert one.laid_out.screenshot == other.laid_out.screenshot
    assert one.page.texts == other.page.texts


def test_a_page_does_not_see_the_one_before_it():
    visited = html("<style>a:visited{color:red}</style><a href=/1>the first one</a>")
    alone = rendered(got("/2", visited))[0]
    after = rendered(got("/1", html("one")), got("/2", visited))[1]
    assert alone.laid_out.screenshot == after.laid_out.screenshot
    assert alone.page.styles == after.page.styles


def test_a_page_that_would_lead_away_in_a_while_does_not_do_so_in_place_of_the_next(monkeypatch):
    """Its time comes when the next one is waited for, and must not be answered with that one."""
    real = layout.Traffic.watch

    async def slow(self, *given):
        await real(self, *given)
        await asyncio.sleep(2.5 if self._capture.url.endswith("/2") else 0)

    monkeypatch.setattr(layout.Traffic, "watch", slow)
    away = html("first", "<meta http-equiv=refresh content='2;url=/away'>")
    picture = got("/in/a.png", png(RED), "image/png")
    _, after = rendered(got("/", away), got("/in/2", html("<img src=a.png>")), picture)
    assert (after.laid_out.requests, after.laid_out.found) == (1, 1)


def test_a_page_with_a_fragment_is_a_page_of_its_own():
    pages = rendered(got("/a", html("as it was")), got("/a#part", html("as it is")))
    assert [text.text for one in pages for text in one.page.texts] == ["as it was", "as it is"]


def test_a_page_is_not_charged_with_the_errors_of_the_one_before_it():
    frame = "<iframe src=x sandbox=nonsense></iframe>"
    wrong = html(f"<script>x</script><img src='http://[bad'>{frame}")
    first, after = rendered(got("/1", wrong), got("/2", html("right")))
    assert first.laid_out.console_errors > 0
    assert after.laid_out.console_errors == 0


def test_a_transition_that_the_drawing_itself_begins_does_not_show():
    """The browser makes the window another one for a moment, which styles may ask for."""
    css = (
        "<style>#a{height:9px;background:blue}"
        "@media screen and (min-width:481px){#a{background:red;transition:background 9s}}</style>"
    )
    page = laid_out(html("<div id=a></div>", css))
    assert page.page.styles[page.page.elements[1].style].background_color == "rgb(255, 0, 0)"
    assert pixel(page.laid_out.screenshot, 5, 5) == RED


def test_what_moves_in_a_frame_stands_at_its_end():
    css = "@keyframes a{to{background:blue}} body{background:red;animation:a 50s both}"
    frame = got("/frame", html("", f"<style>{css}</style>"))
    page = laid_out(html("<iframe src=/frame style='border:0'></iframe>"), frame)
    assert pixel(page.laid_out.screenshot, 20, 20) == BLUE


def test_a_page_is_laid_out_as_if_it_had_come_in_one_piece(monkeypatch):
    """The browser leaves an empty link where it was before the picture beside it had a size."""
    real = layout.Traffic._answer

    async def late(self, session, main, event):
        if event["resourceType"] == "Image":
            await asyncio.sleep(1)
        await real(self, session, main, event)

    body = html(
        "<div><div><img src=/a.png style='float:left'></div><a id=a></a><p style='margin:0'>x</p></div>"
        "<object data=/a.swf type=application/x-shockwave-flash></object>"
    )
    records = [got("/", body), got("/a.png", png(RED), "image/png")]
    at_once = rendered(*records)[0]
    monkeypatch.setattr(layout.Traffic, "_answer", late)
    in_steps = rendered(*records)[0]
    assert box(at_once, "a")[:2] == (40, 0)
    assert in_steps.page.elements == at_once.page.elements


def test_what_is_fixed_stands_where_a_page_is_scrolled_to():
    """A page whose address names a place in it is scrolled there when it is laid out."""
    high = "<div style='height:3000px'></div>"
    fixed = "<div id=a style='position:fixed;top:0;width:9px;height:9px'></div>"
    (page,) = rendered(got("/a#there", html(f"{fixed}{high}<a id=there></a>{high}")))
    assert box(page, "a") == (0, 3000, 9, 9)


def test_a_page_in_an_object_is_drawn():
    inner = got("/in", html("<body bgcolor=blue>"))
    shown = "<object data=/in type=text/html style='display:block;width:90px;height:90px'></object>"
    page = laid_out(html(shown), inner)
    assert pixel(page.laid_out.screenshot, 50, 50) == BLUE
