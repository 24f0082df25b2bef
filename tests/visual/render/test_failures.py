"""A page that fails costs itself alone: the next one finds a fresh browser."""

import asyncio
import os
import signal
from contextlib import asynccontextmanager

import pytest

from dbce.model import Reject, Rendering, UsageError
from dbce.visual.render import browser, layout, renderer
from tests.gate import first
from tests.site import png_of
from tests.visual.render.build import got, html, rendered, result_of

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("_browser")]

GOOD = got("/good", html("all is well"))


def failing(body, *records, config=None):
    """What is said of a page between two good ones, which must not notice."""
    first, bad, last = rendered(
        got("/before", html("all is well")), got("/bad", body), GOOD, *records, config=config
    )[:3]
    assert not isinstance(first, Reject)
    assert not isinstance(last, Reject)
    assert first.page.texts == last.page.texts
    assert isinstance(bad, Reject)
    assert (bad.status, bad.stage, bad.url) == ("rejected", "render", "http://harbour.example/bad")
    return bad


def grey(side):
    """A square picture with a bit a pixel, which a browser draws with four bytes each."""
    return png_of(side, side, b"\x01\0\0\0\0", bytes(1 + side // 8))


ENDLESS = (
    "<script>a=[];for(;;){b=new ArrayBuffer(5e7);new Uint8Array(b).fill(1);a.push(b)}</script>"
)
PICTURES = "".join(f"<img src=/{n}.png>" for n in range(50))
MUCH = "its browser held more than 600 MB of memory"
HIGH, WIDE = "<div style='height:200000px'>", "<div style='height:20000px;width:20000px'>"
HANGING = "<script>for (;;) {}</script>"
SLOW = {"scripts": True, "seconds": 4}
BEYOND = {
    "too-high": (HIGH, {}, "1366 x 200000 pixels, the limit is 1366 x 30000"),
    "too-high, wide": (WIDE, {}, "20000 x 20000 pixels, the limit is 1366 x 30000"),
    "too-many-requests": (PICTURES, {"requests": 20}, "more than 20 requests"),
    "too-many-frames": ("<iframe src=/frame></iframe>" * 1000, {}, "more than 100 frames"),
    "too-slow": (HANGING, SLOW, "not laid out within 4 seconds"),
    "too-much-memory, script": (ENDLESS, {"scripts": True, "memory": 600}, MUCH),
    "too-much-memory": ("<img src=/large.png width=99 height=99>", {"memory": 600}, MUCH),
}


@pytest.mark.parametrize("name", first(BEYOND, 3))
def test_of_a_page_beyond_a_limit_it_is_told_by_which(name):
    body, limits, detail = BEYOND[name]
    records = [got("/large.png", grey(20_000), "image/png")] if "large.png" in body else []
    bad = failing(html(body), *records, config=Rendering(**limits))
    assert (bad.reason, bad.detail) == (name.partition(",")[0], detail)


def test_a_page_that_the_parser_refuses_never_comes_to_the_browser():
    assert failing(html("<div>" * 2100)).reason == "too-deep"


async def command(tab, name):
    """Have the browser end itself, or what lays out the page in it."""
    session = tab.devtools.browser if name.startswith("Browser") else tab.session
    task = asyncio.ensure_future(session.send(name))
    task.add_done_callback(lambda done: done.exception())


async def killed(tab, kind):
    """End a process of the browser from outside, as the system does where memory ends."""
    told = (await tab.devtools.browser.send("SystemInfo.getProcessInfo"))["processInfo"]
    for process in told:
        if process["type"] == kind:
            os.kill(process["id"], signal.SIGKILL)


ENDS = {"Page.crash": command, "Browser.crash": command, "renderer": killed, "browser": killed}


@pytest.fixture
def ending(monkeypatch):
    """Let something end while a page is laid out, so many times."""

    def prepare(name, times):
        real, left, ended = layout._take_screenshot, [None] * times, []

        async def laid_out(page, capture, *others):
            current[:] = [page, capture.url]
            return await lay_out(page, capture, *others)

        async def drawn(session, size):
            page, url = current
            if url.endswith("/bad") and left:
                left.pop()
                ended.append(name)
                await ENDS[name](page, name)
                await asyncio.sleep(60)  # nothing comes of it any more
            return await real(session, size)

        current = []
        lay_out = renderer.lay_out
        monkeypatch.setattr(renderer, "lay_out", laid_out)
        monkeypatch.setattr(layout, "_take_screenshot", drawn)
        return ended

    return prepare


@pytest.mark.parametrize("name", first(ENDS))
def test_a_page_with_which_its_process_or_the_whole_browser_ends_every_time(name, ending):
    ended = ending(name, 9)
    assert failing(html("x"), config=Rendering(seconds=20)).reason == "crashed"
    assert ended == [name, name]


@pytest.mark.parametrize("name", ["renderer", "browser"])
def test_a_page_is_laid_out_whose_browser_was_ended_from_outside_once(name, ending):
    ended = ending(name, 1)
    (page,) = rendered(got("/bad", html("all is well")), config=Rendering(seconds=20))
    assert not isinstance(page, Reject), page
    assert ended == [name]


@pytest.mark.nightly
def test_the_start_of_the_browser_is_no_time_of_the_page(monkeypatch):
    @asynccontextmanager
    async def late(*given):
        async with browser.start_browser(*given) as it:
            await asyncio.sleep(3)
            yield it

    monkeypatch.setattr(renderer, "start_browser", late)
    page, *_ = rendered(GOOD, config=Rendering(seconds=2.5))
    assert not isinstance(page, Reject), page


@pytest.fixture
def failing_starts(tmp_path):
    """Return a program that ends at once, with a word, so many times, and then is the browser."""

    def program(times):
        started, script = tmp_path / "started", tmp_path / "browser"
        script.write_text(
            f"#!/bin/sh\necho >> {started}\nif [ $(wc -l < {started}) -gt {times} ]; then "
            f'exec {browser.chromium()} "$@"; fi\necho no luck\nexit 1\n'
        )
        script.chmod(0o755)
        return str(script)

    return program


def version(path):
    """What the browser says that it is."""

    async def asked():
        async with browser.start_browser(path, Rendering().memory) as it:
            return (await it.devtools.browser.send("Browser.getVersion"))["product"]

    return result_of(asked())


def test_a_browser_that_ends_as_it_starts_is_started_again(failing_starts):
    assert "Chrom" in version(failing_starts(browser.STARTS - 1))


def test_a_browser_that_never_starts_is_told_with_its_words(failing_starts):
    with pytest.raises(UsageError, match="browser does not start: no luck; there is no Chromium"):
        version(failing_starts(browser.STARTS))


@pytest.mark.nightly
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
