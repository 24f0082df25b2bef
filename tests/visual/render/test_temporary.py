"""What a browser leaves: no file and no process, however it ends, or what it works for."""

import asyncio
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import pytest

from dbce.model import Reject, Rendering
from dbce.storage import sweep_temporary, temporary_folder
from dbce.visual.render import Answers, Renderer
from dbce.visual.render.answers import Places
from dbce.visual.render.browser import Devtools, DevtoolsError
from tests.archive.build import captures, members
from tests.browser import chromium
from tests.visual.render.build import got, html, result_of

HANGS = html("<script>for (;;) {}</script>")

PATIENCE = 60
"""Seconds in which a process has to come or go; far more than it takes."""


@pytest.fixture(name="temporary")
def _temporary(tmp_path, monkeypatch):
    """A folder for temporary files with a short name, as they have; that of the test has a longer one."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        yield Path(folder)


def test_a_folder_goes_with_its_owner_or_when_the_next_one_starts(temporary):
    for name in ("dead", "alive", "starting"):
        (temporary / f"dbce-{name}").mkdir()
    (temporary / "other").mkdir()
    (temporary / "dbce-link").symlink_to(temporary / "other")
    (temporary / "other/owner").touch()
    (temporary / "dbce-dead/owner").touch()
    with (temporary / "dbce-alive/owner").open("w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        with temporary_folder() as own:
            sweep_temporary()
            there = {path.name for path in temporary.iterdir()}
    left = {"dbce-alive", "dbce-starting", "dbce-link", "other"}
    assert there == left | {Path(own).name}
    assert {path.name for path in temporary.iterdir()} == left


def test_a_folder_has_room_for_a_socket_however_long_the_names_above_it_are(temporary, monkeypatch):
    long = temporary / ("x" * 60)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    monkeypatch.setattr("dbce.storage.temporary.SHORT", str(temporary))
    with temporary_folder() as own:
        assert Path(own).parent == temporary
        (temporary / "dbce-dead").mkdir()
        (temporary / "dbce-dead/owner").touch()
        sweep_temporary()
    assert list(temporary.iterdir()) == [long]


@pytest.mark.browser
@pytest.mark.usefixtures("_browser")
@pytest.mark.nightly
def test_nothing_is_left_of_browsers_that_end_nor_of_such_as_are_ended(temporary):
    config = Rendering(scripts=True, seconds=3)
    answers = Answers(Places([]), config.limits)
    with closing(Renderer(chromium() or "", answers, config)) as renderer:
        slow = renderer.render(*captures(got("/hangs", HANGS)))
        assert isinstance(slow, Reject)
        assert list(temporary.iterdir()) == []
        renderer.render(*captures(got("/", html("fine"))))
        (folder,) = temporary.iterdir()
        assert any("profile" in path.name for path in folder.iterdir())
        assert os.environ["TMPDIR"] == str(temporary)
    assert list(temporary.iterdir()) == []


@pytest.mark.browser
@pytest.mark.usefixtures("_browser")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.nightly
def test_no_process_outlives_a_rendering_that_is_ended(number, temporary, tmp_path):
    """While both browsers hang at a page, so that they would close nothing by themselves."""
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(b"".join(members(got(path, HANGS) for path in "/a /b /c".split())))
    words = ["--scripts", "--jobs", "2", "--out", str(tmp_path / "out")]
    command = [sys.executable, "-m", "dbce", "render", str(archive), *words]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True) as driver:
        processes = once(lambda: hanging(driver.pid))
        driver.send_signal(number)
    assert processes
    assert once(lambda: not [one for one in processes if is_alive(one)])
    sweep_temporary()
    assert list(temporary.iterdir()) == []


def once(ask):
    """The first answer that is not empty."""
    end = time.monotonic() + PATIENCE
    while not (answer := ask()) and time.monotonic() < end:
        time.sleep(0.1)
    return answer


def hanging(driver):
    """All processes below the driver, once both browsers have worked for a second; none before."""
    below = descendants(driver)
    pages = [one for one in below if b"--type=renderer" in told(one, "cmdline")]
    second = os.sysconf("SC_CLK_TCK")
    return below if sum(int((stat(one) or [0] * 12)[11]) > second for one in pages) > 1 else []


def descendants(process):
    processes = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    below = [one for one in processes if stat(one)[1:2] == [str(process).encode()]]
    return below + [one for child in below for one in descendants(child)]


def is_alive(process):
    """Return whether a process is there, and not only waited for."""
    return stat(process)[:1] not in ([], [b"Z"])


def stat(process):
    """What is told of a process behind its name: first its state, then who started it; none if it is gone."""
    return told(process, "stat").rpartition(b")")[2].split()


def told(process, what):
    try:
        return Path(f"/proc/{process}/{what}").read_bytes()
    except OSError:
        return b""


def test_who_asks_a_browser_that_has_ended_is_told_so_at_once():
    """It may end before anybody has asked, while something it started still holds the pipe to it."""
    answers, answer = os.pipe()
    commands, command = os.pipe()
    os.close(answer)

    async def asked():
        devtools = await Devtools.connect(answers, command)
        try:
            await asyncio.sleep(0.1)  # for the end of its answers to be read
            async with asyncio.timeout(10):
                await devtools.browser.send("Browser.getVersion")
        finally:
            devtools.close()

    with pytest.raises(DevtoolsError, match="the browser has ended"):
        result_of(asked())
    os.close(commands)
