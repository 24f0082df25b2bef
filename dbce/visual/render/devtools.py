"""The DevTools protocol of a browser, over the pipe that it was started with.

A driver between us and the browser would read and write each message again, all resources and pictures among them:
that took a third of the CPU of a page.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections import defaultdict
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Listener = Callable[[dict[str, Any]], object]

CLOSED = "closed"
"""Event of all sessions when the browser has ended; no event of the protocol has that name."""


class DevtoolsError(Exception):
    """A browser that has ended, or that refuses a command."""


class Devtools(asyncio.Protocol):
    """A connection to a browser: JSON messages, a zero byte behind each."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._awaited: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._begun: list[bytes] = []
        self._has_ended = False
        self._sessions: dict[str, DevtoolsSession] = {}
        self._out: asyncio.WriteTransport | None = None
        self._in: asyncio.BaseTransport | None = None
        self.browser = DevtoolsSession(self, "")

    @classmethod
    async def connected(cls, read: int, write: int) -> Devtools:
        """Return a connection over two ends of pipes, which it closes."""
        loop = asyncio.get_running_loop()
        pipe = cls()
        pipe._in, _ = await loop.connect_read_pipe(lambda: pipe, os.fdopen(read, "rb", 0))
        pipe._out, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(write, "wb", 0))
        return pipe

    def close(self) -> None:
        """Close both pipes; a browser that sees that ends."""
        for transport in (self._in, self._out):
            if transport is not None:
                transport.close()
        self.connection_lost(None)

    def data_received(self, data: bytes) -> None:
        """Take a part of what the browser writes: ends of messages, and beginnings of others."""
        *whole, rest = data.split(b"\0")
        for end in whole:
            self._received(b"".join((*self._begun, end)))
            self._begun.clear()
        if rest:
            self._begun.append(rest)

    def connection_lost(self, _error: Exception | None) -> None:
        """Have all that waits for the browser know that it has ended, and all that asks from now on."""
        self._has_ended = True
        awaited, self._awaited = self._awaited, {}
        for answer in awaited.values():
            if not answer.done():
                answer.set_exception(DevtoolsError("the browser has ended"))
        for session in (self.browser, *self._sessions.values()):
            session.tell(CLOSED, {})

    def _received(self, message: bytes) -> None:
        told = json.loads(message)
        if "id" in told:
            answer = self._awaited.pop(told["id"], None)
            if answer is None or answer.done():
                return
            if "error" in told:
                answer.set_exception(DevtoolsError(told["error"].get("message", "refused")))
            else:
                answer.set_result(told.get("result", {}))
            return
        name = told.get("sessionId", "")
        session = self._sessions.get(name) if name else self.browser
        if session is not None:
            session.tell(told["method"], told.get("params", {}))

    async def send(self, session: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a command.

        Raises:
            DevtoolsError: the browser has ended, or refuses it.
        """
        if self._out is None or self._out.is_closing() or self._has_ended:
            raise DevtoolsError("the browser has ended")
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._awaited[number] = answer
        self._out.write(json.dumps(message).encode() + b"\0")
        try:
            return await answer
        finally:
            self._awaited.pop(number, None)

    async def attached(self, target: str) -> DevtoolsSession:
        """Return a new session with a target, such as a tab.

        Raises:
            DevtoolsError: the browser or the target has ended.
        """
        how = {"targetId": target, "flatten": True}
        name = (await self.browser.send("Target.attachToTarget", how))["sessionId"]
        session = self._sessions[name] = DevtoolsSession(self, name)
        return session

    async def detach(self, session: DevtoolsSession) -> None:
        """End a session with a target.

        Raises:
            DevtoolsError: the browser or the target has ended.
        """
        self._sessions.pop(session.name, None)
        await self.browser.send("Target.detachFromTarget", {"sessionId": session.name})


class DevtoolsSession:
    """Commands to a browser or a target in it, and its events."""

    def __init__(self, devtools: Devtools, name: str) -> None:
        self._devtools = devtools
        self.name = name
        self._listeners: defaultdict[str, list[Listener]] = defaultdict(list)

    async def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the answer to a command.

        Raises:
            DevtoolsError: the browser or the target has ended, or refuses it.
        """
        return await self._devtools.send(self.name, method, params or {})

    def on(self, event: str, listener: Listener) -> None:
        """Call a listener with the parameters of each event of a name from now on."""
        self._listeners[event].append(listener)

    @contextmanager
    def listening(self, event: str, listener: Listener) -> Iterator[None]:
        """Call a listener with the parameters of each event of a name within the block."""
        self._listeners[event].append(listener)
        try:
            yield
        finally:
            self._listeners[event].remove(listener)

    def tell(self, event: str, params: dict[str, Any]) -> None:
        """Tell the listeners of an event."""
        for listener in tuple(self._listeners[event]):
            listener(params)
