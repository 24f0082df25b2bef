"""The requests of a page while it is laid out: each answered from the archive, or by nothing."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from dbce.archive import Reply
from dbce.errors import InputError
from dbce.model import Reason

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

    from dbce.config import Rendering
    from dbce.model import Capture
    from dbce.visual.render.answers import Answers

LEFT_OUT = frozenset(
    # What holds only for the way from the archived server.
    "connection content-encoding content-length keep-alive set-cookie strict-transport-security "
    "transfer-encoding".split()
)

NOT_DRAWN = frozenset({"Media", "TextTrack", "EventSource", "WebSocket", "Ping", "Prefetch"})
"""Kinds of requests that no still picture needs."""

HTML = ("text/html", "application/xhtml+xml")


class Traffic:
    """What a page asks for, and what it gets."""

    def __init__(self, capture: Capture, answers: Answers, config: Rendering) -> None:
        self._capture = capture
        self._answers = answers
        self._config = config
        self._begun = False
        self._frames = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self.requests = self.found = self.errors = 0
        self.loaded: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def watch(self, session: CDPSession, main: str) -> None:
        """Takes over all requests of a tab, whose own frame is `main`."""

        def paused(event: dict[str, Any]) -> None:
            task = asyncio.ensure_future(self._answer(session, main, event))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        session.on("Fetch.requestPaused", paused)
        session.on("Page.loadEventFired", lambda _: self._is_loaded())
        session.on("Page.frameAttached", lambda _: self._attached())
        session.on("Log.entryAdded", self._logged)
        session.on("Runtime.exceptionThrown", lambda _: self._thrown())
        session.on("Inspector.targetCrashed", lambda _: self._crashed())
        for domain in ("Page", "Log", "Runtime", "Inspector"):
            await session.send(f"{domain}.enable")
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    async def _answer(self, session: CDPSession, main: str, event: dict[str, Any]) -> None:
        from playwright.async_api import Error

        try:
            is_page = event["resourceType"] == "Document" and event["frameId"] == main
            reply = self._page() if is_page else self._resource(event)
            number = {"requestId": event["requestId"]}
            if reply is None:
                await session.send("Fetch.failRequest", {**number, "errorReason": "Aborted"})
            else:
                await session.send("Fetch.fulfillRequest", {**number, **_fulfilled(reply)})
        except Error:  # the page is gone, or does not wait for it any more
            return
        except Exception as e:  # noqa: BLE001 - it is raised where the page is waited for
            self.stop(e)

    def _page(self) -> Reply | None:
        """The capture itself, once: what would lead away from it leads nowhere."""
        if self._begun:
            return None
        self._begun = True
        media = self._capture.content_type
        said = media if media.lower().startswith(HTML) else "text/html"
        return Reply(200, (("Content-Type", said),), self._capture.payload, "", None)

    def _resource(self, event: dict[str, Any]) -> Reply | None:
        if event["resourceType"] in NOT_DRAWN or event["request"]["method"] not in ("GET", "HEAD"):
            return None
        self.requests += 1
        if self.requests > self._config.requests:
            what = f"more than {self._config.requests} requests"
            raise InputError(Reason.TOO_MANY_REQUESTS, what)
        reply = self._answers.answer(event["request"]["url"], self._capture.timestamp)
        self.found += reply is not None and reply.status < 400
        return reply

    def stop(self, error: Exception) -> None:
        """Ends the wait for the page."""
        if not self.loaded.done():
            self.loaded.set_exception(error)

    def _is_loaded(self) -> None:
        if self._begun and not self.loaded.done():
            self.loaded.set_result(None)

    def _attached(self) -> None:
        self._frames += 1
        if self._frames > self._config.frames:
            self.stop(InputError(Reason.TOO_MANY_FRAMES, f"more than {self._config.frames} frames"))

    def _crashed(self) -> None:
        self.stop(InputError(Reason.CRASHED, "what lays it out in the browser has ended"))

    def _logged(self, event: dict[str, Any]) -> None:
        """A line on the console; what the archive does not have is counted elsewhere."""
        entry = event["entry"]
        self.errors += entry["level"] == "error" and entry["source"] != "network"

    def _thrown(self) -> None:
        self.errors += 1


def _fulfilled(reply: Reply) -> dict[str, Any]:
    headers = [
        {"name": name, "value": value}
        for name, value in reply.headers
        if name.lower() not in LEFT_OUT
    ]
    body = b64encode(reply.payload).decode()
    return {"responseCode": reply.status, "responseHeaders": headers, "body": body}
