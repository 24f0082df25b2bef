"""A finished run to look at, and who looks: clients without a network, and windows of a browser."""

import re
from contextlib import contextmanager
from threading import Thread
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from dbce.archive import expand
from dbce.model import Config
from dbce.view.app import create_app
from dbce.view.guard import FIELD, Guard
from dbce.view.run import open_view
from dbce.view.server import start
from tests.runs import whole
from tests.view import harbour as site


@pytest.fixture(scope="session")
def harbour(tmp_path_factory):
    """The folder of a run on the harbour's archive."""
    folder = tmp_path_factory.mktemp("harbour")
    archive = site.write(folder / "harbour.warc.gz")
    whole(expand([str(archive)]), folder / "out", Config())
    return folder / "out"


@pytest.fixture(scope="session")
def run(harbour):
    opened = open_view(str(harbour), site.places(harbour))
    yield opened
    opened.tables.close()


@pytest.fixture
def client(run):
    """What asks the application without a network; an error in it is an error of the test."""
    return client_of(run)


@pytest.fixture(scope="session")
def address(harbour, windows):
    """Where the run is served, to windows."""
    server = start(str(harbour), site.places(harbour), "127.0.0.1", 0)
    with serve_to(server, windows) as address:
        yield address


PATIENCE = 60  # seconds; the machine may be busy


def page_at(address: str) -> str:
    """Return what a client that keeps cookies gets at an address, where it has never been."""
    with build_opener(HTTPCookieProcessor()).open(address, timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def let_in(app):
    """Return a client of an application, without a network; an error in it is an error of the test."""
    app.testing = True
    client = app.test_client()
    client.get("/", query_string={FIELD: app.config["TOKEN"]})
    return client


@contextmanager
def viewed(folder, archive: bytes, config: Config | None = None):
    """Open the run on an archive, made in a folder."""
    (folder / "x.warc.gz").write_bytes(archive)
    whole(expand([str(folder / "x.warc.gz")]), folder / "out", config or Config())
    run = open_view(str(folder / "out"), {})
    yield run
    run.tables.close()


def client_of(run):
    """Return a client of the view of a run, as `let_in`."""
    return let_in(create_app(run, Guard(token="secret")))


@contextmanager
def serve_to(server, windows):
    """Serve until the end, and let windows in; give the address without its token."""
    Thread(target=server.run, daemon=True).start()
    page = windows.new_page()
    page.goto(server.address)
    page.close()
    try:
        yield server.address.partition("?")[0].rstrip("/")
    finally:
        server.close()


@contextmanager
def answered(page, path: str):
    """What is done inside asks `path`; waits for the whole answer, and for what the page makes of it."""
    with page.expect_response(re.compile(path)) as answer:
        yield
    answer.value.finished()
    settle(page)


def settle(page) -> None:
    """What is to happen in the page happens before this returns."""
    page.evaluate("() => new Promise(done => setTimeout(done, 30))")
