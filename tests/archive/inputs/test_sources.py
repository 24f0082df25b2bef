"""From inputs to the files to read; what dbce itself has written is not among them, unless it is named."""

import gzip
import json
import os
from pathlib import Path

import fsspec
import pytest

from dbce.archive import expand
from dbce.model import UsageError
from tests.archive.build import record
from tests.runs import fails_with, finished_run, printed, refusal, run
from tests.site import snapshots, stored

CDX_11 = " CDX N b a m s k r M S V g\n"
ELEVEN = "com,example)/ 20240506070809 http://example.com/ text/html 200 AAA - - 99 {} {}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """two/a.warc.gz, two/b.arc, one/a.warc.gz and a file that is no archive"""
    for name in ("two/a.warc.gz", "two/b.arc", "one/a.warc.gz", "two/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


def names(*inputs: object, warc_base: object = None) -> list[str]:
    sources = expand([str(each) for each in inputs], str(warc_base) if warc_base else None)
    return [source.name for source in sources]


def complaint(*inputs: object) -> str:
    with pytest.raises(UsageError) as caught:
        expand([str(each) for each in inputs])
    return str(caught.value)


def cdxj(name: str, *offsets: object) -> str:
    entries = (json.dumps({"url": "x", "filename": name, "offset": offset}) for offset in offsets)
    return "".join(f"com,example)/ 20240506070809 {entry}\n" for entry in entries)


def test_archives_have_the_names_of_the_folders_that_make_them_unique(folder: Path) -> None:
    assert names(folder) == ["b.arc", "one/a.warc.gz", "two/a.warc.gz"]
    assert names(folder / "one") == ["a.warc.gz"]
    assert names(folder / "*" / "a.*") == ["one/a.warc.gz", "two/a.warc.gz"]
    file = folder / "two" / "b.arc"
    assert names(file, file, folder / "one" / ".." / "two" / "b.arc") == ["b.arc"]


@pytest.mark.parametrize("ending", ["warc", "warc.gz", "warc.zst", "arc", "arc.gz", "wacz"])
def test_archives_of_every_kind_are_found(tmp_path: Path, ending: str) -> None:
    (tmp_path / f"a.{ending}").touch()
    for found in (tmp_path, tmp_path / "*", tmp_path / f"a.{ending}"):
        assert names(found) == [f"a.{ending}"]


def test_a_list_names_inputs_from_its_own_folder(folder: Path) -> None:
    (folder / "list.txt").write_text("\ufeff# what to read\n\ntwo/b.arc\n@more.txt\n")
    (folder / "more.txt").write_text("one\n")
    assert names(f"@{folder}/list.txt") == ["a.warc.gz", "b.arc"]


@pytest.mark.parametrize("ending", ["cdx", "cdxj", "cdx.gz"])
def test_an_index_gives_offsets_in_the_files_beside_it(folder, ending):
    file = folder / "two" / f"index.{ending}"
    for index in (CDX_11 + ELEVEN.format(30, "b.arc"), cdxj("/elsewhere/b.arc", "30")):
        data = f"{index}{cdxj('b.arc', 20)}".encode()
        file.write_bytes(gzip.compress(data) if ending.endswith("gz") else data)
        (source,) = expand([str(file)])
        assert (source.name, source.offsets) == ("b.arc", (20, 30))


def test_the_files_of_an_index_are_found_under_the_base(folder: Path) -> None:
    (folder / "index.cdxj").write_text(cdxj("two/b.arc", 1) + cdxj("a.warc.gz", 2))
    assert names(folder / "index.cdxj", warc_base=folder / "one") == ["a.warc.gz", "b.arc"]


def test_offsets_unite_and_the_whole_file_wins(folder: Path) -> None:
    for number in (1, 2):
        (folder / "two" / f"{number}.cdxj").write_text(cdxj("b.arc", 5, number))
    (both,) = expand([str(folder / "two" / f"{number}.cdxj") for number in (1, 2)])
    assert both.offsets == (1, 2, 5)
    (whole,) = expand([str(folder / "two" / name) for name in ("1.cdxj", "b.arc", "2.cdxj")])
    assert whole.offsets is None


def test_what_is_missing_or_unknown_is_said_in_one_sentence(folder: Path) -> None:
    assert "does not exist" in complaint(folder / "gone.warc.gz")
    assert "matches no archive" in complaint(folder / "*.warc")
    assert ".warc.gz" in complaint(folder / "two" / "notes.txt")
    assert "cannot read" in complaint(f"@{folder}/gone.txt")
    (folder / "empty").mkdir()
    (folder / "empty/a.html").write_text("<p>A page")
    assert complaint(folder / "empty").endswith(f"its pages are read as {folder}/empty/*.html")
    assert [one.name for one in expand([str(folder / "empty/*.html")])] == ["a.html"]
    assert "no input" in complaint()
    assert "cannot open" in complaint("nosuch://bucket/a.warc.gz")


@pytest.mark.parametrize(
    "line", ["com,example)/ 20240506070809 {broken\n", ELEVEN.format("-", "b.arc"), "\x1f\x8b\n"]
)
def test_an_index_line_that_does_not_parse_is_named_and_costs_no_other(folder, line, caplog):
    file = folder / "two" / "index.cdx"
    file.write_text(cdxj("b.arc", 1) + line + cdxj("b.arc", 2))
    (source,) = expand([str(file)])
    assert source.offsets == (1, 2)
    (told,) = caplog.messages
    assert f"{file}, line 2: " in told


def test_of_many_bad_index_lines_the_first_are_named_and_all_counted(folder, caplog):
    file = folder / "two" / "index.cdx"
    file.write_text("no index line\n" * 50 + cdxj("b.arc", 1))
    expand([str(file)])
    assert len(caplog.messages) == 4
    assert "50 of 51 lines" in caplog.messages[-1]


@pytest.mark.parametrize(
    ("given", "data", "said"),
    [
        (
            "two/a.cdx",
            b"no index line\n" * 2,
            "two/a.cdx, line 1: 3 fields where a CDX has 9 or 11",
        ),
        ("a.cdx", CDX_11.encode(), "lists no capture"),
        ("a.cdxj", cdxj("gone.warc.gz", 1).encode(), "names gone.warc.gz"),
        ("a.cdx.gz", gzip.compress(CDX_11.encode() * 99, mtime=0)[:-20], "cannot read the index"),
        ("a.cdx", b"x" * 3_000_000, "a line of more than"),
        ("@list.txt", b"@list.txt\n", "names itself"),
    ],
)
def test_an_index_or_a_list_of_no_use_is_said_to_be_so(folder, given, data, said) -> None:
    name = given.removeprefix("@")
    (folder / name).write_bytes(data)
    assert said in complaint(given.replace(name, f"{folder}/{name}"))


def test_an_unreadable_folder_is_a_usage_error(folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(os, "scandir", fails_with(PermissionError(13, "Permission denied")))
    assert "Permission denied" in complaint(folder)


def test_remote_files_are_inputs_like_local_ones() -> None:
    files = fsspec.filesystem("memory")
    files.pipe("/remote/x/a.warc.gz", b"")
    files.pipe("/remote/x/index.cdxj", cdxj("a.warc.gz", 4).encode())
    assert names("memory://remote/x") == ["a.warc.gz"]
    assert names("memory://remote/*/*.warc.gz") == ["a.warc.gz"]
    (source,) = expand(["memory://remote/x/index.cdxj"])
    assert (source.name, source.offsets) == ("a.warc.gz", (4,))


# A run does not read what dbce itself has written, unless it is named.


@pytest.fixture(params=["conversion", "response"])
def crawl(tmp_path: Path, request) -> Path:
    """A folder with an archive, and in it the folder of a run over it."""
    (tmp_path / "a.warc.gz").write_bytes(stored(*snapshots(2014)))
    options = ["--wacz", "--record-type", request.param]
    finished_run(tmp_path, tmp_path / "out", *options, method="T002")
    return tmp_path


def test_a_finished_run_in_a_folder_is_left_out_and_a_line_says_so(crawl: Path, caplog) -> None:
    assert names(crawl) == ["a.warc.gz"]
    assert caplog.messages == [
        f"left out: {crawl}/out (a finished run); what is named itself is read"
    ]
    assert names(crawl / "**") == ["a.warc.gz"]
    assert len(caplog.messages) == 2


def test_outputs_that_were_moved_are_known_by_their_warcinfo(crawl: Path, caplog) -> None:
    (crawl / "out/run.json").unlink()  # as of a run that is at work
    assert names(crawl) == ["a.warc.gz"]
    caplog.clear()
    for number, path in enumerate([*crawl.glob("out/w*/*.warc.gz"), *crawl.glob("out/w*/*.wacz")]):
        path.rename(crawl / f"{number}{''.join(path.suffixes[-2:])}".replace(".dbce", ""))
    assert names(crawl) == names(crawl / "*") == ["a.warc.gz"]
    assert "0.warc.gz (written by dbce)" in caplog.messages[0]
    assert "1.wacz (written by dbce)" in caplog.messages[0]


def test_an_output_that_is_named_itself_is_read(crawl: Path, caplog) -> None:
    output = next(crawl.glob("out/warc/*.warc.gz"))
    assert names(output) == [output.name]
    (crawl / "list.txt").write_text(f"{output}\n")
    assert names(f"@{crawl}/list.txt") == [output.name]
    assert caplog.messages == []


def test_a_folder_of_outputs_alone_says_what_is_wrong_with_it(crawl: Path) -> None:
    with pytest.raises(
        UsageError, match=r"is a finished run, .*: dbce text .*/out, dbce view .*/out"
    ):
        names(crawl / "out")
    for given in ("out/warc", "out/w*/*"):
        with pytest.raises(UsageError, match="but what a run must not read: its own outputs"):
            names(crawl / given)


def test_the_same_call_twice_reads_the_same_and_makes_no_archive_of_nights(crawl, capsys) -> None:
    finished_run(crawl, crawl / "out", "--overwrite", method="T002")
    assert "captures        4" in capsys.readouterr().out
    before = sorted(crawl.rglob("*"))
    assert f"{crawl}/out is a finished run" in refusal(
        capsys, "nightly", crawl, "--archive", crawl / "out"
    )
    assert sorted(crawl.rglob("*")) == before


def test_archives_of_others_are_read_whatever_they_say_of_us(tmp_path: Path) -> None:
    for number, block in enumerate((b"software: dbcemirror/1\r\n", b"description: dbce/0.1\r\n")):
        info = record(0, block, kind="warcinfo", url="", media=None)
        (tmp_path / f"{number}.warc").write_bytes(info)
    quoting = record(1, b"software: dbce/0.1.0\r\n", kind="metadata", media="text/plain")
    (tmp_path / "2.warc").write_bytes(quoting)
    (tmp_path / "3.warc").write_bytes(b"software: dbce/0.1.0\r\n")
    assert names(tmp_path) == ["0.warc", "1.warc", "2.warc", "3.warc"]


def test_a_night_takes_no_outputs_and_is_not_overwritten_by_a_run(crawl: Path, capsys) -> None:
    nights = str(crawl / "nights")
    options = ["--archive", nights, "--master", "none", "--method", "T002"]
    assert "1 file, 4 captures" in printed(capsys, "nightly", crawl, *options)
    assert "nothing new among 1 file" in printed(capsys, "nightly", crawl, *options)
    before = sorted(crawl.rglob("*"))
    assert run(crawl, nights, "--overwrite") == 2
    assert f"{nights} is a nightly archive" in capsys.readouterr().err
    assert sorted(crawl.rglob("*")) == before
