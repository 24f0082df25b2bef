"""A finished run to label: a small site, with something hidden and something that readers wrote."""

from pathlib import Path

import pytest

from dbce.archive import expand
from dbce.model import Config
from dbce.view.run import Run, open_view
from tests.annotate.harbour import labelled_page
from tests.runs import whole
from tests.site import TOPICS, stored


@pytest.fixture(scope="session")
def harbour_run(tmp_path_factory) -> Path:
    """The folder of a run on four pages at two times."""
    folder = tmp_path_factory.mktemp("to-label")
    archive = folder / "harbour.warc.gz"
    archive.write_bytes(stored(*(labelled_page(t, y) for y in (2013, 2015) for t in TOPICS)))
    whole(expand([str(archive)]), folder / "out", Config())
    return folder / "out"


@pytest.fixture(scope="session")
def run(harbour_run) -> Run:
    return open_view(str(harbour_run), {})
