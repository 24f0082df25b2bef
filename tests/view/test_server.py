"""Serving: the address, the port, what is said when it cannot be, and clients that never finish; who may ask, and what an answer may do."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from threading import Thread
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit

import pytest
from flask.testing import FlaskClient

import dbce
from dbce.cli import main
from dbce.model import UsageError
from dbce.view.app import create_app
from dbce.view.guard import HEADER, Guard, cookie, is_loopback
from dbce.view.server import Server, reachable, start
from tests.runs import ROOT
from tests.view.conftest import PATIENCE, page_at
from tests.view.harbour import record_id


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0", "::"])
def test_a_free_port_is_taken_and_answers_at_an_address_that_can_be_opened(harbour, host) -> None:
    with closing(start(str(harbour), {}, host, 0)) as server:
        assert urlsplit(server.address).hostname not in {None, "", "0.0.0.0", "::"}
        Thread(target=server.run, daemon=True).start()
        with pytest.raises(HTTPError, match="403"):
            page_at(server.address.partition("?")[0])
        assert "harbour.example" in page_at(server.address)


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


def test_a_port_that_is_taken_is_said_with_what_to_do(harbour) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(UsageError, match=f"port {port}: .*name another --port"):
            start(str(harbour), {}, "127.0.0.1", port)


@pytest.mark.parametrize("port", ["-1", "70000"])
def test_a_port_that_is_none_is_refused_and_a_folder_without_a_run(
    harbour, port, tmp_path, capsys
) -> None:
    assert main(["view", str(harbour), "--port", port]) == 2
    assert f"--port {port} is not a port" in capsys.readouterr().err
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
    moved = {"harbour.warc.gz": str(tmp_path / "moved")}
    with closing(start(str(harbour), moved, "127.0.0.1", 0)) as server:
        assert server.shown.places == moved


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
            slow.enter_context(connected(urlsplit(address).port, sent))
        assert "harbour.example" in page_at(address)


def connected(port: int | None, sent: bytes) -> socket.socket:
    """Return a connection on which bytes were sent, as many as it takes without waiting."""
    connection = socket.create_connection(("127.0.0.1", port or 0), PATIENCE)
    connection.setblocking(False)
    if sent:
        connection.send(sent)
    return connection


@pytest.fixture
def server(harbour) -> Iterator[Server]:
    with closing(start(str(harbour), {}, "127.0.0.1", 0)) as server:
        server.serving.adj.channel_timeout = server.serving.adj.cleanup_interval = 1
        Thread(target=server.run, daemon=True).start()
        yield server


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
    with connected(urlsplit(server.address).port, begun) as connection:
        assert is_cut_off(connection, drop)


def test_a_request_that_comes_in_pieces_is_answered(server) -> None:
    with connected(urlsplit(server.address).port, REQUEST[:9]) as connection:
        connection.settimeout(PATIENCE)
        for piece in (REQUEST[9:20], REQUEST[20:], b"\r\n"):
            time.sleep(0.05)
            connection.sendall(piece)
        assert connection.recv(1000).startswith(b"HTTP/1.1 403 ")


def test_a_body_that_is_too_large_is_refused_before_it_comes(server) -> None:
    with connected(urlsplit(server.address).port, CHANGE + b"2000000\r\n\r\n") as connection:
        connection.settimeout(PATIENCE)
        assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")


OWN = {"Origin": "http://localhost", HEADER: "secret"}


@pytest.fixture(params=["127.0.0.1", "0.0.0.0"])
def stranger(run, request) -> FlaskClient:
    """A client that has not opened the printed address, on this machine or on others."""
    return create_app(run, Guard(request.param, "secret")).test_client()


OWN_NAMES = "127.0.0.1:8321 localhost localhost:8321 [::1]:8321".split()
FOREIGN = (
    "evil.example evil.example:8321 127.0.0.1.evil.example localhost.evil.example 10.0.0.1 [::2]"
)


@pytest.mark.parametrize("host", [*OWN_NAMES, *FOREIGN.split()])
def test_only_names_of_this_machine_are_answered_and_none_of_somebody_elses_dns(client, host):
    answer = client.get("/?token=secret", headers={"Host": host})
    assert answer.status_code == (302 if host in OWN_NAMES else 403)
    assert host in OWN_NAMES or b"<" not in answer.data


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://localhost"},
        {HEADER: "secret"},
        {"Origin": "http://evil.example", HEADER: "secret"},
        {"Origin": "null", HEADER: "secret"},
        {"Origin": "http://localhost", HEADER: "guessed"},
        {"Origin": "http://localhost", "Cookie": f"{cookie('localhost')}=secret"},
    ],
)
def test_a_change_without_token_or_from_elsewhere_is_refused(client, headers) -> None:
    for change in (client.post, client.put, client.delete, client.patch):
        assert change("/", headers=headers).status_code == 403
    assert client.post("/", headers=OWN).status_code == 405, "there is nothing to change here"


def test_nobody_sees_anything_without_the_token(stranger) -> None:
    ferry = record_id(2013, "ferry")
    for path in ("/", "/static/view.css", f"/frame?id={ferry}", "/?token=guessed"):
        answer = stranger.get(path)
        assert answer.status_code == 403
        assert b"secret" not in answer.data + str(answer.headers).encode()


def test_the_token_is_taken_once_and_leaves_the_address(stranger) -> None:
    answer = stranger.get("/captures?words=a%26b&token=secret")
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/captures?words=a%26b"
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert stranger.get("/captures?words=a").status_code == 200


def test_each_port_has_a_cookie_of_its_own() -> None:
    ports = {"10.0.0.3:8321": 8321, "[fd00::2]:9000": 9000, "example.org": 80, "[fd00::2]": 80}
    assert [cookie(host) for host in ports] == [f"dbce-token-{port}" for port in ports.values()]


def test_servers_on_two_ports_of_a_host_do_not_take_each_others_token(run) -> None:
    one, other = (create_app(run, Guard("0.0.0.0", token)).test_client() for token in "ab")
    first = one.get("/?token=a", headers={"Host": "10.0.0.3:1001"}).headers["Set-Cookie"]
    second = other.get("/?token=b", headers={"Host": "10.0.0.3:1002"}).headers["Set-Cookie"]
    both = "; ".join(sent.partition(";")[0] for sent in (first, second))
    asked = [
        app.get("/", headers={"Host": f"10.0.0.3:{port}", "Cookie": both}).status_code
        for app, port in ((one, 1001), (other, 1002), (one, 1002))
    ]
    assert asked == [200, 200, 403]


def test_the_token_leads_to_no_other_host(stranger) -> None:
    answer = stranger.get("//evil.example/%2e%2e?token=secret")
    assert not answer.headers.get("Location", "").startswith("//")


def test_loopback_is_told_from_the_rest() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.0.1", "example.org", "")))


def test_every_answer_is_kept_among_us_and_our_own_pages_run_our_own_scripts(client) -> None:
    ferry = record_id(2013, "ferry")
    for path in ("/", "/nowhere", "/static/view.css", f"/frame?id={ferry}", f"/source?id={ferry}"):
        answer = client.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "Access-Control-Allow-Origin" not in answer.headers
    own = client.get("/").headers["Content-Security-Policy"]
    assert "script-src 'self';" in own
    assert "unsafe" not in own
    assert "frame-ancestors 'none'" in own


def test_the_frame_runs_no_script_and_loads_only_what_the_archive_has(client) -> None:
    answer = client.get(f"/frame?id={record_id(2013, 'ferry')}")
    policy = answer.headers["Content-Security-Policy"].split(";")
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy)
    assert "script-src" not in rules
    assert rules["default-src"] == "'none'"
    assert rules["sandbox"] == "allow-same-origin"
    assert rules["img-src"] == "data: http://localhost/resource"


TRAVERSALS = (
    "../run.json ../../../../etc/passwd ..%2f..%2f..%2fetc%2fpasswd %2e%2e/%2e%2e/etc/passwd "
    "..\\..\\etc\\passwd /etc/passwd file:///etc/passwd ....//....//etc/passwd \0"
).split(" ")


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_is_read(client, path) -> None:
    for route in ("/capture", "/frame", "/source", "/resource", "/timeline", "/cross", "/why"):
        assert client.get(f"{route}?id={quote(path)}").status_code == 404
    for base in ("/static/", "/", "/frame.css/", "/resource/"):
        answer = client.get(f"{base}{path}")
        assert answer.status_code in (308, 403, 404)
        assert b"root:" not in answer.data
