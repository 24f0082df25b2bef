"""`dbce text`: from archives, pages and standard input in one step, as from a finished run."""

import io
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dbce import archive as archives
from dbce.archive import Source, capture
from dbce.commands.archives import TEXT
from dbce.commands.text import NAMED_REJECTS
from tests import runs
from tests.archive.build import members, record
from tests.runs import ended, in_python, refusal
from tests.site import FOOTER, MENU, TOPICS, article, snapshots, stored, story

FORMATS = next(option.choices for option in TEXT.options() if option.flag == "--format")
MARKUP = (
    "<h2>{0} and <i>others</i></h2><p>{1} <b>bold</b> <a href='/{0}'>{0}</a><br>next line of {0}</p>"
    "<ul><li>{0} one<ul><li>{0} below</li></ul></li><li>{0} two</li></ul><img src=x.png alt='{0}'>"
    "<pre>{0} = 1\n  more</pre><blockquote>{0} said</blockquote><p>W<b>or</b>d {0}</p>"
    "<table><tr><th>{0} a</th><th>{0} b</th></tr><tr><td>{0} c</td><td>{0} d</td></tr></table>"
    "<select><option>{0} choice</option><option>{0} other</option></select><p>{1} end</p>"
)


@pytest.fixture(scope="module")
def patterns(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("settings") / "patterns.toml"
    path.write_text('method = "T002"\n')
    return path


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Path:
    """Two snapshots of a site, with markup in its articles, and a damaged record."""
    pages = []
    for year in (2014, 2015):
        for topic in TOPICS:
            html = article(topic).replace(
                '<div class="foot">', MARKUP.format(topic, story(topic, 5)) + '<div class="foot">'
            )
            pages.append(capture(f"http://harbour.example/{topic}", html, f"{year}0101"))
    bad = members([record(99, b"no http at all", record_id="<urn:test:bad>")])[0]
    path = tmp_path_factory.mktemp("archive") / "site.warc.gz"
    path.write_bytes(stored(*pages) + bad)
    return path


@pytest.fixture(scope="module")
def finished(archive, patterns) -> Path:
    out = archive.with_name("out")
    assert ended("run", archive, "--out", out, "--config", patterns, "--master", "none") == 0
    return out


@pytest.fixture
def stdin(monkeypatch):
    def give(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


@pytest.fixture
def printed(capsysbinary) -> Callable[..., str]:
    """What `dbce text` prints, by its arguments; bytes that are no text, as of WET, are told apart."""
    return lambda *words: runs.printed(capsysbinary, "text", *words).decode(
        "utf-8", "surrogateescape"
    )


@pytest.mark.parametrize("form", FORMATS)
def test_an_archive_gives_what_its_finished_run_gives(form, archive, finished, patterns, printed):
    of_run = printed(finished, "--format", form, "--with", "images")
    of_archive = printed(archive, "--format", form, "--images", "--config", patterns)
    assert of_archive == of_run
    assert "ferry1" in of_run or form == "wet"


@pytest.mark.parametrize(
    ("links", "shown"),
    [("keep", "[ferry](http://harbour.example/ferry)"), ("end", "[ferry][1.1]"), ("text", "ferry")],
)
def test_links_stand_as_they_are_asked_for(links, shown, finished, printed):
    out = printed(finished, "--format", "markdown", "--links", links)
    assert shown in out
    assert ("](" in out, "][" in out) == (links == "keep", links == "end")


def test_nothing_is_left_and_no_spark_is_started(archive, patterns, tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    code = (
        "import sys\nfrom dbce.cli import main\n"
        f"code = main(['text', {str(archive)!r}, '--config', {str(patterns)!r}])\n"
        "sys.exit(code or 'pyspark' in sys.modules)"
    )
    assert in_python(code, folder, TMPDIR=str(folder)).stdout.count("\n") == 8
    assert list(folder.iterdir()) == []


def test_what_is_rejected_is_counted_on_stderr_and_named(archive, patterns, tmp_path, capsys):
    strict = tmp_path / "strict.toml"
    strict.write_text('method = "T002"\nmax_reject_ratio = 0.1\n')
    assert ended("text", archive, "--config", patterns) == 0
    assert ended("text", archive, "--config", strict) == 3
    out, err = capsys.readouterr()
    assert out.count("\n") == 16
    named, warning, *again = err.splitlines()
    assert re.fullmatch(rf"dbce: warning: {archive.name} at \d+, urn:\S+: .+", named)
    assert warning == "dbce: warning: rejected 1 of 9 captures (1 bad-http)"
    assert again == [named, warning]


def test_what_leaves_nothing_to_print_is_named(tmp_path, capsys):
    page, out = tmp_path / "a.html", tmp_path / "out"
    page.write_bytes(b"\x89PNG\r\n\x1a\n\0")
    assert ended("run", page, "--out", out, "--master", "none", "--quiet") == 0
    for command, said in (
        (("text", page), "1 of 1 capture without text: what was captured is no HTML page"),
        (("text", out), f"no page with a verdict in {out}"),
        (("list", out), f"no capture of a page in {out}"),
    ):
        capsys.readouterr()
        assert ended(*command) == 0
        assert capsys.readouterr() == ("", f"dbce: {said}\n")


def test_of_many_that_are_rejected_the_first_are_named(patterns, tmp_path, capsys):
    files = [tmp_path / f"{n}.warc.gz" for n in range(NAMED_REJECTS + 2)]
    for file in files:
        file.touch()
    assert ended("text", *files, "--config", patterns) == 3
    *first, last = capsys.readouterr().err.splitlines()
    named = files[:NAMED_REJECTS]
    assert first == [f"dbce: warning: {file.name} at 0: the file is empty" for file in named]
    assert last.endswith("rejected 7 of 7 captures (7 not-an-archive); dbce check names all")


def test_selections_and_several_archives(archive, patterns, tmp_path, printed):
    more = tmp_path / "more.warc.gz"
    more.write_bytes(stored(*snapshots(2016)))
    inputs = (archive, more, "--config", patterns, "--from", "2015")
    stamps = [json.loads(line)["timestamp"][:4] for line in printed(*inputs).splitlines()]
    assert sorted(stamps) == ["2015"] * 4 + ["2016"] * 4


def test_html_files_are_compared_with_each_other(tmp_path, printed):
    for topic in TOPICS:
        (tmp_path / f"{topic}.html").write_text(article(topic))
    out = printed(*sorted(tmp_path.glob("*.html")), "--format", "txt")
    assert [line.split()[1] for line in out.splitlines() if line.startswith("# file:")] == [
        (tmp_path / f"{topic}.html").as_uri() for topic in sorted(TOPICS)
    ]
    assert all(story(topic) in out for topic in TOPICS)
    assert FOOTER not in out
    assert MENU[0] not in out


URL = "http://a.example/x"


@pytest.mark.parametrize(
    ("told", "time"), [(["--url", URL, "--at", "2014"], "20140101000000"), ([], "20140513165320")]
)
def test_a_page_may_say_where_it_is_from_and_of_when_or_else_is_as_old_as_its_file(
    told, time, tmp_path, printed
):
    path = tmp_path / "page.HTM"
    path.write_text(article("ferry", *[story("ferry", 60)] * 2))
    os.utime(path, (1400000000, 1400000000))
    (line,) = map(json.loads, printed(path, *told).splitlines())
    assert (line["url"], line["timestamp"]) == (URL if told else path.as_uri(), time)


def test_standard_input_is_an_archive_or_a_page(archive, patterns, stdin, printed):
    expected = printed(archive, "--config", patterns)
    stdin(archive.read_bytes())
    file = re.compile(r'"warc_filename": "[^"]*"')
    assert file.sub("", printed("-", "--config", patterns)) == file.sub("", expected)
    stdin(article("ferry", *[story("ferry", 60)] * 2).encode())
    shown = printed("-", "--url", "http://a.example/x", "--format", "markdown")
    assert shown.startswith("<!-- http://a.example/x 2")


@pytest.fixture
def things(finished, stdin, tmp_path, monkeypatch):
    """A folder with two pages, a run and an empty folder, and nothing on standard input."""
    monkeypatch.chdir(tmp_path)
    for name in ("page", "more"):
        (tmp_path / f"{name}.html").write_text("<p>One</p>")
    (tmp_path / "out").symlink_to(finished)
    (tmp_path / "empty").mkdir()
    stdin(b"")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-"], "nothing came on standard input"),
        (["missing.html"], "missing.html does not exist"),
        (["page.html", "--at", "May"], "not a time"),
        (["page.html", "more.html", "--url", "http://a.example/"], "one HTML file"),
        (["out", "page.html"], "finished run"),
        (["out", "--url", "http://a.example/"], "holds no page http://a.example/"),
        (["out", "--from", "2025"], "no capture of out matches the selection"),
        (["out", "--at", "2015"], "not for runs"),
        (["page.html", "--format", "pdf"], "pdf"),
        (["empty"], "empty holds no finished run"),
    ],
)
@pytest.mark.usefixtures("things")
def test_what_cannot_be_done_is_one_sentence(arguments, said, capsys):
    assert said in refusal(capsys, "text", *arguments)


def test_several_runs_are_printed_one_after_the_other(finished, printed):
    assert printed(finished, finished).count("\n") == 16


LOOKS = (
    b"<html><body><div><p><b>Hours</b></p><p>It is open on all days of the week but Monday, from nine in "
    b"the morning until five in the afternoon.</p><p><b>Prices</b></p><p>It costs three and a half for "
    b"grown-up people, and nothing at all for children of any age.</p></div></body></html>"
)


@pytest.mark.wing
def test_headings_are_what_looks_like_one_only_where_that_is_asked_for(tmp_path, printed):
    page = tmp_path / "page.html"
    page.write_bytes(LOOKS)
    for given, shown in (((), "**Hours**"), (("--headings", "dbce"), "# **Hours**")):
        assert f"{shown}\n\nIt is open" in printed(page, "--format", "markdown", *given)
    assert json.loads(printed(page, "--headings", "dbce"))["headings"] == [
        {"level": 1, "text": "Hours"},
        {"level": 1, "text": "Prices"},
    ]


@pytest.mark.parametrize("form", ["txt", "jsonl", "markdown", "blocks", "chunks"])
@pytest.mark.parametrize(
    "chosen",
    [
        ("--min-probability", ".7"),
        ("--prefer", "recall"),
        ("--prefer", "precision", "--without", "tables,notes"),
        ("--with", "captions,byline", "--with", "tables"),
    ],
)
def test_other_texts_are_given_out_of_a_run_as_of_its_archive(
    form, chosen, finished, patterns, printed
):
    archive = finished.with_name("site.warc.gz")
    of_run = printed(finished, "--format", form, *chosen)
    assert printed(archive, "--format", form, "--config", patterns, *chosen) == of_run
    assert ("ferry d" in of_run) == ("--without" not in chosen)


def test_a_run_with_a_dial_is_what_another_gives_by_it(archive, finished, tmp_path, printed):
    out = tmp_path / "out"
    dial = ("--min-probability", ".7")
    assert ended("run", archive, "--out", out, "--method", "T002", *dial, "--master", "none") == 0
    assert printed(out) == printed(finished, *dial)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (("--with", "pictures"), "there is no part 'pictures'"),
        (("--with", "notes", "--without", "notes"), "notes is both asked for and left out; name"),
        (("--min-probability", "2"), "min_probability"),
    ],
)
def test_what_cannot_be_given_out_is_one_sentence(chosen, said, finished, archive, capsys):
    for given in (finished, archive):
        assert said in refusal(capsys, "text", given, *chosen)


@pytest.mark.parametrize("form", ["txt", "markdown"])
def test_an_archive_is_read_once_and_its_pages_may_wait_on_disk(
    form, archive, patterns, monkeypatch, printed
):
    reads = []
    read = archives.read

    def counted(source: Source, *arguments: object, **options: object) -> object:
        reads.append(source.name)
        return read(source, *arguments, **options)

    monkeypatch.setattr(archives, "read", counted)
    command = (archive, "--format", form, "--config", patterns)
    in_memory = printed(*command)
    monkeypatch.setattr("dbce.storage.temporary.IN_MEMORY", 1)
    assert printed(*command) == in_memory
    assert "ferry" in in_memory
    assert reads == ["site.warc.gz"] * 2


@pytest.mark.parametrize(
    ("form", "words", "said"),
    [
        ("wet", ("--size", "9"), "--size and --tokenizer are for --format chunks"),
        ("txt", ("--headings", "tags"), "--format txt has no headings"),
        *((form, ("--links", links), form) for form, links in
          (("wet", "text"), ("txt", "text"), ("html", "end"))),
        *((form, ("--guard-formulas",), "--guard-formulas is for --format csv")
          for form in ("jsonl", "wet", "markdown")),
    ],
)  # fmt: skip
def test_a_format_says_what_it_has_not(form, words, said, finished, capsys):
    assert said in refusal(capsys, "text", finished, "--format", form, *words)
