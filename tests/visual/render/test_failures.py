"""A page that fails costs itself alone: the next one finds a fresh browser."""

from __future__ import annotations

import asyncio

import pytest

from dbce.model import Dropped, Rendering
from dbce.visual.render import layout, renderer
from tests.visual.render.build import got, html, rendered

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("_browser")]

GOOD = got("/good", html("all is well"))


def failing(body: bytes, *records: bytes, config: Rendering | None = None) -> Dropped:
    """What is said of a page between two good ones, which must not notice."""
    first, bad, last = rendered(
        got("/before", html("all is well")), got("/bad", body), GOOD, *records, config=config
    )[:3]
    assert not isinstance(first, Dropped)
    assert not isinstance(last, Dropped)
    assert first.page.texts == last.page.texts
    assert isinstance(bad, Dropped)
    assert (bad.status, bad.stage, bad.url) == ("rejected", "render", "http://harbour.example/bad")
    return bad


def test_a_page_that_is_too_high():
    bad = failing(html("<div style='height:200000px'></div>"))
    assert bad.reason == "too-high"
    assert bad.detail == "1366 x 200000 pixels, the limit is 1366 x 30000"


def test_a_page_that_is_as_large_by_its_width():
    bad = failing(html("<div style='height:20000px;width:20000px'></div>"))
    assert bad.detail == "20000 x 20000 pixels, the limit is 1366 x 30000"


def test_a_page_with_a_thousand_frames():
    bad = failing(html("<iframe src=/frame></iframe>" * 1000))
    assert (bad.reason, bad.detail) == ("too-many-frames", "more than 100 frames")


def test_a_page_with_too_many_requests():
    pictures = "".join(f"<img src=/{n}.png>" for n in range(50))
    bad = failing(html(pictures), config=Rendering(requests=20))
    assert (bad.reason, bad.detail) == ("too-many-requests", "more than 20 requests")


def test_a_page_that_hangs():
    bad = failing(html("<script>for (;;) {}</script>"), config=Rendering(scripts=True, seconds=6))
    assert (bad.reason, bad.detail) == ("too-slow", "not laid out within 6 seconds")


@pytest.mark.parametrize("command", ["Page.crash", "Browser.crash"])
def test_a_page_with_which_its_process_or_the_whole_browser_ends(command, monkeypatch):
    """As by a fault of the browser's own, which is told to end while it lays out the page."""
    real = layout.lay_out

    async def ending(page, capture, *others):
        if capture.url.endswith("/bad"):
            if command == "Page.crash":
                session = await page.context.new_cdp_session(page)
            else:
                session = await page.context.browser.new_browser_cdp_session()
            asyncio.get_running_loop().call_later(0.05, end, session)
        return await real(page, capture, *others)

    def end(session):
        task = asyncio.ensure_future(session.send(command))
        task.add_done_callback(lambda done: done.exception())

    async def drawn(session, size):
        await asyncio.sleep(2)  # by then it has ended
        return b""

    monkeypatch.setattr(renderer, "lay_out", ending)
    monkeypatch.setattr(layout, "_drawn", drawn)
    assert failing(html("x"), config=Rendering(seconds=10)).reason == "crashed"


def test_a_page_that_the_parser_refuses_never_comes_to_the_browser():
    bad = failing(html("<div>" * 1000))
    assert bad.reason == "too-deep"


def test_a_browser_that_has_served_long_is_replaced(monkeypatch):
    monkeypatch.setattr("dbce.visual.render.renderer.PAGES", 2)
    stopped = []
    real = renderer.Renderer._stop

    async def stop(self):
        stopped.append(self._pages)
        await real(self)

    monkeypatch.setattr(renderer.Renderer, "_stop", stop)
    config = Rendering(seconds=60)
    pages = rendered(*(got(f"/{n}", html("same")) for n in range(5)), config=config)
    assert len({one.laid_out.screenshot for one in pages}) == 1
    assert stopped == [2, 2]
