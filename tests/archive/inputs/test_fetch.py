"""One page of the web as an input of `dbce text`."""

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dbce.archive.inputs.fetch import fetch, is_web_page
from dbce.cli import main
from dbce.model import UsageError
from tests.archive import store

PAGE = (
    "<!doctype html><title>Eel traps</title><h1>Eel traps</h1><p>The weir below the mill has held eel "
    "traps since the flood, and three families still empty them before dawn.</p>"
)


class _Site(store.Quiet):
    """A page behind a redirect, one that is packed, and one that is missing; counts requests."""

    def do_GET(self) -> None:  # noqa: N802 - as its base calls it
        body = PAGE.encode()
        headers = {"Content-Type": "text/html; charset=utf-8"}
        if self.path == "/old":
            headers, body = {"Location": "/packed"}, b""
        if self.path == "/packed":
            headers["Content-Encoding"], body = "gzip", gzip.compress(body)
        self.send_response({"/old": 301, "/gone": 404}.get(self.path, 200))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[store.Served]:
    with store.served(tmp_path, ranges=False, handler=_Site) as server:
        yield server


def test_page_is_fetched_once_and_read_with_its_url(site, capfdbinary) -> None:
    assert main(["text", f"{site.url}/eels", "--private", "--format", "markdown"]) == 0
    out = capfdbinary.readouterr().out.decode()
    assert f"<!-- {site.url}/eels 20" in out
    assert "# Eel traps" in out
    assert "three families" in out
    assert site.asked == ["/eels"]


def test_redirects_are_followed_and_bodies_unpacked(site, capfdbinary) -> None:
    assert main(["text", f"{site.url}/old", "--private", "--format", "txt"]) == 0
    out = capfdbinary.readouterr().out.decode()
    assert f"# {site.url}/packed " in out
    assert "three families" in out
    assert site.asked == ["/old", "/packed"]


@pytest.mark.parametrize(
    ("path", "most", "cause"),
    [
        ("gone", 1000, "cannot be fetched: the answer is 404"),
        ("eels", 100, "cannot be fetched: it has more than 100 bytes"),
    ],
)
def test_error_says_why_a_page_cannot_be_fetched(site, path, most, cause) -> None:
    with pytest.raises(UsageError, match=cause):
        fetch(f"{site.url}/{path}", most, private=True)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_nobody_is_asked_in_a_private_network(site, capsys, host) -> None:
    assert main(["text", f"http://{host}:{site.server_port}/eels"]) == 2
    assert "which is in a private network; --private" in capsys.readouterr().err
    assert site.asked == []


def test_without_the_library_curl_is_named(monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    assert main(["text", "https://example.org/a"]) == 2
    err = capsys.readouterr().err
    assert "pip install 'dbce[http]'" in err
    assert "curl -L https://example.org/a | dbce text - --url https://example.org/a" in err


@pytest.mark.parametrize(
    ("uri", "is_page"),
    [
        ("https://example.org/", True),
        ("http://example.org/a.html?b=c.warc", True),
        ("https://example.org/crawl.warc.gz", False),
        ("https://example.org/a.wacz", False),
        ("https://example.org/index.cdxj", False),
        ("https://example.org/*.html", False),
        ("page.html", False),
    ],
)
def test_archives_and_indexes_of_the_web_are_no_pages(uri, is_page) -> None:
    assert is_web_page(uri) is is_page
