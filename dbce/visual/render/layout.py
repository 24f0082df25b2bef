"""A page laid out in a tab of the browser, collected and drawn."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from dbce.model import InputError, Reason
from dbce.visual.render.address import addresses
from dbce.visual.render.collected import COLLECT, read_collected
from dbce.visual.render.traffic import Traffic

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page

    from dbce.model import Capture, Rendering
    from dbce.visual.render.answers import Answers
    from dbce.visual.render.collected import Collected

COMPLETE = """Promise.all([
  document.fonts.ready,
  ...Array.from(document.images, (one) => one.complete || new Promise((done) => {
    for (const end of ["load", "error"]) one.addEventListener(end, done);
  })),
]).then(() => null)"""
"""Has a value when all fonts and pictures are there.

They are not decoded here: a browser that draws them smaller would do so from what it then has, or not, as
it has drawn them before or after.
"""

PATIENCE = 3.0
"""Seconds to wait for that: a page that leads elsewhere while it is loaded is never complete."""

ANEW = """(() => {
  if (frames.length > document.querySelectorAll("iframe, frame").length) return;
  const root = document.documentElement;
  const [left, top, style] = [scrollX, scrollY, root.getAttribute("style")];
  root.style.setProperty("display", "none", "important");
  root.getBoundingClientRect();
  if (style === null) root.removeAttribute("style"); else root.setAttribute("style", style);
  scrollTo({ left, top, behavior: "instant" });
})()"""
"""Lays the page out from the beginning, now that all is there.

While it is loaded it is laid out in as many steps as it comes in; not all boxes are then where they would be
if it had come in one. Pages in an <object> or <embed> would be loaded again: what holds one stays as it is.
"""

STILL = """(() => {
  for (const one of document.getAnimations()) {
    try { one.finish(); } catch { one.cancel(); }
  }
  document.activeElement?.blur();
  for (const old of document.querySelectorAll("marquee")) {
    const { width, height } = getComputedStyle(old);
    const still = document.createElement("div");
    for (const { name, value } of old.attributes) still.setAttribute(name, value);
    still.setAttribute("dbce-tag", "marquee");
    Object.assign(still.style, { display: "inline-block", overflow: "hidden", width, height });
    still.append(...old.childNodes);
    old.replaceWith(still);
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, ::before, ::after { transition: none !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
})()"""
"""Brings what moves to its end, or to its beginning if it has none, and lets no transition begin any more.

Drawing would begin some: the browser changes the window for that, and back, and each change is one of style.

A marquee, which nothing stops for long, becomes an element that stands where it stood; `collect.js`
knows it by its attribute.
"""


@dataclass(frozen=True, slots=True)
class LaidOut:
    """Page as the browser laid it out; `screenshot` is a PNG of the whole of it.

    `size` is that of the document, in CSS pixels. `requests` counts the addresses that the page asked
    for beside its own, `found` those that the archive answered without an error; `style_sheets` and `images`
    are both numbers of these kinds alone.
    """

    collected: Collected
    size: tuple[int, int]
    screenshot: bytes
    requests: int
    found: int
    style_sheets: tuple[int, int]
    images: tuple[int, int]
    console_errors: int
    seconds: float


async def lay_out(page: Page, capture: Capture, answers: Answers, config: Rendering) -> LaidOut:
    """Lays out a page in a tab, which is empty again afterwards; where scripts ran it is to be closed.

    Raises:
        InputError: the page is beyond a limit, or ends its process.
        StoreError: a file of the archive cannot be read.
        playwright.async_api.Error: the browser has ended.
    """
    start = perf_counter()
    session = await page.context.new_cdp_session(page)
    traffic = Traffic(capture, answers, config)
    page.context.on("close", traffic.crashed)  # with the browser; what waits for it may not be told
    steps = asyncio.ensure_future(_steps(page, session, traffic, capture.url, config))
    try:
        both: set[asyncio.Future[Any]] = {steps, traffic.stopped}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if traffic.stopped.done():
            traffic.stopped.result()
        collected, size, screenshot = steps.result()
    finally:
        page.context.remove_listener("close", traffic.crashed)
        steps.cancel()
        traffic.stopped.cancel()
    await session.detach()
    if not config.scripts:
        # Which waits: nothing of this page may come to the next one. To empty the page costs less, but then
        # the next one is laid out in other steps, and its boxes may depend on what came before it.
        await page.goto("about:blank")
    return LaidOut(
        collected=collected,
        size=size,
        screenshot=screenshot,
        requests=len(traffic.asked),
        found=len(traffic.found),
        style_sheets=traffic.counted("Stylesheet"),
        images=traffic.counted("Image"),
        console_errors=traffic.errors,
        seconds=perf_counter() - start,
    )


async def _steps(
    page: Page, session: CDPSession, traffic: Traffic, url: str, config: Rendering
) -> tuple[Collected, tuple[int, int], bytes]:
    """Load a page and return the data collected of it, its size, and its picture."""
    main = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    await traffic.watch(session, main)
    await _navigated(page, session, traffic, url)
    await traffic.loaded
    if config.scripts:
        await traffic.quiet()
    world = await _world(session, main)
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await _evaluated(session, world, COMPLETE)
    await _evaluated(session, world, ANEW)
    await _stilled(session, world)
    size = await _size(session, config)
    collected = read_collected(await _evaluated(session, world, COLLECT))
    return collected, size, await _drawn(session, size)


async def _navigated(page: Page, session: CDPSession, traffic: Traffic, url: str) -> None:
    """Lead the tab to the page, under the first of its addresses that the browser takes."""
    from playwright.async_api import Error

    for address in addresses(url):
        traffic.address = address
        with suppress(
            Error
        ):  # it says that this is no address; if it has ended, the next step says so
            await session.send("Page.navigate", {"url": address.shown})
        if traffic.begun:
            return
        await page.goto("about:blank")  # what it shows instead is not to be taken for the page


async def _world(session: CDPSession, frame: str) -> int:
    """A world of its own in a frame, where nothing is seen that the page's scripts have changed."""
    return int(
        (await session.send("Page.createIsolatedWorld", {"frameId": frame}))["executionContextId"]
    )


async def _stilled(session: CDPSession, world: int) -> None:
    """Bring what moves to its end, in the page and all its frames; from then on no time passes there."""
    from playwright.async_api import Error

    await _evaluated(session, world, STILL)
    tree = (await session.send("Page.getFrameTree"))["frameTree"]
    below = list(tree.get("childFrames", ()))
    while below:
        frame = below.pop()
        below += frame.get("childFrames", ())
        with suppress(Error):  # a script has removed it
            await _evaluated(session, await _world(session, frame["frame"]["id"]), STILL)
    # Nor does an animation go on that begins anew when the page is drawn.
    await session.send("Animation.setPlaybackRate", {"playbackRate": 0})


async def _evaluated(session: CDPSession, world: int, expression: str) -> Any:
    how = {"contextId": world, "awaitPromise": True, "returnByValue": True}
    answer = await session.send("Runtime.evaluate", {"expression": expression, **how})
    if "exceptionDetails" in answer:
        raise AssertionError(answer["exceptionDetails"])
    return answer["result"].get("value")


async def _size(session: CDPSession, config: Rendering) -> tuple[int, int]:
    box = (await session.send("Page.getLayoutMetrics"))["cssContentSize"]
    width, height = round(box["width"]), round(box["height"])
    if height > config.page_height or width * height > config.page_height * config.width:
        limit = f"{config.width} x {config.page_height}"
        raise InputError(Reason.TOO_HIGH, f"{width} x {height} pixels, the limit is {limit}")
    return width, height


async def _drawn(session: CDPSession, size: tuple[int, int]) -> bytes:
    width, height = size
    answer = await session.send(
        "Page.captureScreenshot",
        {
            "format": "png",
            "captureBeyondViewport": True,
            "optimizeForSpeed": True,  # costs a tenth of the bytes, and saves half the time
            "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
        },
    )
    return b64decode(answer["data"])
