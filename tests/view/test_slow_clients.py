"""Clients that never finish what they send or never read what they get, and the others beside them."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from dbce.view.server import Server, start
from tests.runs import ROOT
from tests.view.visitor import PATIENCE, page_at

REQUEST = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
CHANGE = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: "


@pytest.fixture(scope="module")
def address(harbour: Path) -> Iterator[str]:
    """Where the command itself serves the run."""
    command = [sys.executable, "-m", "dbce", "view", str(harbour), "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield re.findall(r"http://\S+", process.stdout.readline())[0]
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        REQUEST + b"X: ",
        CHANGE + b"900000\r\n\r\n{",
        (REQUEST + b"\r\n") * 20_000,
    ],
    ids=["nothing", "headers", "body", "answers that nobody reads"],
)
def test_a_request_is_answered_beside_150_clients_that_never_finish(
    address: str, sent: bytes
) -> None:
    with ExitStack() as slow:
        for _ in range(150):
            slow.enter_context(client(urlsplit(address).port, sent))
        assert "harbour.example" in page_at(address)


def client(port: int | None, sent: bytes) -> socket.socket:
    """Return a connection on which bytes were sent, as many as it takes without waiting."""
    connection = socket.create_connection(("127.0.0.1", port or 0), PATIENCE)
    connection.setblocking(False)
    if sent:
        connection.send(sent)
    return connection


@pytest.fixture
def server(harbour: Path) -> Iterator[Server]:
    server = start(str(harbour), {}, "127.0.0.1", 0)
    server.serving.adj.channel_timeout = server.serving.adj.cleanup_interval = 1
    Thread(target=server.run, daemon=True).start()
    yield server
    server.close()


def is_cut_off(connection: socket.socket, drop: bytes) -> bool:
    """Return whether the server ends a connection on which bytes keep coming, drop by drop."""
    until = time.monotonic() + PATIENCE
    connection.settimeout(0.1)
    while time.monotonic() < until:
        try:
            connection.sendall(drop)
            if not connection.recv(1000):
                return True
        except TimeoutError:
            continue
        except ConnectionError:
            return True
    return False


@pytest.mark.parametrize(
    ("begun", "drop"), [(REQUEST + b"X: ", b"x"), (CHANGE + b"900000\r\n\r\n", b"{")]
)
def test_headers_and_bodies_that_never_end_are_cut_off(
    server: Server, begun: bytes, drop: bytes
) -> None:
    with client(urlsplit(server.address).port, begun) as connection:
        assert is_cut_off(connection, drop)


def test_a_request_that_comes_in_pieces_is_answered(server: Server) -> None:
    with client(urlsplit(server.address).port, REQUEST[:9]) as connection:
        connection.settimeout(PATIENCE)
        for piece in (REQUEST[9:20], REQUEST[20:], b"\r\n"):
            time.sleep(0.05)
            connection.sendall(piece)
        assert connection.recv(1000).startswith(b"HTTP/1.1 403 ")


def test_a_body_that_is_too_large_is_refused_before_it_comes(server: Server) -> None:
    with client(urlsplit(server.address).port, CHANGE + b"2000000\r\n\r\n") as connection:
        connection.settimeout(PATIENCE)
        assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")
