"""The requests of a page while it is laid out: each is answered from the archive, or not at all."""

import asyncio
from base64 import b64encode
from time import monotonic
from typing import Any

from dbce.archive import Reply
from dbce.model import Capture, InputError, Reason, Rendering
from dbce.visual.render.answers import Address, Answers
from dbce.visual.render.browser import DevtoolsError, DevtoolsSession

LEFT_OUT = frozenset(
    # What holds only for the way from the archived server.
    "connection content-encoding content-length keep-alive set-cookie strict-transport-security "
    "transfer-encoding".split()
)

NOT_DRAWN = "Media TextTrack EventSource WebSocket Ping Prefetch Manifest Other".split()
"""Kinds of requests that no still picture needs; the other ones are icons of the site."""

QUIET = 0.5  # seconds without a request after which a page with scripts is taken to be complete
PATIENCE = 5.0  # seconds after which it is taken as it is

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
