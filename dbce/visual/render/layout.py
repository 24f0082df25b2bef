"""Layout of a page in a tab of the browser, its collection and its screenshot.

A tab is a window of its own size, in a context that shares nothing with others. Collected data (collect.js) become
values. If the browser has ended, all functions raise DevtoolsError.
"""

import asyncio
import json
from base64 import b64decode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from dbce.html import xpath_step
from dbce.model import Capture, InputError, Reason, Rendering, stored_text
from dbce.visual import KEPT, Element, Rect, Style, Text
from dbce.visual.render.answers import Answers, addresses
from dbce.visual.render.browser import CLOSED, Devtools, DevtoolsError, DevtoolsSession
from dbce.visual.render.traffic import Traffic

EMPTY = "about:blank"

MEDIA = {
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "reduce",
    "forced-colors": "none",
    "prefers-contrast": "no-preference",
}
"""User preferences for media queries, whatever the settings of this machine."""

NO_WORKERS = "if (navigator.serviceWorker) navigator.serviceWorker.register = async () => {}"
"""Script that disables service workers, which would answer for the archive."""


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab, with the session that keeps its settings; `ended` is set when it has crashed."""

    devtools: Devtools
    context: str
    target: str
    session: DevtoolsSession
    ended: asyncio.Event

    async def clear(self) -> None:
        """Navigate the tab to an empty page, and wait until that is loaded."""
        is_empty = asyncio.get_running_loop().create_future()
        loaded: set[str] = set()

        def on_lifecycle(event: dict[str, Any]) -> None:
            if event["name"] == "load":
                loaded.add(event["loaderId"])
                if awaited in loaded and not is_empty.done():
                    is_empty.set_result(None)

        def on_closed(_: dict[str, Any]) -> None:
            if not is_empty.done():
                is_empty.set_exception(DevtoolsError("the browser has ended"))

        awaited = ""
        with (
            self.session.listening("Page.lifecycleEvent", on_lifecycle),
            self.session.listening("Inspector.targetCrashed", on_closed),
            self.session.listening(CLOSED, on_closed),
        ):
            awaited = (await self.session.send("Page.navigate", {"url": EMPTY})).get("loaderId", "")
            if awaited and awaited not in loaded:
                await is_empty

    async def close(self) -> None:
        params = {"browserContextId": self.context}
        await self.devtools.browser.send("Target.disposeBrowserContext", params)


async def open_tab(devtools: Devtools, config: Rendering) -> Tab:
    browser = devtools.browser
    context = (await browser.send("Target.createBrowserContext"))["browserContextId"]
    in_context = {"browserContextId": context}
    await browser.send("Browser.setDownloadBehavior", {"behavior": "deny", **in_context})
    size = {"width": config.width, "height": config.height}
    target_info = await browser.send("Target.createTarget", {"url": EMPTY, **size, **in_context})
    target = target_info["targetId"]
    session = await devtools.attach(target)
    ended = asyncio.Event()
    session.add_listener("Inspector.targetCrashed", lambda _: ended.set())

    def dismiss(event: dict[str, Any]) -> None:
        # Leaving a page is confirmed, other dialogs are dismissed.
        accept = {"accept": event["type"] == "beforeunload"}
        answered = asyncio.ensure_future(session.send("Page.handleJavaScriptDialog", accept))
        answered.add_done_callback(lambda done: done.cancelled() or done.exception())

    session.add_listener("Page.javascriptDialogOpening", dismiss)
    for method, params in _settings(config, size):
        await session.send(method, params)
    return Tab(devtools, context, target, session, ended)


def _settings(config: Rendering, size: dict[str, int]) -> tuple[tuple[str, dict[str, Any]], ...]:
    screen = {"screenWidth": config.width, "screenHeight": config.height}
    landscape = {"screenOrientation": {"angle": 0, "type": "landscapePrimary"}}
    metrics = {"mobile": False, "deviceScaleFactor": 1, **landscape, **size, **screen}
    features = [{"name": name, "value": value} for name, value in MEDIA.items()]
    return (
        ("Page.enable", {}),
        ("Inspector.enable", {}),
        ("Page.setLifecycleEventsEnabled", {"enabled": True}),
        ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
        ("Emulation.setDeviceMetricsOverride", metrics),
        ("Emulation.setEmulatedMedia", {"media": "", "features": features}),
        ("Emulation.setLocaleOverride", {"locale": "en-US"}),
        ("Emulation.setTimezoneOverride", {"timezoneId": "UTC"}),
        ("Emulation.setUserAgentOverride", {"userAgent": "", "acceptLanguage": "en-US"}),
        ("Emulation.setScriptExecutionDisabled", {"value": not config.scripts}),
        ("Network.setBypassServiceWorker", {"bypass": True}),
        ("Page.addScriptToEvaluateOnNewDocument", {"source": NO_WORKERS}),
    )


LONGEST = 2_000
"""Maximum characters stored of an attribute; longer ones are images in data URLs."""


def _script(name: str) -> str:
    return stored_text("dbce.visual.render", name).rstrip()


COLLECT = f"{_script('collect.js')}({json.dumps(KEPT)}, {LONGEST})"
"""Expression whose value is the input of `read_collected`."""

COMPLETE, ANEW, STILL = map(_script, ("complete.js", "anew.js", "still.js"))
"""Scripts that are evaluated before it, in this order, documented in their files."""


@dataclass(frozen=True, slots=True)
class CollectedPage:
    """Layout of a page in the browser; `fonts` are those in the styles of texts, sorted.

    `title` is "" if there is none. `is_quirks` is true if it is laid out in quirks mode.
    """

    title: str
    elements: tuple[Element, ...]
    styles: tuple[Style, ...]
    texts: tuple[Text, ...]
    fonts: tuple[str, ...]
    is_quirks: bool


def read_collected(answer: str) -> CollectedPage:
    """Read the browser's answer (JSON); the texts have no numbers yet."""
    layout = json.loads(answer)
    return CollectedPage(
        title=_storable(layout["title"]),
        elements=_elements(layout["elements"]),
        styles=tuple(_style(values) for values in layout["styles"]),
        texts=tuple(
            Text(parent, order, _storable(text), tuple(Rect(*rect) for rect in rects), -1)
            for parent, order, text, rects in layout["texts"]
        ),
        fonts=tuple(sorted(layout["fonts"])),
        is_quirks=layout["mode"] == "BackCompat",
    )


def _elements(rows: Sequence[Sequence[Any]]) -> tuple[Element, ...]:
    elements: list[Element] = []
    counts: dict[tuple[int, str], int] = {}
    for parent, order, tag, rect, style, attributes in rows:
        number = counts[parent, tag] = counts.get((parent, tag), 0) + 1
        parent_path = elements[parent].xpath if parent >= 0 else "/html"
        step = xpath_step(tag)
        path = f"{parent_path}/{step}[{number}]" if parent >= 0 else f"{parent_path}/{step}"
        stored = {name: _storable(value) for name, value in attributes.items()}
        elements.append(Element(parent, order, tag, path, rect and Rect(*rect), style, stored))
    return tuple(elements)


def _style(values: Sequence[Any]) -> Style:
    """Return a computed style; lengths come as "12.5px"."""
    font_size, *border = (float(values[n].removesuffix("px")) for n in (5, *range(13, 17)))
    return Style._make((*values[:13], tuple(border), *values[17:]))._replace(
        opacity=float(values[4]), font_size=font_size, font_weight=round(float(values[7]))
    )


def _storable(text: str) -> str:
    """Return a text without lone surrogates, which scripts may leave and tables cannot store."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


PATIENCE = 3.0
"""Seconds to wait for completion: a page that navigates away while it is loaded is never complete."""


@dataclass(frozen=True, slots=True)
class LaidOut:
    """Page as laid out by the browser; `screenshot` is a PNG of the whole page, None if not requested.

    `size` is that of the document, in CSS pixels. `requests` is the number of requested addresses beside
    its own, `found` that of those answered without an error; `style_sheets` and `images` are both numbers
    for these kinds alone.
    """

    collected: CollectedPage
    size: tuple[int, int]
    screenshot: bytes | None
    requests: int
    found: int
    style_sheets: tuple[int, int]
    images: tuple[int, int]
    console_errors: int
    seconds: float


async def lay_out(tab: Tab, capture: Capture, answers: Answers, config: Rendering) -> LaidOut:
    """Lay out a page in a tab, which is empty again afterwards; with scripts it must be closed.

    Raises:
        InputError: the page exceeds a limit, or crashes its process.
        StoreError: a file of the archive cannot be read.
    """
    start = perf_counter()
    session = await tab.devtools.attach(tab.target)
    traffic = Traffic(capture, answers, config)
    session.add_listener(CLOSED, traffic.on_crash)
    steps = asyncio.ensure_future(_steps(tab, session, traffic, capture.url, config))
    try:
        await asyncio.wait((steps, traffic.stopped), return_when=asyncio.FIRST_COMPLETED)
        if traffic.stopped.done():
            traffic.stopped.result()
        collected, size, screenshot = steps.result()
    finally:
        steps.cancel()
        traffic.stopped.cancel()
    await tab.devtools.detach(session)
    if not config.scripts:
        # Waits, so that nothing of this page leaks into the next one. Emptying the document costs less, but
        # then the next one is laid out in other steps, and its boxes may depend on earlier pages.
        await tab.clear()
    return LaidOut(
        collected=collected,
        size=size,
        screenshot=screenshot,
        requests=len(traffic.requested),
        found=len(traffic.found),
        style_sheets=traffic.request_counts("Stylesheet"),
        images=traffic.request_counts("Image"),
        console_errors=traffic.errors,
        seconds=perf_counter() - start,
    )


async def _steps(
    tab: Tab, session: DevtoolsSession, traffic: Traffic, url: str, config: Rendering
) -> tuple[CollectedPage, tuple[int, int], bytes | None]:
    """Load a page and return its collected data, its size, and its screenshot."""
    main = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    await traffic.watch(session, main)
    await _navigate(tab, session, traffic, url)
    await traffic.loaded
    if config.scripts:
        await traffic.quiet()
    world = await _world(session, main)
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await _evaluate(session, world, COMPLETE)
    await _evaluate(session, world, ANEW)
    await _stop_motion(session, world)
    size = await _size(session, config)
    collected = read_collected(await _evaluate(session, world, COLLECT))
    return collected, size, await _take_screenshot(session, size) if config.pictures else None


async def _navigate(tab: Tab, session: DevtoolsSession, traffic: Traffic, url: str) -> None:
    """Navigate the tab to the page, under the first of its addresses that the browser accepts."""
    for address in addresses(url):
        traffic.address = address
        # The address is invalid; if the browser has ended, the next step raises.
        with suppress(DevtoolsError):
            await session.send("Page.navigate", {"url": address.url})
        if traffic.begun:
            return
        await tab.clear()  # an error page must not be taken for the page


async def _world(session: DevtoolsSession, frame: str) -> int:
    """Return an isolated world in a frame, unaffected by the page's scripts."""
    world = await session.send("Page.createIsolatedWorld", {"frameId": frame})
    return int(world["executionContextId"])


async def _stop_motion(session: DevtoolsSession, world: int) -> None:
    """Finish all animations in the page and its frames, and stop time there."""
    await _evaluate(session, world, STILL)
    tree = (await session.send("Page.getFrameTree"))["frameTree"]
    frames = list(tree.get("childFrames", ()))
    while frames:
        frame = frames.pop()
        frames += frame.get("childFrames", ())
        with suppress(DevtoolsError):  # removed by a script
            await _evaluate(session, await _world(session, frame["frame"]["id"]), STILL)
    # Also stops animations that restart when the page is drawn.
    await session.send("Animation.setPlaybackRate", {"playbackRate": 0})


async def _evaluate(session: DevtoolsSession, world: int, expression: str) -> Any:
    params = {"contextId": world, "awaitPromise": True, "returnByValue": True}
    answer = await session.send("Runtime.evaluate", {"expression": expression, **params})
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


async def _take_screenshot(session: DevtoolsSession, size: tuple[int, int]) -> bytes:
    params = {
        "format": "png",
        "captureBeyondViewport": True,
        "optimizeForSpeed": True,  # costs a tenth of the bytes, and saves half the time
        "clip": {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1},
    }
    return b64decode((await session.send("Page.captureScreenshot", params))["data"])
