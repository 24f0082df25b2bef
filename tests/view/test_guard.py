"""Who may ask, and what an answer may do."""

from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from dbce.view.app import create_app
from dbce.view.guard import HEADER, Guard, cookie, is_loopback
from tests.view.harbour import record_id

OWN = {"Origin": "http://localhost", HEADER: "secret"}


@pytest.fixture(params=["127.0.0.1", "0.0.0.0"])
def stranger(run, request) -> FlaskClient:
    """A client that has not opened the printed address, on this machine or on others."""
    return create_app(run, Guard(request.param, "secret")).test_client()


@pytest.mark.parametrize("host", ["127.0.0.1:8321", "localhost", "localhost:8321", "[::1]:8321"])
def test_a_name_that_only_this_machine_has_is_answered(client, host) -> None:
    assert client.get("/?token=secret", headers={"Host": host}).status_code == 302


FOREIGN = (
    "evil.example evil.example:8321 127.0.0.1.evil.example localhost.evil.example 10.0.0.1 [::2]"
)


@pytest.mark.parametrize("host", FOREIGN.split())
def test_a_name_that_leads_here_by_somebody_elses_dns_is_refused(client, host) -> None:
    answer = client.get("/?token=secret", headers={"Host": host})
    assert answer.status_code == 403
    assert b"<" not in answer.data


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


def test_a_change_with_the_token_from_our_own_page_gets_through(client) -> None:
    assert client.post("/", headers=OWN).status_code == 405  # there is nothing to change here


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


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("10.0.0.3:8321", "dbce-token-8321"),
        ("[fd00::2]:9000", "dbce-token-9000"),
        ("example.org", "dbce-token-80"),
        ("[fd00::2]", "dbce-token-80"),
    ],
)
def test_each_port_has_a_cookie_of_its_own(host, name) -> None:
    assert cookie(host) == name


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


def test_every_answer_is_kept_among_us(client) -> None:
    ferry = record_id(2013, "ferry")
    for path in ("/", "/nowhere", "/static/view.css", f"/frame?id={ferry}", f"/source?id={ferry}"):
        answer = client.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "Access-Control-Allow-Origin" not in answer.headers


def test_our_own_pages_run_our_own_scripts_and_no_other(client) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_the_frame_runs_no_script_and_loads_only_what_the_archive_has(client) -> None:
    answer = client.get(f"/frame?id={record_id(2013, 'ferry')}")
    rules = dict(
        rule.strip().partition(" ")[::2]
        for rule in answer.headers["Content-Security-Policy"].split(";")
    )
    assert "script-src" not in rules
    assert rules["default-src"] == "'none'"
    assert rules["sandbox"] == "allow-same-origin"
    assert rules["img-src"] == "data: http://localhost/resource"


TRAVERSALS = (
    "../run.json",
    "../../../../etc/passwd",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/etc/passwd",
    "..\\..\\etc\\passwd",
    "/etc/passwd",
    "file:///etc/passwd",
    "....//....//etc/passwd",
    "\0",
)


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_is_read(client, path) -> None:
    for route in ("/capture", "/frame", "/source", "/resource", "/timeline", "/cross", "/why"):
        assert client.get(f"{route}?id={quote(path)}").status_code == 404
    for base in ("/static/", "/", "/frame.css/", "/resource/"):
        answer = client.get(f"{base}{path}")
        assert answer.status_code in (308, 403, 404)
        assert b"root:" not in answer.data
