"""Folders whose files appear whole or not at all, and values put aside."""

import errno
import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import gettempdir
from typing import BinaryIO

import numpy as np
import pytest

from dbce.model import StoreError, UsageError
from dbce.storage import Shelf, ShelfItems, temporary
from dbce.storage.folder import Folder
from dbce.storage.named_files import write_file
from tests.runs import fails_with

FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture(params=["plain", "with space", "[1]", "50%25", "größer", "a{b,c}*"])
def folder(request, tmp_path) -> Folder:
    return Folder(str(tmp_path / request.param))


def test_what_is_written_is_read_and_listed_on_any_file_system(folder):
    for of in (folder, Folder("memory://some/where")):
        of.write("a/2.txt", b"two")
        of.write("a/1.txt", b"one")
        of.write("b.txt", b"three")
        assert of.read("a/2.txt") == b"two"
        assert of.names("a/*.txt") == ["a/1.txt", "a/2.txt"]
        assert of.names("*.txt") == ["b.txt"]


def test_a_file_has_its_name_only_when_it_is_whole(folder):
    with folder.create("a/1.txt") as stream:
        stream.write(b"half")
        assert folder.names("a/*") == []
    assert folder.names("a/*") == ["a/1.txt"]


def test_hadoop_without_its_client_is_one_sentence(monkeypatch):
    """Arrow lists each place where it looked for Java, forty thousand letters of them."""
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    told = r"^cannot open hdfs://nowhere/crawl: .*HADOOP_HOME"
    with pytest.raises(UsageError, match=told) as error:
        Folder("hdfs://nowhere/crawl")
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_after_an_error_nothing_is_left_and_what_was_there_stays(folder, error):
    folder.write("a/1.txt", b"before")

    def fail() -> None:
        with folder.create("a/1.txt") as stream:
            stream.write(b"half")
            raise error

    with pytest.raises(error):
        fail()
    assert folder.fs.ls(folder.full_path("a"), detail=False) == [folder.full_path("a/1.txt")]
    assert folder.read("a/1.txt") == b"before"


def test_removing_takes_files_and_folders_and_what_is_missing(folder):
    assert not folder.entries()
    folder.write("a/b/1.txt", b"")
    assert folder.entries()
    for _ in range(2):
        folder.remove("a")
        assert not folder.entries()


def test_a_file_that_is_stored_shorter_than_written_never_takes_its_name(folder, monkeypatch):
    monkeypatch.setattr(folder.fs, "size", lambda _: 3)
    with pytest.raises(StoreError, match=r"was stored with 3 of 4 bytes; see what is wrong"):
        folder.write("a.txt", b"half")
    assert folder.entries() == []


def test_a_file_takes_its_name_after_its_check_has_read_it(folder):
    seen = []

    def check(stored: BinaryIO) -> None:
        seen.append((stored.read(), folder.exists("ä" * 120)))

    with folder.create("ä" * 120, check) as stream:
        stream.write(b"whole")
    assert seen == [(b"whole", False)]
    assert folder.read("ä" * 120) == b"whole"


def test_of_several_that_create_a_file_once_one_does(folder):
    with ThreadPoolExecutor(8) as threads:
        won = list(threads.map(lambda n: folder.create_once("one", str(n).encode()), range(8)))
    assert sum(won) == 1
    assert folder.read("one") == str(won.index(True)).encode()


def test_what_could_not_be_created_whole_is_not_there(folder, monkeypatch):
    monkeypatch.setattr("fsspec.implementations.local.LocalFileOpener.write", fails_with(FULL))
    with pytest.raises(OSError, match="No space left"):
        folder.create_once("one", b"1")
    assert folder.entries() == []


def test_drafts_of_the_dead_are_removed_and_nothing_else(folder):
    folder.write("a/1.txt", b"")
    folder.write("a/b/2.draft", b"")
    for draft in (".x.1.draft", "a/.x.2.draft", "a/b/.x.3.draft"):
        with folder.fs.open(folder.full_path(draft), "wb") as stream:
            stream.write(b"half")
    folder.remove_drafts()
    assert folder.fs.find(folder.path) == [*map(folder.full_path, ("a/1.txt", "a/b/2.draft"))]


@pytest.mark.parametrize("uri", ["nonsense://x/y", "no-such+thing://x"])
def test_a_file_system_that_nobody_knows_is_one_sentence(uri):
    with pytest.raises(UsageError, match=r"cannot open .*: Protocol not known"):
        Folder(uri)


@pytest.mark.parametrize("name", ["a.csv", "new/a b.csv", "50%25/größer{a,b}*[1].csv"])
def test_a_named_file_is_written_and_replaced(tmp_path, name):
    for text in ("one\n", "two ü\n"):
        write_file(str(tmp_path / name), text)
        assert (tmp_path / name).read_text("utf-8") == text
    assert [path.name for path in (tmp_path / name).parent.iterdir()] == [Path(name).name]


def test_a_named_file_in_memory_or_behind_a_link_which_stays_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_file("a.csv", b"one")
    assert (tmp_path / "a.csv").read_bytes() == b"one"
    write_file("memory://named/a.csv", b"one")
    assert Folder("memory://named").read("a.csv") == b"one"
    (tmp_path / "real").mkdir()
    (tmp_path / "link.csv").symlink_to(tmp_path / "real" / "a.csv")
    write_file(str(tmp_path / "link.csv"), "one")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real" / "a.csv").read_text() == "one"


def test_a_pipe_takes_what_is_written_and_stays_one(tmp_path):
    os.mkfifo(pipe := tmp_path / "pipe")
    with ThreadPoolExecutor() as reader:
        read = reader.submit(pipe.read_text)
        write_file(str(pipe), "one")
        assert read.result() == "one"
    assert pipe.is_fifo()


def test_what_cannot_be_written_is_one_sentence(tmp_path):
    with pytest.raises(UsageError, match="is a folder; name a file"):
        write_file(str(tmp_path), "")
    write_file(str(tmp_path / "a"), "")
    with pytest.raises(UsageError, match=r"cannot write .*/a/b: "):
        write_file(str(tmp_path / "a" / "b"), "")
    with pytest.raises(StoreError, match="cannot write /dev/full: No space left"):
        write_file("/dev/full", "one")


# Values on a shelf are there again, wherever it keeps them


@pytest.fixture(params=[temporary.IN_MEMORY, 100], ids=["in memory", "on disk"])
def limit(request, monkeypatch) -> int:
    monkeypatch.setattr(temporary, "IN_MEMORY", request.param)
    return request.param


def test_what_is_put_aside_is_taken_in_any_order_and_stays(limit):
    values = [(number, np.arange(number, dtype=np.uint32)) for number in range(50)]
    with Shelf() as waiting:
        places = [waiting.put(value) for value in values]
        for number in (49, 0, 7, 7):
            same, array = waiting.take(places[number])
            assert (same, array.tolist()) == (number, list(range(number)))
        late = waiting.put("late")
        assert waiting.take(late) == "late"
        assert waiting._file._rolled is (limit == 100)


def test_values_travel_to_other_processes_as_a_list(limit):
    with Shelf() as waiting:
        shelved = ShelfItems(waiting, [waiting.put(value) for value in "abc"][::-1])
        assert (list(shelved), len(shelved)) == (["c", "b", "a"], 3)
        assert list(shelved) == ["c", "b", "a"], "once more"
        assert pickle.loads(pickle.dumps(shelved)) == ["c", "b", "a"]


def test_a_full_disk_is_told_in_a_sentence(monkeypatch):
    with Shelf() as waiting:
        monkeypatch.setattr(waiting._file, "write", fails_with(FULL))
        with pytest.raises(StoreError, match=f"^{gettempdir()} cannot be written: No space left"):
            waiting.put(1)
