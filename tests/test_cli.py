"""The command line: what it prints, what it leaves, and how it ends."""

import io
import json
import sys
from pathlib import Path

import pytest

from dbce.formats.write import FIELDS
from dbce.model import UsageError
from tests.archive.build import answer, members, record
from tests.runs import ended, fails_with, files, printed, refusal
from tests.site import FOOTER, page, snapshots, stored, story


def run(*arguments: object) -> int:
    return ended("run", *arguments, "--master", "none")


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "site.warc.gz"
    path.write_bytes(stored(*snapshots(2014), *snapshots(2015)))
    return path


@pytest.fixture(scope="module")
def finished(archive) -> Path:
    """A finished run, by bit patterns."""
    out = archive.with_name("out")
    assert run(archive, "--out", out, "--method", "T002") == 0
    return out


# Running


def test_a_run_says_what_it_does_and_what_came_out(archive, tmp_path, capsys):
    assert run(archive, "--out", tmp_path / "out") == 0
    out, err = capsys.readouterr()
    assert err.splitlines() == [
        "dbce: stage 1 of 3, reading 1 file",
        "dbce: stage 2 of 3, comparing pages",
        "dbce: stage 3 of 3, judging and writing 1 file",
    ]
    assert "annotated     8" in out
    assert out.splitlines()[-1].startswith(f"outputs         {tmp_path / 'out'}")


def test_a_run_replaces_an_earlier_one_only_when_told_to(archive, tmp_path, capsys):
    out = tmp_path / "out"
    assert run(archive, "--out", out) == 0
    (out / "report").mkdir()
    (out / "report.html").write_bytes(b"")
    (out / "pages" / "old.parquet").write_bytes(b"")
    before = files(out)
    capsys.readouterr()
    assert "--overwrite" in refused(capsys, archive, "--out", out)
    assert files(out) == before
    assert run(archive, "--out", out, "--overwrite") == 0
    assert "pages/old.parquet" not in files(out)
    assert not (out / "report").exists()
    assert not (out / "report.html").exists()


def test_options_change_the_configuration_and_the_command_line_wins(archive, tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text('method = "T001"\ntemplate_similarity = 0.5\n[limits]\ndepth = 99\n')
    out = tmp_path / "out"
    assert run(archive, "--out", out, "--config", settings, "--template-similarity", "0.4") == 0
    config = json.loads((out / "run.json").read_text())["config"]
    assert (config["method"], config["template_similarity"], config["limits"]["depth"]) == (
        "T001",
        0.4,
        99,
    )


# Bad input


def refused(capsys, *arguments: object, code: int = 2) -> str:
    return refusal(capsys, "run", *arguments, "--master", "none", code=code)


def settings_file(text: str):
    def write(tmp_path: Path) -> list[str]:
        (tmp_path / "in.toml").write_text(text)
        return ["--config", str(tmp_path / "in.toml")]

    return write


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--method", "T009"], "T009"),
        (["--template-similarity", "7"], "template_similarity"),
        (["--threshold", "high"], "high"),
        (["--model", "/no/such.npz"], "/no/such.npz"),
        (["--model", "/no/such.npz", "--method", "T002"], "/no/such.npz"),
        (["--model", __file__], "not a valid model file"),
        (["--max-reject-ratio", "2"], "max_reject_ratio"),
        (["--partitions", "0"], "partitions"),
        (["--no-such-option"], "--no-such-option"),
        (["--config", "/no/such.toml"], "/no/such.toml"),
        (["--config", ""], "an argument is empty"),
        (settings_file("method = 3"), "method"),
        (settings_file("[limits]\ndepth = 'x'"), "depth"),
        (settings_file("method = "), "TOML"),
        (["--warc-base"], "--warc-base"),
    ],
)
def test_a_wrong_option_stops_everything_before_it_starts(archive, tmp_path, capsys, options, said):
    options = options(tmp_path) if callable(options) else options
    out = tmp_path / "out"
    assert said in refused(capsys, archive, "--out", out, *options)
    assert not out.exists()


@pytest.mark.parametrize(
    ("given", "said"), [("missing.warc.gz", "does not exist"), ("index.cdxj", "gone.warc.gz")]
)
def test_an_input_that_is_not_there_stops_everything(tmp_path, capsys, monkeypatch, given, said):
    line = 'com,example)/ 2014 {"url": "http://example.com/", "filename": "gone.warc.gz", '
    (tmp_path / "index.cdxj").write_text(line + '"offset": "0", "length": "9"}\n')
    monkeypatch.chdir(tmp_path)
    before = files(tmp_path)
    assert said in refused(capsys, given, "--out", "out")
    assert files(tmp_path) == before


@pytest.mark.parametrize("overwrite", [[], ["--overwrite"]])
def test_an_output_that_is_a_file_or_below_one_stops_everything(
    archive, tmp_path, capsys, overwrite
):
    path = tmp_path / "file"
    path.write_text("mine")
    for out in (path, path / "out"):
        assert str(path) in refused(capsys, archive, "--out", out, *overwrite)
    assert path.read_text() == "mine"


def test_a_run_never_removes_its_own_input(tmp_path, capsys):
    source = tmp_path / "warc" / "a.warc.gz"
    source.parent.mkdir()
    source.write_bytes(stored(*snapshots(2014)))
    before = source.read_bytes()
    assert "input" in refused(capsys, source, "--out", tmp_path, "--overwrite")
    assert source.read_bytes() == before


@pytest.mark.parametrize(("ratio", "code"), [("0.2", 0), ("0.19", 3), ("0", 3), ("1", 0)])
def test_too_many_rejects_make_another_exit_code_and_all_outputs(tmp_path, capsys, ratio, code):
    source, out = tmp_path / "a.warc.gz", tmp_path / "out"
    (broken,) = members([record(1, b"no http at all", record_id="<urn:test:bad>")])
    source.write_bytes(stored(*snapshots(2014)) + broken)
    assert run(source, "--out", out, "--max-reject-ratio", ratio) == code
    warning = capsys.readouterr().err.splitlines()[-1]
    assert warning.startswith("dbce: warning: rejected 1 of 5 captures")
    assert f"{out}/rejects" in warning
    assert json.loads((out / "run.json").read_text())["captures"]["annotated"] == 4


def test_a_file_that_is_no_archive_is_one_reject(tmp_path, capsys):
    (tmp_path / "a.warc.gz").write_bytes(b"")
    assert run(tmp_path, "--out", tmp_path / "out") == 3
    assert "rejected 1 of 1 captures" in capsys.readouterr().err
    assert "report.html" in printed(capsys, "report", tmp_path / "out")


BUG = ZeroDivisionError("a bug\nof two lines\n\tat org.Some(Some.java:1)\nTraceback (most")


def test_no_traceback_reaches_a_user(archive, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("dbce.run.job.run_stages", fails_with(BUG))
    said = refused(capsys, archive, "--out", tmp_path / "out", code=1)
    assert said == "dbce: ZeroDivisionError: a bug of two lines (--debug shows where)\n"


def test_debug_shows_where_an_error_was_raised(archive, tmp_path, monkeypatch):
    monkeypatch.setattr("dbce.run.job.run_stages", fails_with(BUG))
    with pytest.raises(ZeroDivisionError):
        run(archive, "--out", tmp_path / "out", "--debug")
    with pytest.raises(UsageError):
        run("missing", "--out", tmp_path / "out", "--debug")


@pytest.mark.parametrize("before", [True, False])
def test_quiet_leaves_warnings_and_errors(archive, tmp_path, capsys, before):
    words = ["run", archive, "--out", tmp_path / "out", "--master", "none"]
    assert ended(*(["--quiet", *words] if before else [*words, "--quiet"])) == 0
    said = capsys.readouterr().err
    assert "stage" not in said
    assert all(line.startswith("dbce: warning: ") for line in said.splitlines())


def test_a_format_may_be_named_as_its_files_end(tmp_path, capsys):
    (tmp_path / "page.html").write_text("<h1>Ferry</h1><p>It takes four people and a goat.")
    for name in ("md", "markdown"):
        assert ended("text", tmp_path / "page.html", "--format", name) == 0
    shown = capsys.readouterr().out
    assert shown[: len(shown) // 2] == shown[len(shown) // 2 :] != ""


def test_without_a_command_one_sentence_says_so(capsys):
    assert "COMMAND" in refusal(capsys)


# Reading what a run left


def test_text_is_a_json_line_a_page(finished, capsys):
    assert ended("text", finished) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    expected = [*snapshots(2014), *snapshots(2015)]
    assert [line["record_id"] for line in lines] == [one.record_id for one in expected]
    first = lines[0]
    assert list(first) == list(FIELDS)
    assert (first["title"], first["title_source"]) == ("ferry", "title")
    assert first["url"] == "http://harbour.example/ferry"
    assert first["timestamp"] == "20140101000000"
    assert story("ferry") in first["text"]
    assert FOOTER not in first["text"]


def test_show_tells_cross_bits_and_why(finished, capsys):
    shown = printed(capsys, "show", finished, "http://harbour.example/ferry")
    assert shown.startswith("http://harbour.example/ferry  20150101000000  annotated\n")
    assert "title:  ferry" in shown
    assert "cross 11110" in shown
    assert "  prev  http://harbour.example/ferry  20140101000000\n" in shown
    assert "  next  (none)" in shown
    assert "template similarity 1.00" in shown
    assert "content: also on prev; the bit pattern says so in every comparison" in shown
    assert "+ 0.75 10010   4 ferry0 ferry1" in shown
    assert "boilerplate: also on up, down, prev; " in shown
    assert f"- 0.25 11110   5 {FOOTER}" in shown


@pytest.mark.parametrize(
    ("time", "shown"), [("2014", "2014"), ("2015", "2015"), ("20140630", "2014"), ("1999", "2014")]
)
def test_show_finds_the_snapshot_nearest_to_a_time(finished, capsys, time, shown):
    assert (
        f"  {shown}0101000000  annotated"
        in printed(
            capsys, "show", finished, "https://www.harbour.example/ferry/", "--at", time
        ).splitlines()[0]
    )


@pytest.mark.parametrize("command", ["show", "strip"])
def test_a_time_that_is_none_is_named(finished, capsys, command):
    said = refusal(capsys, command, finished, "http://harbour.example/ferry", "--at", "noon")
    assert "--at noon is not a time" in said


def test_strip_gives_a_page_of_a_run_back(finished, capsysbinary):
    for year, at in ((2015, []), (2014, ["--at", "2014"])):
        assert (
            printed(capsysbinary, "strip", finished, "http://harbour.example/maps", *at)
            == snapshots(year)[3].payload
        )


MARKED = b'<p data-dbce="content" data-dbce-p="0.75" data-dbce-bits="10000">One</p>'


@pytest.mark.parametrize("name", ["page.html", "-"])
def test_strip_reads_a_file_or_standard_input(name, tmp_path, monkeypatch, capsysbinary):
    monkeypatch.chdir(tmp_path)
    Path("page.html").write_bytes(MARKED)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MARKED)))
    assert printed(capsysbinary, "strip", name) == b"<p>One</p>"


def test_strip_of_a_missing_file_is_one_sentence(tmp_path, capsys):
    assert "cannot read" in refusal(capsys, "strip", tmp_path / "none.html")
    assert "name the URL of a page" in refusal(capsys, "strip", tmp_path)
    assert ended("sample", "/dev/null/archive") == 4, "as of all outputs that cannot be written"


def test_a_page_that_was_not_annotated_is_shown_with_its_reason(tmp_path, capsys):
    empty = page("empty", html="<html><body></body></html>")
    missing = members([record(1, answer(b"gone", "404 Not Found"), url=page("lost").url)])[0]
    (tmp_path / "a.warc.gz").write_bytes(stored(*snapshots(2014), empty) + missing)
    run(tmp_path, "--out", tmp_path / "out")
    capsys.readouterr()
    assert "is skipped (no-text): not annotated" in refusal(
        capsys, "strip", tmp_path / "out", empty.url
    )
    for url, reason in ((empty.url, "no-text"), (page("lost").url, "http-status")):
        assert f"reason: {reason}" in printed(capsys, "show", tmp_path / "out", url)


def test_a_run_may_lie_on_any_file_system(archive, capsysbinary):
    out = "memory://runs/cli"
    assert run(archive, "--out", out) == 0
    capsysbinary.readouterr()
    assert ended("text", out) == 0
    assert len(capsysbinary.readouterr().out.splitlines()) == 8
    assert ended("show", out, "http://harbour.example/maps") == 0
    assert (
        printed(capsysbinary, "strip", out, "http://harbour.example/maps")
        == snapshots(2015)[3].payload
    )


def test_pages_to_look_at_are_exported(finished, tmp_path, capsys):
    pages = tmp_path / "pages"
    assert f"{pages}/index.html: " in printed(
        capsys, "view", finished, "--export", pages, "--captures", 3
    )
    assert len(list((pages / "pages").glob("capture-*.html"))) == 3
    assert "--captures must be at least 1 (got 0)" in refusal(
        capsys, "view", finished, "--export", pages, "--captures", 0
    )
