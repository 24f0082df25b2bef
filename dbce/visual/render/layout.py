"""A page laid out in the browser, collected and drawn."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from dbce.errors import InputError
from dbce.model import Reason
from dbce.visual.render.collected import COLLECT, read_collected
from dbce.visual.render.traffic import Traffic

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession

    from dbce.config import Rendering
    from dbce.model import Capture
    from dbce.visual.render.answers import Answers
    from dbce.visual.render.collected import Collected

STILL = """(async () => {
  await document.fonts.ready;
  await Promise.all(Array.from(document.images, (one) => one.decode().catch(() => null)));
  for (const one of document.getAnimations()) {
    try { one.finish(); } catch { one.cancel(); }
  }
  document.activeElement?.blur();
})()"""
"""Brings what moves to its end, or to its beginning if it has none, and hides the caret."""


@dataclass(frozen=True, slots=True)
class LaidOut:
    """What came of a page in the browser; `screenshot` is a PNG of the whole of it.

    `requests` counts what the page asked for beside itself, `found` those that the archive answered
    without an error.
    """

    collected: Collected
    size: tuple[int, int]
    screenshot: bytes
    requests: int
    found: int
    console_errors: int
    fonts: tuple[str, ...]
    seconds: float


async def lay_out(
    browser: Browser, capture: Capture, answers: Answers, config: Rendering
) -> LaidOut:
    """Lays out a page.

    Raises:
        InputError: the page is beyond a limit, or ends the browser.
        StoreError: a file of the archive cannot be read.
    """
    start = perf_counter()
    context = await browser.new_context(
        viewport={"width": config.width, "height": config.height},
        java_script_enabled=config.scripts,
        service_workers="block",
        accept_downloads=False,
        locale="en-US",
        timezone_id="UTC",
        reduced_motion="reduce",
    )
    try:
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        traffic = Traffic(capture, answers, config)
        main = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        await traffic.watch(session, main)
        await session.send("Page.navigate", {"url": capture.url})
        await traffic.loaded
        world = await session.send("Page.createIsolatedWorld", {"frameId": main})
        number = world["executionContextId"]
        await _evaluated(session, number, STILL)
        size = await _size(session, config)
        collected = read_collected(await _evaluated(session, number, COLLECT))
        screenshot = await _drawn(session, size)
    finally:
        await context.close()
    return LaidOut(
        collected=collected,
        size=size,
        screenshot=screenshot,
        requests=traffic.requests,
        found=traffic.found,
        console_errors=traffic.errors,
        fonts=(),
        seconds=perf_counter() - start,
    )


async def _evaluated(session: CDPSession, world: int, expression: str) -> Any:
    answer = await session.send(
        "Runtime.evaluate",
        {
            "expression": expression,
            "contextId": world,
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    if "exceptionDetails" in answer:
        raise AssertionError(answer["exceptionDetails"])
    return answer["result"].get("value")


async def _size(session: CDPSession, config: Rendering) -> tuple[int, int]:
    box = (await session.send("Page.getLayoutMetrics"))["cssContentSize"]
    width, height = round(box["width"]), round(box["height"])
    if height > config.page_height:
        what = f"{height} pixels high, the limit is {config.page_height}"
        raise InputError(Reason.TOO_HIGH, what)
    return min(width, config.page_height), height


async def _drawn(session: CDPSession, size: tuple[int, int]) -> bytes:
    width, height = size
    answer = await session.send(
        "Page.captureScreenshot",
        {
            "format": "png",
            "captureBeyondViewport": True,
            "optimizeForSpeed": True,
            "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
        },
    )
    return b64decode(answer["data"])
