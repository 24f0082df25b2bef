"""Pages written as HTML5 replay in pywb, and the Nu Html Checker finds nothing obsolete in them."""

import json
from pathlib import Path
from urllib.request import urlopen

import pytest

from dbce.archive import read_annotated
from dbce.cli import main
from dbce.model import UsageError
from dbce.visual.migrate import migrate
from dbce.visual.migrate.account import check_validity
from tests.acceptance.conftest import environment
from tests.acceptance.test_accepted_pywb import Player, serving
from tests.archive.build import members
from tests.browser import NONE, chromium
from tests.visual.render.build import got

pytestmark = [pytest.mark.tools, pytest.mark.slow, pytest.mark.nightly]

OLD = (
    "<html><head><title>Old</title></head><body bgcolor=white text=#000 link=blue>"
    "<center><font size=5 color=red>News</font></center><a name=top></a>"
    "<table border=1 cellpadding=4 width=100%><tr><td valign=top nowrap><tt>one</tt>"
    "<td bgcolor=#eee align=right><p align=center>two<br clear=all><strike>three</strike></table>"
    "<dir compact><li type=square>four</dir><hr noshade size=1><acronym title=x>y</acronym></body></html>"
)


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if chromium() is None:
        pytest.skip(NONE)
    folder = tmp_path_factory.mktemp("html5")
    pages = [got(f"/{n}", OLD.encode()) for n in range(3)]
    (folder / "old.warc.gz").write_bytes(b"".join(members(pages)))
    archive = str(folder / "old.warc.gz")
    assert main(["render", archive, "--out", str(folder), "--jobs", "1"]) == 0
    assert main(["migrate", str(folder), "--archive", archive, "--out", str(folder)]) == 0
    return folder / "migrated" / "warc"


@pytest.mark.browser
def test_pywb_replays_every_page_that_was_migrated(new: Path, tmp_path: Path) -> None:
    programs = environment("pywb") / "bin"
    collection = {"index_paths": str(new / "index.cdxj"), "archive_paths": f"{new}/"}
    (tmp_path / "config.yaml").write_text(json.dumps({"collections": {"new": collection}}))
    pages = list(read_annotated(str(new / "old.html5.warc.gz")))
    assert len(pages) == 3
    with serving(programs / "wayback", tmp_path) as address:
        for page in pages:
            with urlopen(Player(address).url("new", page)) as answer:
                assert answer.read() == page.html


def test_the_checker_finds_nothing_obsolete_and_no_half_of_the_errors() -> None:
    jar = str(environment("nu"))
    before, after = check_validity([OLD, migrate(OLD).html], jar)
    assert before.obsolete > 10
    assert after.obsolete == 0
    assert 2 * after.errors <= before.errors
    assert before.is_whole
    # A page that the checker reads no further is told.
    pages = ["<title>t</title><x></x><body class=a>x", "<!DOCTYPE html><title>t</title>x"]
    broken, whole = check_validity(pages, jar)
    assert not broken.is_whole
    assert whole == (0, 0, True)


def test_the_wrong_checker_is_told(tmp_path: Path) -> None:
    jar = tmp_path / "vnu.jar"
    with pytest.raises(UsageError, match=r"scripts/setup/tools\.sh nu"):
        check_validity(["x"], str(jar))
    jar.write_bytes(b"no jar")
    with pytest.raises(UsageError, match="does not answer"):
        check_validity(["x"], str(jar))
