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
from dbce.visual.render.devtools import CLOSED, DevtoolsError
from dbce.visual.render.traffic import Traffic

if TYPE_CHECKING:
    from dbce.model import Capture, Rendering
    from dbce.visual.render.answers import Answers
    from dbce.visual.render.collected import Collected
    from dbce.visual.render.devtools import DevtoolsSession
    from dbce.visual.render.tab import Tab

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
    """Page as the browser laid it out; `screenshot` is a PNG of the whole of it, None if none was asked for.

    `size` is that of the document, in CSS pixels. `requests` counts the addresses that the page asked
    for beside its own, `found` those that the archive answered without an error; `style_sheets` and `images`
    are both numbers of these kinds alone.
    """

    collected: Collected
    size: tuple[int, int]
    screenshot: bytes | None
    requests: int
    found: int
    style_sheets: tuple[int, int]
    images: tuple[int, int]
    console_errors: int
    seconds: float


async def lay_out(tab: Tab, capture: Capture, answers: Answers, config: Rendering) -> LaidOut:
    """Lays out a page in a tab, which is empty again afterwards; where scripts ran it is to be closed.

    Raises:
        InputError: the page is beyond a limit, or ends its process.
        StoreError: a file of the archive cannot be read.
        DevtoolsError: the browser has ended.
    """
    start = perf_counter()
    session = await tab.devtools.attached(tab.target)
    traffic = Traffic(capture, answers, config)
    session.on(CLOSED, traffic.crashed)
    steps = asyncio.ensure_future(_steps(tab, session, traffic, capture.url, config))
    try:
        both: set[asyncio.Future[Any]] = {steps, traffic.stopped}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if traffic.stopped.done():
            traffic.stopped.result()
        collected, size, screenshot = steps.result()
    finally:
        steps.cancel()
        traffic.stopped.cancel()
    await tab.devtools.detach(session)
    if not config.scripts:
        # Which waits: nothing of this page may come to the next one. To empty the page costs less, but then
        # the next one is laid out in other steps, and its boxes may depend on what came before it.
        await tab.emptied()
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
    tab: Tab, session: DevtoolsSession, traffic: Traffic, url: str, config: Rendering
) -> tuple[Collected, tuple[int, int], bytes | None]:
    """Load a page and return the data collected of it, its size, and its picture."""
    main = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    await traffic.watch(session, main)
    await _navigated(tab, session, traffic, url)
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
    return collected, size, await _drawn(session, size) if config.pictures else None


async def _navigated(tab: Tab, session: DevtoolsSession, traffic: Traffic, url: str) -> None:
    """Lead the tab to the page, under the first of its addresses that the browser takes."""
    for address in addresses(url):
        traffic.address = address
        # It says that this is no address; if it has ended, the next step says so.
        with suppress(DevtoolsError):
            await session.send("Page.navigate", {"url": address.shown})
        if traffic.begun:
            return
        await tab.emptied()  # what it shows instead is not to be taken for the page


async def _world(session: DevtoolsSession, frame: str) -> int:
    """A world of its own in a frame, where nothing is seen that the page's scripts have changed."""
    return int(
        (await session.send("Page.createIsolatedWorld", {"frameId": frame}))["executionContextId"]
    )


async def _stilled(session: DevtoolsSession, world: int) -> None:
    """Bring what moves to its end, in the page and all its frames; from then on no time passes there."""
    await _evaluated(session, world, STILL)
    tree = (await session.send("Page.getFrameTree"))["frameTree"]
    below = list(tree.get("childFrames", ()))
    while below:
        frame = below.pop()
        below += frame.get("childFrames", ())
        with suppress(DevtoolsError):  # a script has removed it
            await _evaluated(session, await _world(session, frame["frame"]["id"]), STILL)
    # Nor does an animation go on that begins anew when the page is drawn.
    await session.send("Animation.setPlaybackRate", {"playbackRate": 0})


async def _evaluated(session: DevtoolsSession, world: int, expression: str) -> Any:
    how = {"contextId": world, "awaitPromise": True, "returnByValue": True}
    answer = await session.send("Runtime.evaluate", {"expression": expression, **how})
    if "exceptionDetails" in answer:
        raise AssertionError(answer["exceptionDetails"])
    return answer["result"].get("value")


async def _size(session: DevtoolsSession, config: Rendering) -> tuple[int, int]:
    box = (await session.send("Page.getLayoutMetrics"))["cssContentSize"]
    width, height = round(box["width"]), round(box["height"])
    if height > config.page_height or width * height > config.page_height * config.width:
        limit = f"{config.width} x {config.page_height}"
        raise InputError(Reason.TOO_HIGH, f"{width} x {height} pixels, the limit is {limit}")
    return width, height


async def _drawn(session: DevtoolsSession, size: tuple[int, int]) -> bytes:
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
