"""Serving: the address, the port, what is said when it cannot be, and clients that never finish."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from threading import Thread
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest

import dbce
from dbce.cli import main
from dbce.model import UsageError
from dbce.view.server import Server, reachable, start
from tests.runs import ROOT
from tests.view.visitor import PATIENCE, page_at


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_free_port_is_taken_and_answers(harbour, host) -> None:
    server = start(str(harbour), {}, host, 0)
    Thread(target=server.run, daemon=True).start()
    try:
        with pytest.raises(HTTPError, match="403"):
            page_at(server.address.partition("?")[0])
        assert "harbour.example" in page_at(server.address)
    finally:
        server.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_bound_to_every_address_it_names_one_that_others_can_open(harbour, host) -> None:
    server = start(str(harbour), {}, host, 0)
    try:
        name = urlsplit(server.address).hostname
        assert name not in {None, "", "0.0.0.0", "::"}
        Thread(target=server.run, daemon=True).start()
        assert "harbour.example" in page_at(server.address)
    finally:
        server.close()


def test_without_a_way_out_its_name_is_printed(monkeypatch) -> None:
    def unreachable(*_: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert reachable("0.0.0.0") == socket.gethostname()
    assert reachable("10.0.0.3") == "10.0.0.3"


def test_archives_that_are_not_opened_are_named(harbour, monkeypatch, capsys) -> None:
    monkeypatch.setattr("dbce.view.server.Server.run", lambda _: None)
    command = ["view", str(harbour), "--port", "0"]
    assert main(command) == 0
    assert f"if you trust the run: --archive {harbour.parent}/\n" in capsys.readouterr().err
    assert main([*command, "--archive", str(harbour.parent / "harbour.warc.gz")]) == 0
    assert capsys.readouterr().err == ""


def test_who_waits_at_a_terminal_is_told_that_it_starts(harbour, monkeypatch, capsys) -> None:
    monkeypatch.setattr("dbce.view.server.Server.run", lambda _: None)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert main(["view", str(harbour), "--port", "0"]) == 0
    said = capsys.readouterr()
    assert said.err.startswith(f"dbce: starting the web page on {harbour}\n")
    assert said.out.startswith("Open http://")


def test_a_port_that_is_taken_is_said_with_what_to_do(harbour, taken) -> None:
    with pytest.raises(UsageError, match=f"port {taken}: .*name another --port"):
        start(str(harbour), {}, "127.0.0.1", taken)


@pytest.mark.parametrize("port", ["-1", "70000"])
def test_a_port_that_is_none_is_refused(harbour, port, capsys) -> None:
    assert main(["view", str(harbour), "--port", port]) == 2
    assert f"--port {port} is not a port" in capsys.readouterr().err


def test_a_folder_without_a_run_is_refused(tmp_path, capsys) -> None:
    assert main(["view", str(tmp_path), "--port", "0"]) == 2
    assert "holds no finished run" in capsys.readouterr().err


@pytest.mark.parametrize("library", ["duckdb", "flask", "waitress.server"])
def test_without_its_libraries_it_says_what_to_install(
    harbour, library, monkeypatch, capsys
) -> None:
    monkeypatch.setattr(dbce, "view", None)  # what is imported below is not to stay in its place
    for name in [name for name in sys.modules if name.startswith("dbce.view")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    assert main(["view", str(harbour), "--port", "0"]) == 2
    assert "pip install 'dbce[view]'" in capsys.readouterr().err


def test_inputs_that_have_moved_are_found_where_it_is_said(harbour, tmp_path) -> None:
    server = start(str(harbour), {"harbour.warc.gz": str(tmp_path / "moved")}, "127.0.0.1", 0)
    assert server.shown.places == {"harbour.warc.gz": str(tmp_path / "moved")}
    server.close()


REQUEST = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
CHANGE = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: "


@pytest.fixture(scope="module")
def address(harbour) -> Iterator[str]:
    """Where the command itself serves the run."""
    command = [sys.executable, "-m", "dbce", "view", str(harbour), "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield re.findall(r"http://\S+", process.stdout.readline())[0]
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.parametrize(
    "sent",
    [b"", REQUEST + b"X: ", CHANGE + b"900000\r\n\r\n{", (REQUEST + b"\r\n") * 20_000],
    ids=["nothing", "headers", "body", "answers that nobody reads"],
)
def test_a_request_is_answered_beside_150_clients_that_never_finish(address, sent) -> None:
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
def server(harbour) -> Iterator[Server]:
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
def test_headers_and_bodies_that_never_end_are_cut_off(server, begun, drop) -> None:
    with client(urlsplit(server.address).port, begun) as connection:
        assert is_cut_off(connection, drop)


def test_a_request_that_comes_in_pieces_is_answered(server) -> None:
    with client(urlsplit(server.address).port, REQUEST[:9]) as connection:
        connection.settimeout(PATIENCE)
        for piece in (REQUEST[9:20], REQUEST[20:], b"\r\n"):
            time.sleep(0.05)
            connection.sendall(piece)
        assert connection.recv(1000).startswith(b"HTTP/1.1 403 ")


def test_a_body_that_is_too_large_is_refused_before_it_comes(server) -> None:
    with client(urlsplit(server.address).port, CHANGE + b"2000000\r\n\r\n") as connection:
        connection.settimeout(PATIENCE)
        assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")
