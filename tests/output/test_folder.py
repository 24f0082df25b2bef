"""Files that appear whole or not at all."""

from __future__ import annotations

import pytest

from dbce.output.folder import Folder


@pytest.fixture(params=["plain", "with space", "[1]", "50%25", "größer", "a{b,c}*"])
def folder(request, tmp_path) -> Folder:
    return Folder(str(tmp_path / request.param))


def test_what_is_written_is_read_and_listed(folder):
    folder.write("a/2.txt", b"two")
    folder.write("a/1.txt", b"one")
    folder.write("b.txt", b"three")
    assert folder.read("a/2.txt") == b"two"
    assert folder.names("a/*.txt") == ["a/1.txt", "a/2.txt"]
    assert folder.names("*.txt") == ["b.txt"]


def test_a_file_has_its_name_only_when_it_is_whole(folder):
    with folder.create("a/1.txt") as stream:
        stream.write(b"half")
        assert folder.names("a/*") == []
    assert folder.names("a/*") == ["a/1.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_after_an_error_nothing_is_left_and_what_was_there_stays(folder, error):
    folder.write("a/1.txt", b"before")

    def fail() -> None:
        with folder.create("a/1.txt") as stream:
            stream.write(b"half")
            raise error

    with pytest.raises(error):
        fail()
    assert folder.fs.ls(folder.at("a"), detail=False) == [folder.at("a/1.txt")]
    assert folder.read("a/1.txt") == b"before"


def test_a_folder_is_empty_when_it_is_missing_or_holds_nothing(folder):
    assert folder.is_empty()
    folder.write("a", b"")
    assert not folder.is_empty()
    folder.remove("a")
    assert folder.is_empty()


def test_removing_takes_files_and_folders_and_what_is_missing(folder):
    folder.write("a/b/1.txt", b"")
    folder.remove("a")
    folder.remove("a")
    assert folder.names("a/*") == []


@pytest.mark.parametrize(
    ("uri", "as_spark_names_it"),
    [
        ("/data/out", "file:///data/out"),
        ("memory://bucket/out", "memory://bucket/out"),
    ],
)
def test_spark_gets_a_uri(uri, as_spark_names_it):
    assert Folder(uri).hadoop_uri == as_spark_names_it


def test_any_file_system_will_do():
    folder = Folder("memory://some/where")
    folder.write("a/1.txt", b"one")
    assert folder.names("a/*.txt") == ["a/1.txt"]
    assert folder.read("a/1.txt") == b"one"
