"""One run at a time in a folder; one that was begun goes on with what it began with."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from dataclasses import replace
from importlib import import_module

import pytest

from dbce.archive import Source
from dbce.model import Config, UsageError
from dbce.output.begun import LOCK, begin, has_begun, is_free, locked, resumed
from dbce.progress import LOG
from dbce.storage.folder import Folder

CONFIG = Config(method="T002")
HERE = socket.gethostname()


@pytest.fixture
def folder(tmp_path) -> Folder:
    return Folder(str(tmp_path / "out"))


@pytest.fixture(scope="module")
def dead() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def held(folder: Folder, host: str, pid: int) -> None:
    folder.write(LOCK, json.dumps({"host": host, "pid": pid}).encode())


def test_a_lock_says_who_holds_it_and_goes_with_the_block(folder):
    folder.write("mine.txt", b"")
    with locked(folder):
        assert json.loads(folder.read(LOCK)) == {"host": HERE, "pid": os.getpid()}
    assert folder.entries() == ["mine.txt"]


def test_a_folder_that_was_not_there_is_gone_again_where_nothing_was_done(folder):
    with pytest.raises(ValueError, match="no Spark"), locked(folder):
        raise ValueError("no Spark")
    assert not folder.exists("")


@pytest.mark.parametrize("host", ["elsewhere", HERE])
def test_a_second_run_is_refused_with_process_and_host(folder, host):
    held(folder, host, 1)
    with pytest.raises(UsageError) as refused, locked(folder):
        pytest.fail("two runs at once")
    assert str(refused.value) == (
        f"process 1 on {host} works in {folder.uri}; wait for it or, if you know that it is dead, "
        f"remove {folder.at(LOCK)}"
    )
    assert folder.entries() == [LOCK]


def test_a_lock_that_says_nothing_is_kept(folder):
    folder.write(LOCK, b"")
    with pytest.raises(UsageError, match="another process works in"), locked(folder):
        pytest.fail("two runs at once")


def test_the_lock_of_a_dead_process_is_taken_over(folder, dead):
    held(folder, HERE, dead)
    with locked(folder):
        assert json.loads(folder.read(LOCK))["pid"] == os.getpid()
    assert folder.entries() == []


def test_a_process_of_another_machine_is_never_taken_for_dead(folder, dead):
    held(folder, "elsewhere", dead)
    with pytest.raises(UsageError, match=f"process {dead} on elsewhere"), locked(folder):
        pytest.fail("two runs at once")


def test_of_two_that_take_over_a_lock_one_wins(folder, dead, monkeypatch):
    """The other one has looked at the lock before, and acts after the first has taken it."""
    held(folder, HERE, dead)
    module = import_module("dbce.output.begun")
    looked = module._holder
    found = [{"host": HERE, "pid": dead}]

    def slow(of: Folder) -> dict[str, object]:
        if found:
            held(of, HERE, 1)  # the faster one is alive and holds it now
            return found.pop()
        return looked(of)

    monkeypatch.setattr(module, "_holder", slow)
    with pytest.raises(UsageError, match="process 1 on"), locked(folder):
        pytest.fail("two runs at once")
    assert folder.entries() == [LOCK]


def test_a_folder_that_cannot_be_written_to_is_named(folder, monkeypatch):
    def refuse(*_: object) -> bool:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Folder, "create_once", refuse)
    with pytest.raises(UsageError, match="cannot be written to: No space left"), locked(folder):
        pytest.fail("nothing to lock")


# What a run began with


def source(name: str, folder: str = "/in") -> Source:
    return Source(name, f"{folder}/{name}", None)


SOURCES = (source("a.warc.gz"), replace(source("b.warc.gz"), offsets=(3, 7)))


def test_what_was_begun_is_gone_on_with(folder):
    assert is_free(folder)
    begin(folder, SOURCES, CONFIG)
    assert has_begun(folder)
    assert not is_free(folder)
    assert resumed(folder, SOURCES, CONFIG) == SOURCES


def test_a_folder_with_anything_else_in_it_is_not_free(folder):
    folder.write("notes.txt", b"")
    assert not is_free(folder)


def test_the_rest_of_a_run_that_died_before_it_began_is_free(folder, dead):
    held(folder, HERE, dead)
    folder.write("work/.begun.json.1.draft", b"{")
    assert is_free(folder)


def test_another_configuration_is_refused(folder):
    begin(folder, SOURCES, CONFIG)
    for other in ({"template_similarity": 0.5}, {"wet": True}, {"wacz": True}):
        with pytest.raises(UsageError, match="was begun with another configuration; give the same"):
            resumed(folder, SOURCES, replace(CONFIG, **other))
    more = replace(CONFIG, max_reject_ratio=1.0)  # changes no result
    assert resumed(folder, SOURCES, more) == SOURCES


def test_a_missing_input_is_refused_by_name(folder):
    begin(folder, SOURCES, CONFIG)
    with pytest.raises(UsageError, match=r"was begun with /in/b\.warc\.gz, which is not among"):
        resumed(folder, SOURCES[:1], CONFIG)


def test_files_that_came_later_are_left_out_with_a_warning(folder, caplog, monkeypatch):
    """Even where they change how the earlier ones would be called."""
    monkeypatch.setattr(LOG, "handlers", [caplog.handler])  # whatever ran before
    monkeypatch.setattr(LOG, "propagate", False)
    begin(folder, SOURCES, CONFIG)
    renamed = replace(SOURCES[0], name="in/a.warc.gz")
    late = Source("late/a.warc.gz", "/in/late/a.warc.gz", None)
    assert resumed(folder, [renamed, SOURCES[1], late], CONFIG) == SOURCES
    assert caplog.messages == [
        "1 files have come since the run began; they are left to another run"
    ]


def test_a_note_that_is_not_whole_is_no_note(folder, monkeypatch):
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(folder.fs, "mv", die)
    with pytest.raises(KeyboardInterrupt):
        begin(folder, SOURCES, CONFIG)
    assert not has_begun(folder)
