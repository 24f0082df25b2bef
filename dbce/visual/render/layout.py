"""A page laid out in a tab of the browser, then collected and drawn.

A tab is a window of its own size, in a context that shares nothing with others. What is collected (collect.js) becomes
values. Where the browser has ended, all here raises DevtoolsError.
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
"""Features of the reader that style sheets ask for, whatever this machine is set to."""

NO_WORKERS = "if (navigator.serviceWorker) navigator.serviceWorker.register = async () => {}"
"""Service workers would answer for the archive."""


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab, and the session that its settings last as long as; `ended` is set when it has crashed."""

    devtools: Devtools
    context: str
    target: str
    session: DevtoolsSession
    ended: asyncio.Event

    async def clear(self) -> None:
        """Lead the tab to an empty page, and wait until that is there."""
        there = asyncio.get_running_loop().create_future()
        loaded: set[str] = set()

        def on_lifecycle(event: dict[str, Any]) -> None:
            if event["name"] == "load":
                loaded.add(event["loaderId"])
                if awaited in loaded and not there.done():
                    there.set_result(None)

        def on_closed(_: dict[str, Any]) -> None:
            if not there.done():
                there.set_exception(DevtoolsError("the browser has ended"))

        awaited = ""
        with (
            self.session.listening("Page.lifecycleEvent", on_lifecycle),
            self.session.listening("Inspector.targetCrashed", on_closed),
            self.session.listening(CLOSED, on_closed),
        ):
            awaited = (await self.session.send("Page.navigate", {"url": EMPTY})).get("loaderId", "")
            if awaited and awaited not in loaded:
                await there

    async def close(self) -> None:
        own = {"browserContextId": self.context}
        await self.devtools.browser.send("Target.disposeBrowserContext", own)


async def open_tab(devtools: Devtools, config: Rendering) -> Tab:
    browser = devtools.browser
    context = (await browser.send("Target.createBrowserContext"))["browserContextId"]
    of_context = {"browserContextId": context}
    await browser.send("Browser.setDownloadBehavior", {"behavior": "deny", **of_context})
    size = {"width": config.width, "height": config.height}
    created = await browser.send("Target.createTarget", {"url": EMPTY, **size, **of_context})
    target = created["targetId"]
    session = await devtools.attach(target)
    ended = asyncio.Event()
    session.add_listener("Inspector.targetCrashed", lambda _: ended.set())

    def dismiss(event: dict[str, Any]) -> None:
        # A page that asks whether to leave it is left, and other questions have no answer.
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
"""Characters that are kept of an attribute; what is longer is an image written into its address."""


def _script(name: str) -> str:
    return stored_text("dbce.visual.render", name).rstrip()


COLLECT = f"{_script('collect.js')}({json.dumps(KEPT)}, {LONGEST})"
"""The expression whose value is what `read_collected` reads."""

COMPLETE, ANEW, STILL = map(_script, ("complete.js", "anew.js", "still.js"))
"""Scripts that are evaluated before it, in this order; each says what it does."""


@dataclass(frozen=True, slots=True)
class CollectedPage:
    """Layout of a page as the browser has it; `fonts` are those that the texts' styles ask for, sorted.

    `title` is "" if there is none. `is_quirks` says that it is laid out as browsers did before there were standards.
    """

    title: str
    elements: tuple[Element, ...]
    styles: tuple[Style, ...]
    texts: tuple[Text, ...]
    fonts: tuple[str, ...]
    is_quirks: bool


def read_collected(answer: str) -> CollectedPage:
    """Read the browser's answer (JSON); the texts have no numbers yet."""
    found = json.loads(answer)
    return CollectedPage(
        title=_storable(found["title"]),
        elements=_elements(found["elements"]),
        styles=tuple(_style(values) for values in found["styles"]),
        texts=tuple(
            Text(parent, order, _storable(text), tuple(Rect(*rect) for rect in rects), -1)
            for parent, order, text, rects in found["texts"]
        ),
        fonts=tuple(sorted(found["fonts"])),
        is_quirks=found["mode"] == "BackCompat",
    )


def _elements(rows: Sequence[Sequence[Any]]) -> tuple[Element, ...]:
    elements: list[Element] = []
    seen: dict[tuple[int, str], int] = {}
    for parent, order, tag, rect, style, attributes in rows:
        number = seen[parent, tag] = seen.get((parent, tag), 0) + 1
        above = elements[parent].xpath if parent >= 0 else "/html"
        own = xpath_step(tag)
        path = f"{above}/{own}[{number}]" if parent >= 0 else f"{above}/{own}"
        kept = {name: _storable(value) for name, value in attributes.items()}
        elements.append(Element(parent, order, tag, path, rect and Rect(*rect), style, kept))
    return tuple(elements)


def _style(values: Sequence[Any]) -> Style:
    """Return a computed style; lengths come as "12.5px"."""
    font_size, *border = (float(values[n].removesuffix("px")) for n in (5, *range(13, 17)))
    return Style._make((*values[:13], tuple(border), *values[17:]))._replace(
        opacity=float(values[4]), font_size=font_size, font_weight=round(float(values[7]))
    )


def _storable(text: str) -> str:
    """Return a text without halves of characters, which scripts may leave and no table can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


PATIENCE = 3.0
"""Seconds to wait until all is there: a page that leads elsewhere while it is loaded is never complete."""


@dataclass(frozen=True, slots=True)
class LaidOut:
    """Page as the browser laid it out; `screenshot` is a PNG of the whole of it, None if none was asked for.

    `size` is that of the document, in CSS pixels. `requests` counts the addresses that the page asked
    for beside its own, `found` those that the archive answered without an error; `style_sheets` and `images`
    are both numbers of these kinds alone.
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
    """Lay out a page in a tab, which is empty again afterwards; where scripts ran it is to be closed.

    Raises:
        InputError: the page is beyond a limit, or ends its process.
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
        # Which waits: nothing of this page may come to the next one. To empty the page costs less, but then
        # the next one is laid out in other steps, and its boxes may depend on what came before it.
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
    """Load a page and return the data collected of it, its size, and its picture."""
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
    """Lead the tab to the page, under the first of its addresses that the browser takes."""
    for address in addresses(url):
        traffic.address = address
        # It says that this is no address; if it has ended, the next step says so.
        with suppress(DevtoolsError):
            await session.send("Page.navigate", {"url": address.shown})
        if traffic.begun:
            return
        await tab.clear()  # what it shows instead is not to be taken for the page


async def _world(session: DevtoolsSession, frame: str) -> int:
    """Return a world of its own in a frame, where nothing is seen that the page's scripts have changed."""
    world = await session.send("Page.createIsolatedWorld", {"frameId": frame})
    return int(world["executionContextId"])


async def _stop_motion(session: DevtoolsSession, world: int) -> None:
    """Bring what moves to its end, in the page and all its frames; from then on no time passes there."""
    await _evaluate(session, world, STILL)
    tree = (await session.send("Page.getFrameTree"))["frameTree"]
    below = list(tree.get("childFrames", ()))
    while below:
        frame = below.pop()
        below += frame.get("childFrames", ())
        with suppress(DevtoolsError):  # a script has removed it
            await _evaluate(session, await _world(session, frame["frame"]["id"]), STILL)
    # Nor does an animation go on that begins anew when the page is drawn.
    await session.send("Animation.setPlaybackRate", {"playbackRate": 0})


async def _evaluate(session: DevtoolsSession, world: int, expression: str) -> Any:
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


async def _take_screenshot(session: DevtoolsSession, size: tuple[int, int]) -> bytes:
    how = {
        "format": "png",
        "captureBeyondViewport": True,
        "optimizeForSpeed": True,  # costs a tenth of the bytes, and saves half the time
        "clip": {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1},
    }
    return b64decode((await session.send("Page.captureScreenshot", how))["data"])
