"""A finished run to look at."""

import pytest

from dbce.archive import expand
from dbce.model import Config
from dbce.view.run import open_view
from dbce.view.server import start
from tests.runs import whole
from tests.view import harbour as site
from tests.view.visitor import client_of, serve_to


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
