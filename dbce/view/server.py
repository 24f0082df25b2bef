"""Serving the application on this machine."""

import ipaddress
import logging
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server

from dbce.model import UsageError
from dbce.view.app import create_app
from dbce.view.guard import FIELD, Guard
from dbce.view.run import Run, open_view

THREADS = 8  # requests at a time: a browser asks for a page's pictures all at once

CONNECTIONS = 64
"""Connections that are kept, six of each browser; at 100 waitress would let nobody in."""

_ELSEWHERE = {4: (socket.AF_INET, "192.0.2.1"), 6: (socket.AF_INET6, "2001:db8::1")}
"""Addresses of nobody (RFC 5737, RFC 3849)."""


class _Connection(HTTPChannel):
    """A connection that stands in nobody's way, however slowly its request comes.

    waitress closes connections that are silent for two minutes, and lets nobody in while too many are open. Here a byte of an
    unfinished request is no sign of life, and the one that was silent for longest makes room for the next.
    """

    def add_channel(self, map: Any = None) -> None:  # noqa: A002 - waitress names it so
        others = [other for other in map.values() if isinstance(other, HTTPChannel)]
        waiting = [other for other in others if not other.requests]
        if len(others) >= CONNECTIONS and waiting:
            min(waiting, key=lambda other: other.last_activity).handle_close()
        super().add_channel(map)

    def handle_read(self) -> None:
        before, unfinished = self.last_activity, self.request
        super().handle_read()
        if unfinished is not None and self.request is unfinished:
            self.last_activity = before


@dataclass(frozen=True, slots=True)
class Server:
    """A server that listens already; `address` is what to open, `shown` the run, if it is one."""

    address: str
    serving: BaseWSGIServer
    shown: Run | None

    def run(self) -> None:
        self.serving.run()

    def close(self) -> None:
        self.serving.task_dispatcher.shutdown()  # what is being answered needs the files
        self.serving.close()
        if self.shown:
            self.shown.tables.close()


def start(directory: str, places: Mapping[str, str], host: str, port: int) -> Server:
    """A server that shows a finished run; port 0 takes a free one; UsageError without a run or a port."""
    guard, run = Guard(host), open_view(directory, places)
    return serve(create_app(run, guard), run, guard, port)


def serve(app: Flask, run: Run | None, guard: Guard, port: int, path: str = "") -> Server:
    """A server of an application for whom a guard lets in, which begins at `path`; UsageError if the port cannot be had."""
    host, is_v6 = guard.host, ":" in guard.host
    # Browsers close what they do not need; that is no news.
    logging.getLogger("waitress").setLevel(logging.ERROR)
    try:
        family = socket.AF_INET6 if is_v6 else socket.AF_INET
        listening = socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as e:
        raise UsageError(
            f"cannot listen on {host}, port {port}: {getattr(e, 'strerror', None) or e}; name another "
            "--port (0 takes one that is free) or --host"
        ) from e
    serving = cast(
        "BaseWSGIServer",  # of one socket
        create_server(
            app,
            sockets=[listening],
            threads=THREADS,
            ident="dbce",
            max_request_body_size=app.config["MAX_CONTENT_LENGTH"],
        ),
    )
    serving.channel_class = _Connection
    reached = reachable(host)
    name = f"[{reached}]" if ":" in reached else reached
    address = f"http://{name}:{listening.getsockname()[1]}/{path}?{FIELD}={guard.token}"
    return Server(address, serving, run)


def reachable(host: str) -> str:
    """An address at which others reach a server bound to `host`; for all addresses, that of the way out, else the name."""
    try:
        bound = ipaddress.ip_address(host)
    except ValueError:
        return host
    if not bound.is_unspecified:
        return host
    family, anybody = _ELSEWHERE[bound.version]
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as out:
        out.connect((anybody, 9))  # chooses the way and sends nothing
        return str(out.getsockname()[0])
    return socket.gethostname()
