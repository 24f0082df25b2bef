"""One process at a time in a folder."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pytest

from dbce.model import UsageError
from dbce.storage import LOCK, Folder, folder_lock
from tests.runs import ROOT, fails_with

lock = import_module("dbce.storage.units")

HERE = lock._process(os.getpid())

HOLDER = """
import sys, time
from dbce.storage import Folder, folder_lock
with folder_lock(Folder(sys.argv[1])):
    print("locked", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path) -> Folder:
    return Folder(str(tmp_path / "out"))


@pytest.fixture
def store() -> Iterator[Folder]:
    """A folder on a store that the operating system holds no locks on."""
    folder = Folder("memory://locked/out")
    yield folder
    if folder.exists(""):
        folder.fs.rm("/locked", recursive=True)


@pytest.fixture(params=["disk", "store"])
def anywhere(request) -> Folder:
    return request.getfixturevalue("folder" if request.param == "disk" else "store")


@pytest.fixture(scope="module")
def dead() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.fixture
def other(folder) -> Iterator[subprocess.Popen[bytes]]:
    """Another process, which holds the lock."""
    command = [sys.executable, "-c", HOLDER, folder.path]
    surroundings = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"locked\n"
        yield process
        process.kill()


def noted(folder: Folder, **about: object) -> None:
    """The note of a process that differs from this one in something."""
    folder.write(LOCK, json.dumps(HERE | about).encode())


def refused(folder: Folder) -> str:
    with pytest.raises(UsageError) as error, folder_lock(folder):
        pytest.fail("two runs at once")
    return str(error.value)


def test_a_lock_says_who_holds_it_and_goes_with_the_block(anywhere):
    anywhere.write("mine.txt", b"")
    with folder_lock(anywhere):
        assert json.loads(anywhere.read(LOCK)) == HERE
    assert anywhere.entries() == ["mine.txt"]


def test_a_folder_that_was_not_there_is_gone_again_where_nothing_was_done(folder):
    with pytest.raises(ValueError, match="no Spark"), folder_lock(folder):
        raise ValueError("no Spark")
    assert not folder.exists("")


def test_a_second_run_is_told_that_another_works_there_whatever_the_file_says(folder, other, dead):
    assert refused(folder) == (
        f"another dbce works in {folder.uri}: process {other.pid} on {HERE['host']}; wait for it"
    )
    assert folder.entries() == [LOCK]
    with folder.fs.open(folder.full_path(LOCK), "wb") as file:
        file.write(json.dumps(HERE | {"pid": dead}).encode())
    assert f"process {dead}" in refused(folder)
    assert other.poll() is None


def test_the_lock_ends_with_the_process_however_that_ends(folder, other):
    other.send_signal(signal.SIGKILL)
    other.wait()
    with folder_lock(folder):
        assert json.loads(folder.read(LOCK)) == HERE


@pytest.mark.parametrize("left", [b"", b"\0\0\0\0", b"[1]", json.dumps(HERE | {"pid": 1}).encode()])
def test_a_file_that_nobody_holds_locks_nobody_out(folder, left):
    """As a power cut leaves it, or a process whose number another has now."""
    folder.write(LOCK, left)
    with folder_lock(folder):
        assert json.loads(folder.read(LOCK)) == HERE
    assert folder.entries() == []


def test_of_several_at_once_one_works(folder):
    """Each of them again and again, so that the lock is often taken in the moment in which it goes."""
    folder.write("mine.txt", b"")
    inside, most, worked = 0, 0, 0
    count = threading.Lock()

    def work() -> None:
        nonlocal inside, most, worked
        for _ in range(50):
            try:
                with folder_lock(folder):
                    with count:
                        inside += 1
                        most = max(most, inside)
                        worked += 1
                    with count:
                        inside -= 1
            except UsageError:
                pass

    with ThreadPoolExecutor(4) as threads:
        for each in [threads.submit(work) for _ in range(4)]:
            each.result()
    assert most == 1
    assert worked > 1


# On a store without locks


def test_on_a_store_the_note_of_a_living_process_keeps_others_out(store):
    noted(store, host="elsewhere", pid=1)
    assert refused(store) == (
        f"another dbce works in {store.uri}: process 1 on elsewhere; wait for it or, if you know that it "
        f"is dead, remove {store.full_path(LOCK)}"
    )
    assert store.entries() == [LOCK]
    store.write(LOCK, json.dumps(lock._process(os.getppid())).encode())
    assert f"process {os.getppid()} on {HERE['host']}" in refused(store)


@pytest.mark.parametrize("left", [{"started": "1"}, {"boot": "another"}, {"pid": None}])
def test_on_a_store_a_later_process_of_the_same_number_is_another(store, dead, left):
    noted(store, **{name: value or dead for name, value in left.items()})
    with folder_lock(store):
        assert json.loads(store.read(LOCK)) == HERE
    assert store.entries() == []


@pytest.mark.parametrize("about", [{"host": "elsewhere"}, {"namespace": "pid:[1]"}])
def test_on_a_store_a_process_that_cannot_be_seen_from_here_is_never_taken_for_dead(
    store, dead, about
):
    noted(store, pid=dead, **about)
    assert f"process {dead} on" in refused(store)


def test_on_a_store_of_two_that_take_over_a_lock_one_wins(store, dead, monkeypatch):
    """The other one has looked at the lock before, and acts after the first has taken it."""
    noted(store, pid=dead)
    looked = lock._holder
    found = [HERE | {"pid": dead}]

    def slow(of: Folder) -> dict[str, object]:
        if found:
            noted(of, host="elsewhere", pid=1)  # the faster one holds it now
            return found.pop()
        return looked(of)

    monkeypatch.setattr(lock, "_holder", slow)
    assert "process 1 on" in refused(store)
    assert store.entries() == [LOCK]


def test_a_folder_that_cannot_be_written_to_is_named(anywhere, monkeypatch):
    refuse = fails_with(OSError(28, "No space left on device"))
    monkeypatch.setattr(Folder, "create_once", refuse)
    monkeypatch.setattr(os, "ftruncate", refuse)
    assert "cannot be written to: No space left" in refused(anywhere)
    assert anywhere.entries() == []
