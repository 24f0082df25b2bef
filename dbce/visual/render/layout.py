"""A page laid out in a tab of the browser: its requests answered, then collected and drawn.

A tab is a window of its own size, in a context that shares nothing with others. Each request is answered from the
archive, or not at all. What is collected (collect.js) becomes values. Where the browser has ended, all here raises
DevtoolsError.
"""

import asyncio
import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from time import monotonic, perf_counter
from typing import Any

from dbce.archive import Reply
from dbce.html import xpath_step
from dbce.model import Capture, InputError, Reason, Rendering
from dbce.visual import KEPT, Element, Rect, Style, Text
from dbce.visual.render.answers import Address, Answers, addresses
from dbce.visual.render.browser import CLOSED, Devtools, DevtoolsError, DevtoolsSession

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


LEFT_OUT = frozenset(
    # What holds only for the way from the archived server.
    "connection content-encoding content-length keep-alive set-cookie strict-transport-security "
    "transfer-encoding".split()
)

NOT_DRAWN = "Media TextTrack EventSource WebSocket Ping Prefetch Manifest Other".split()
"""Kinds of requests that no still picture needs; the other ones are icons of the site."""

QUIET = 0.5
"""Seconds without a request after which a page with scripts is taken to be complete."""

TRAFFIC_PATIENCE = 5.0
"""Seconds after which it is taken as it is."""

HTML = ("text/html", "application/xhtml+xml")
"""Media types that a browser lays out as a page; captures of others are sent as text/html."""


class Traffic:
    """Requests of a page, and the answers that it gets.

    `begun` says that the page itself was asked for, and `address` under which one it is.
    """

    def __init__(self, capture: Capture, answers: Answers, config: Rendering) -> None:
        self._capture = capture
        self._answers = answers
        self._config = config
        self.begun = False
        self.address = Address(capture.url)
        self._tasks: set[asyncio.Task[None]] = set()
        self._frames = self._requests = self.errors = 0
        # Addresses, for how often one is asked for depends on what came first.
        # Each with the first kind of request that named it.
        self.asked: dict[str, str] = {}
        self.found: set[str] = set()
        self._changed = monotonic()
        loop = asyncio.get_running_loop()
        self.loaded: asyncio.Future[None] = loop.create_future()
        self.stopped: asyncio.Future[None] = loop.create_future()

    async def watch(self, session: DevtoolsSession, main: str) -> None:
        """Take over all requests of a tab, whose own frame is `main`."""

        def on_paused(event: dict[str, Any]) -> None:
            task = asyncio.ensure_future(self._answer(session, main, event))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        session.add_listener("Fetch.requestPaused", on_paused)
        session.add_listener(
            "Page.loadEventFired", lambda _: self._on_load({"frameId": main}, main)
        )
        # A page that is led elsewhere before it is complete stops there.
        session.add_listener("Page.frameStoppedLoading", lambda event: self._on_load(event, main))
        session.add_listener("Page.frameAttached", self._count_frame)
        session.add_listener("Log.entryAdded", self._count_error)
        session.add_listener("Runtime.exceptionThrown", self._count_error)
        session.add_listener("Inspector.targetCrashed", self.on_crash)
        for domain in ("Page", "Log", "Runtime", "Inspector"):
            await session.send(f"{domain}.enable")
        await session.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})
        # Nothing is taken over from the page before: what is asked for is asked of the archive.
        await session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    async def quiet(self) -> None:
        """Wait until the page asks for nothing more, or long enough."""
        end = monotonic() + TRAFFIC_PATIENCE
        while monotonic() < min(end, self._changed + QUIET):  # noqa: ASYNC110 - time is waited for
            await asyncio.sleep(QUIET / 10)

    async def _answer(self, session: DevtoolsSession, main: str, event: dict[str, Any]) -> None:
        try:
            is_page = event["resourceType"] == "Document" and event["frameId"] == main
            reply = self._page() if is_page else self._resource(event)
            number = {"requestId": event["requestId"]}
            if reply is None:
                await session.send("Fetch.failRequest", {**number, "errorReason": "Aborted"})
            else:
                await session.send("Fetch.fulfillRequest", {**number, **_response_params(reply)})
        except DevtoolsError:  # the page is gone, or does not wait for it any more
            return
        except Exception as e:  # noqa: BLE001 - it is raised where the page is waited for
            self.stop(e)

    def _page(self) -> Reply | None:
        """Return the capture itself, once: what would lead away from it leads nowhere."""
        if self.begun:
            return None
        self.begun = True
        media = self._capture.content_type
        said = media if media.lower().startswith(HTML) else "text/html"
        return Reply(200, (("Content-Type", said),), self._capture.payload, "", None)

    def _resource(self, event: dict[str, Any]) -> Reply | None:
        if event["resourceType"] in NOT_DRAWN or event["request"]["method"] not in ("GET", "HEAD"):
            return None
        self._changed = monotonic()
        self._requests += 1
        if self._requests > self._config.requests:
            what = f"more than {self._config.requests} requests"
            raise InputError(Reason.TOO_MANY_REQUESTS, what)
        url = self.address.archived_url(event["request"]["url"])
        reply = self._answers.answer(url, self._capture.timestamp)
        self.asked.setdefault(url, event["resourceType"])
        if reply is not None and reply.status < 400:
            self.found.add(url)
        return reply

    def request_counts(self, kind: str) -> tuple[int, int]:
        """Numbers of addresses of a kind (`Stylesheet`, `Image`) that were asked for, and of them found."""
        of_kind = {url for url, asked in self.asked.items() if asked == kind}
        return len(of_kind), len(of_kind & self.found)

    def stop(self, error: Exception) -> None:
        """Say that the page is not waited for any more."""
        if not self.stopped.done():
            self.stopped.set_exception(error)

    def _on_load(self, event: dict[str, Any], main: str) -> None:
        if event["frameId"] == main and self.begun and not self.loaded.done():
            self.loaded.set_result(None)

    def _count_frame(self, _: object) -> None:
        self._frames += 1
        if self._frames > self._config.frames:
            self.stop(InputError(Reason.TOO_MANY_FRAMES, f"more than {self._config.frames} frames"))

    def on_crash(self, *_: object) -> None:
        """Say that the page, or the whole browser, has ended."""
        self.stop(InputError(Reason.CRASHED, "what lays it out in the browser has ended"))

    def _count_error(self, event: dict[str, Any]) -> None:
        """An exception, or a line on the console; what the archive does not have is counted elsewhere."""
        entry = event.get("entry", {"level": "error", "source": ""})
        self.errors += entry["level"] == "error" and entry["source"] != "network"


def _response_params(reply: Reply) -> dict[str, Any]:
    kept = ((name, value) for name, value in reply.headers if name.lower() not in LEFT_OUT)
    headers = [{"name": name, "value": value} for name, value in kept]
    body = b64encode(reply.payload).decode()
    return {"responseCode": reply.status, "responseHeaders": headers, "body": body}


LONGEST = 2_000
"""Characters that are kept of an attribute; what is longer is an image written into its address."""

COLLECT = (
    files("dbce.visual.render").joinpath("collect.js").read_text(encoding="utf-8").rstrip()
    + f"({json.dumps(KEPT)}, {LONGEST})"
)
"""The expression whose value is what `read_collected` reads."""


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
        requests=len(traffic.asked),
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
