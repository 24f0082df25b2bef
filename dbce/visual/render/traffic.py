"""The requests of a page while it is rendered: each is answered from the archive, or not at all."""

import asyncio
from base64 import b64encode
from time import monotonic
from typing import Any

from dbce.archive import Reply
from dbce.model import Capture, InputError, Reason, Rendering
from dbce.visual.render.answers import Address, Answers
from dbce.visual.render.browser import DevtoolsError, DevtoolsSession

LEFT_OUT = frozenset(
    # Headers that only concern the connection to the archived server.
    "connection content-encoding content-length keep-alive set-cookie strict-transport-security "
    "transfer-encoding".split()
)

NOT_DRAWN = "Media TextTrack EventSource WebSocket Ping Prefetch Manifest Other".split()
"""Kinds of requests that no still picture needs; `Other` are icons of the site."""

QUIET = 0.5  # seconds without a request after which a page with scripts is complete
PATIENCE = 5.0  # seconds after which it is rendered as it is

HTML = ("text/html", "application/xhtml+xml")
"""Media types that a browser renders as a page; captures of others are sent as text/html."""


class Traffic:
    """Requests of a page, and the answers that it gets.

    `begun` is true once the page itself was requested, `address` is its address in the browser.
    """

    def __init__(self, capture: Capture, answers: Answers, config: Rendering) -> None:
        self._capture = capture
        self._answers = answers
        self._config = config
        self.begun = False
        self.address = Address(capture.url)
        self._tasks: set[asyncio.Task[None]] = set()
        self._frames = self._requests = self.errors = 0
        # By address, since the number of requests of each depends on timing;
        # with the kind of its first request.
        self.requested: dict[str, str] = {}
        self.found: set[str] = set()
        self._changed = monotonic()
        loop = asyncio.get_running_loop()
        self.loaded: asyncio.Future[None] = loop.create_future()
        self.stopped: asyncio.Future[None] = loop.create_future()

    async def watch(self, session: DevtoolsSession, main: str) -> None:
        """Intercept all requests of a tab, whose own frame is `main`."""

        def on_paused(event: dict[str, Any]) -> None:
            task = asyncio.ensure_future(self._answer(session, main, event))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        session.add_listener("Fetch.requestPaused", on_paused)
        session.add_listener(
            "Page.loadEventFired", lambda _: self._on_load({"frameId": main}, main)
        )
        # A page that is redirected before it is complete stops there.
        session.add_listener("Page.frameStoppedLoading", lambda event: self._on_load(event, main))
        session.add_listener("Page.frameAttached", self._count_frame)
        session.add_listener("Log.entryAdded", self._count_error)
        session.add_listener("Runtime.exceptionThrown", self._count_error)
        session.add_listener("Inspector.targetCrashed", self.on_crash)
        for domain in ("Page", "Log", "Runtime", "Inspector"):
            await session.send(f"{domain}.enable")
        await session.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})
        # Nothing is cached from earlier pages: every request goes to the archive.
        await session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    async def quiet(self) -> None:
        """Wait until the page has no more requests, or for PATIENCE seconds."""
        end = monotonic() + PATIENCE
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
        except DevtoolsError:  # the page is gone, or no longer waits for it
            return
        except Exception as e:  # noqa: BLE001 - raised where the page is awaited
            self.stop(e)

    def _page(self) -> Reply | None:
        """Return the capture itself, once: later navigation is refused."""
        if self.begun:
            return None
        self.begun = True
        media = self._capture.content_type
        content_type = media if media.lower().startswith(HTML) else "text/html"
        return Reply(200, (("Content-Type", content_type),), self._capture.payload, "", None)

    def _resource(self, event: dict[str, Any]) -> Reply | None:
        if event["resourceType"] in NOT_DRAWN or event["request"]["method"] not in ("GET", "HEAD"):
            return None
        self._changed = monotonic()
        self._requests += 1
        if self._requests > self._config.requests:
            detail = f"more than {self._config.requests} requests"
            raise InputError(Reason.TOO_MANY_REQUESTS, detail)
        url = self.address.archived_url(event["request"]["url"])
        reply = self._answers.answer(url, self._capture.timestamp)
        self.requested.setdefault(url, event["resourceType"])
        if reply is not None and reply.status < 400:
            self.found.add(url)
        return reply

    def request_counts(self, kind: str) -> tuple[int, int]:
        """Return the numbers of addresses of a kind (`Stylesheet`, `Image`) that were requested, and found."""
        urls = {url for url, request_kind in self.requested.items() if request_kind == kind}
        return len(urls), len(urls & self.found)

    def stop(self, error: Exception) -> None:
        """Stop waiting for the page, with an error."""
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
        """Stop, since the page, or the whole browser, has ended."""
        self.stop(InputError(Reason.CRASHED, "what lays it out in the browser has ended"))

    def _count_error(self, event: dict[str, Any]) -> None:
        """Count an exception, or an error on the console; missing resources are counted elsewhere."""
        entry = event.get("entry", {"level": "error", "source": ""})
        self.errors += entry["level"] == "error" and entry["source"] != "network"


def _response_params(reply: Reply) -> dict[str, Any]:
    headers_kept = ((name, value) for name, value in reply.headers if name.lower() not in LEFT_OUT)
    headers = [{"name": name, "value": value} for name, value in headers_kept]
    body = b64encode(reply.payload).decode()
    return {"responseCode": reply.status, "responseHeaders": headers, "body": body}
