"""A pywb server indexes and replays what a run writes, and a browser shows it."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from dbce.archive import AnnotatedPage, read_annotated
from dbce.output.read import node_rows
from dbce.storage.folder import Folder
from dbce.view.app import create_app
from dbce.view.guard import FIELD, Guard
from dbce.view.run import open_view
from tests.acceptance.conftest import environment, judged
from tests.runs import ROOT, process

pytestmark = [pytest.mark.tools, pytest.mark.slow]

PATIENCE = 60
"""Seconds that the server may take to start."""

INDEXES = ("ours", "theirs")
"""Collections by who made the index: the run, or pywb itself."""

TINTS = {"content": "rgb(207, 229, 247)", "boilerplate": "rgb(251, 227, 181)"}

SHOWN = """() => ({
    text: document.body.textContent,
    marks: [...document.querySelectorAll('body [data-dbce]')]
        .filter(one => one.checkVisibility())
        .map(one => [one.dataset.dbce, getComputedStyle(one).backgroundColor]),
})"""


@dataclass(frozen=True, slots=True)
class Player:
    """A pywb server that has a collection for each index of a run."""

    address: str

    def url(self, collection: str, page: AnnotatedPage, form: str = "id_") -> str:
        """Where it shows a page: as it is stored (id_), or in a frame, as a reader sees it ("")."""
        return f"{self.address}/{collection}/{page.timestamp:%Y%m%d%H%M%S}{form}/{page.url}"


@pytest.fixture(scope="module")
def player(finished, tmp_path_factory) -> Iterator[Player]:
    programs = environment("pywb") / "bin"
    folder = tmp_path_factory.mktemp("pywb")
    warcs = finished / "warc"
    ours = {"index_paths": str(warcs / "index.cdxj"), "archive_paths": f"{warcs}/"}
    for words in (["init", "theirs"], ["add", "theirs", *warcs.glob("*.warc.gz")]):
        process(programs / "wb-manager", *words, folder=folder)
    settings = {"collections": {"ours": ours}, "banner_html": "pywb-banner.html"}
    shutil.copy(ROOT / "conf" / "pywb-banner.html", folder / "templates")
    (folder / "config.yaml").write_text(json.dumps(settings))  # JSON is YAML
    with serving(programs / "wayback", folder) as address:
        yield Player(address)


@contextmanager
def serving(program: Path, folder: Path) -> Iterator[str]:
    """The server's address, while it runs."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [program, "--bind", "127.0.0.1", "--port", str(port)],
            cwd=folder,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={name: value for name, value in os.environ.items() if "proxy" not in name.lower()},
        )
    try:
        wait_for(address, server, folder / "log")
        yield address
    finally:
        server.terminate()
        server.wait()


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(PATIENCE * 10):
        assert server.poll() is None, log.read_text()
        try:
            urlopen(address).close()
        except URLError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(log.read_text())


def pages(run: Path) -> list[AnnotatedPage]:
    found = [page for file in sorted(run.glob("warc/*.gz")) for page in read_annotated(str(file))]
    assert len(found) == judged(run)
    return found


@pytest.mark.parametrize("collection", INDEXES)
def test_every_page_comes_back_at_its_time(player, finished, collection) -> None:
    for page in pages(finished):
        with urlopen(player.url(collection, page)) as answer:
            assert answer.read() == page.html
            assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
            assert parsedate_to_datetime(answer.headers["Memento-Datetime"]) == page.timestamp


def test_pywb_makes_the_keys_offsets_and_lengths_of_our_index(finished, player) -> None:
    ours, theirs = (
        [line for page in pages(finished)[:20] for line in listed(player, collection, page)]
        for collection in INDEXES
    )
    assert ours == theirs
    assert ours


def listed(player: Player, collection: str, page: AnnotatedPage) -> list[tuple[str, ...]]:
    """What the server's index says of a URL."""
    with urlopen(f"{player.address}/{collection}/cdx?output=json&url={page.url}") as answer:
        lines = [json.loads(line) for line in answer.read().splitlines()]
    fields = ("urlkey", "timestamp", "url", "mime", "offset", "length", "filename")
    return [tuple(line[field] for field in fields) for line in lines]


@pytest.mark.browser
def test_replay_leads_to_the_history_of_a_text(player, finished, browser) -> None:
    """The link of conf/pywb-banner.html, in the viewer that it is for."""
    guard = Guard()
    run = open_view(str(finished), {})
    with closing(run.tables):
        viewer = create_app(run, guard).test_client()
        viewer.get("/", query_string={FIELD: guard.token})
        tab = browser.new_page()
        for page in pages(finished)[::40]:
            tab.goto(player.url("ours", page, ""))
            link = tab.wait_for_selector("#dbce-history").get_attribute("href")
            path = link.removeprefix("http://127.0.0.1:8321")
            by_id = viewer.get("/history", query_string={"id": page.record_id})
            assert viewer.get(path).text == by_id.text
            assert by_id.status_code == 200
        tab.close()


@pytest.mark.browser
def test_a_browser_shows_the_marks_and_the_whole_text(player, finished, browser) -> None:
    run = Folder(str(finished))
    tab = browser.new_page()
    for page in pages(finished)[::12]:
        tab.goto(player.url("ours", page, ""))
        frame = tab.wait_for_selector("#replay_iframe").content_frame()
        frame.wait_for_selector("body [data-dbce]", state="attached")
        frame.wait_for_load_state()
        shown = frame.evaluate(SHOWN)
        text = "".join(shown["text"].split())
        for row in node_rows(run, page.record_id):
            assert "".join(row["text"].split()) in text
        styled = {label for label, tint in shown["marks"] if tint == TINTS[label]}
        assert styled == set(TINTS)
        assert all(tint == TINTS[label] for label, tint in shown["marks"])
    tab.close()
