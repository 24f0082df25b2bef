"""A finished run to label: a small site, with something hidden and something that readers wrote; how our own pages send a change."""

import json
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from dbce.annotate.server import DeskSettings, serving
from dbce.archive import expand
from dbce.model import Config
from dbce.view.run import Run, open_view
from tests.runs import whole
from tests.site import TOPICS, article, page, stored
from tests.view.conftest import serve_to

HIDDEN = "Nobody sees this text about cookies"
REMARK = "I saw the very same thing from my window!"

OWN = {"Origin": "http://localhost", "X-Dbce-Token": "secret"}
"""The headers of a request that one of our own pages sends."""


def labelled_page(topic: str, year: int):
    html = article(topic).replace(
        '<div class="foot">',
        f'<p class="remark">{REMARK}</p><div style="display:none"><p>{HIDDEN}</p></div>'
        '<div class="foot">',
    )
    return page(topic, f"{year}0101000000", html)


NONSENSE = ("[1]", "{", "", '{"by": "\\ud800"}', "[" * 100_000, f'{{"by": {"[" * 100_000}')
"""Bodies of requests that are no JSON object, or one that no journal can hold."""


def refuses_nonsense(client: FlaskClient, **given: object) -> int:
    """Every way to change something answers 400 to what makes no sense; the number of ways.

    `given` is what a change has beside the name of who makes it.
    """
    rules = [rule for rule in client.application.url_map.iter_rules() if "POST" in rule.methods]
    bodies = [*NONSENSE, *(json.dumps({**given, "by": by}) for by in (["Anna"], {}, 5, None))]
    for rule in rules:
        for body in bodies:
            answer = client.post(rule.rule, data=body, content_type="application/json", headers=OWN)
            assert answer.status_code == 400, (rule.rule, body[:40])
            assert answer.json["message"]
    return len(rules)


@contextmanager
def desk_at(kind: str, folder: Path, gold: Path, windows, count: int = 2):
    """Serve a desk with so many captures of a folder to windows, as the command does; give its address."""
    asked = DeskSettings(str(folder), str(gold), {}, "random", count)
    with (
        serving(kind, asked, host="127.0.0.1", port=0) as server,
        serve_to(server, windows) as address,
    ):
        yield address


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
