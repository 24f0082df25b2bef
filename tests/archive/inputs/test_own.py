"""A run does not read what dbce itself has written, unless it is named."""

from pathlib import Path

import pytest

from dbce.archive import expand
from dbce.cli import main
from dbce.model import UsageError
from tests.archive.build import record
from tests.site import snapshots, stored


@pytest.fixture(params=["conversion", "response"])
def crawl(tmp_path: Path, request) -> Path:
    """A folder with an archive, and in it the folder of a run over it."""
    (tmp_path / "a.warc.gz").write_bytes(stored(*snapshots(2014)))
    options = ["--out", str(tmp_path / "out"), "--master", "none", "--method", "T002", "--wacz"]
    assert main(["run", str(tmp_path), *options, "--record-type", request.param]) == 0
    return tmp_path


def names(*inputs: Path | str) -> list[str]:
    return [source.name for source in expand(list(map(str, inputs)))]


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
    options = ["--out", str(crawl / "out"), "--master", "none", "--method", "T002", "--overwrite"]
    assert main(["run", str(crawl), *options]) == 0
    assert "captures        4" in capsys.readouterr().out
    before = sorted(crawl.rglob("*"))
    assert main(["nightly", str(crawl), "--archive", str(crawl / "out")]) == 2
    assert f"{crawl}/out is a finished run" in capsys.readouterr().err
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
    assert main(["nightly", str(crawl), *options]) == 0
    assert "1 file, 4 captures" in capsys.readouterr().out
    assert main(["nightly", str(crawl), *options]) == 0
    assert "nothing new among 1 file" in capsys.readouterr().out
    before = sorted(crawl.rglob("*"))
    assert main(["run", str(crawl), "--out", nights, "--master", "none", "--overwrite"]) == 2
    assert f"{nights} is a nightly archive" in capsys.readouterr().err
    assert sorted(crawl.rglob("*")) == before
