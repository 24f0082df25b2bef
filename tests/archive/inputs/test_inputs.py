"""Standard input, one HTML file, a page of the web and what else may be given, or is refused in one sentence."""

import gzip
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest
import zstandard

from dbce.archive import PlainText, Source, capture, expand, read, remove_spooled, write_wet
from dbce.archive.inputs.files import path_of
from dbce.archive.inputs.page import declared_url, fetch, is_web_page
from dbce.cli import main
from dbce.model import Capture, Limits, UsageError
from tests.archive import store
from tests.archive.build import PAGE, record
from tests.archive.store import served
from tests.crawls import wacz
from tests.runs import printed, refusal
from tests.site import TOPICS, article, page, stored

WARC = stored(*map(page, TOPICS))
CHANGED = datetime(2016, 2, 3, 4, 5, 6, tzinfo=UTC)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where temporary files lie."""
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    remove_spooled()


def piped(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Lets bytes come on standard input, which can be read once and not sought in."""
    stream = io.BufferedReader(Pipe(data))  # type: ignore[arg-type]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))


class Pipe(io.RawIOBase):
    def __init__(self, data: bytes) -> None:
        self._data = data

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        part, self._data = self._data[: min(100, len(buffer))], self._data[100:]
        buffer[: len(part)] = part
        return len(part)


def html_file(folder: Path, data: str | bytes = PAGE, name: str = "page.html") -> str:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    os.utime(path, (CHANGED.timestamp(), CHANGED.timestamp()))
    return str(path)


def only(*inputs: str, url: str | None = None) -> Capture:
    (source,) = expand(inputs, url=url)
    (found,) = read(Source.from_plain(source.plain()), Limits())
    assert isinstance(found, Capture)
    return found


def complaint(*inputs: str, url: str | None = None) -> str:
    with pytest.raises(UsageError) as caught:
        expand(inputs, url=url)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def command(*words: str) -> int:
    return main([*words, "--master", "none", "--method", "T002"])


# Standard input


def test_a_run_reads_standard_input_as_it_reads_the_file(tmp_path, kept, monkeypatch):
    (tmp_path / "stdin.warc.gz").write_bytes(WARC)
    assert command("run", str(tmp_path / "stdin.warc.gz"), "--out", str(tmp_path / "file")) == 0
    piped(monkeypatch, WARC)
    assert command("run", "-", "--out", str(tmp_path / "piped")) == 0
    assert list(kept.iterdir()) == []
    account = json.loads((tmp_path / "piped/run.json").read_text())
    assert account["places"] == {"stdin.warc.gz": "-"}
    for table in ("pages", "nodes"):
        file, pipe = (pq.read_table(tmp_path / out / table) for out in ("file", "piped"))
        assert file.num_rows
        assert file.equals(pipe)


def test_what_was_kept_is_removed_after_an_error_too(tmp_path, kept, monkeypatch, capsys):
    piped(monkeypatch, WARC)
    (tmp_path / "file").touch()
    assert command("run", "-", "--out", str(tmp_path / "file")) == 2
    assert list(kept.iterdir()) == []
    piped(monkeypatch, WARC)
    assert "records         4  (4 response)" in printed(capsys, "check", "-", "--jobs", "1")
    assert list(kept.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (WARC, "stdin.warc.gz"),
        (gzip.decompress(WARC), "stdin.warc"),
        (zstandard.compress(gzip.decompress(WARC)), "stdin.warc.zst"),
        (wacz({"a.warc.gz": WARC}), "stdin.wacz/archive/a.warc.gz"),
    ],
)
@pytest.mark.usefixtures("kept")
def test_standard_input_is_what_its_first_bytes_say(monkeypatch, data, name):
    piped(monkeypatch, data)
    (source,) = expand(["-", "-"])
    assert source.name == name
    assert len([one for one in read(source, Limits()) if isinstance(one, Capture)]) == 4


@pytest.mark.usefixtures("kept")
def test_a_page_on_standard_input_is_a_page(monkeypatch):
    piped(monkeypatch, b"<!DOCTYPE html>" + PAGE)
    found = only("-", url="http://example.com/bread")
    assert (found.url, found.origin.filename) == ("http://example.com/bread", "stdin.html")
    piped(monkeypatch, b"<!DOCTYPE html>" + PAGE)
    assert only("-").url == "file:///dev/stdin"


def test_standard_input_is_refused_where_it_makes_no_sense(tmp_path, kept, monkeypatch, capsys):
    for data, told in ((b"", "nothing came"), (b"\x04\x22\x4d\x18", "compressed with LZ4")):
        piped(monkeypatch, data)
        assert told in complaint("-")
    terminal = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=terminal))
    assert "is a terminal" in complaint("-")
    out = str(tmp_path / "out")
    assert main(["run", "-", "--out", out, "--master", "spark://host:7077"]) == 2
    assert command("run", "-", "--out", out, "--resume") == 2
    assert command("nightly", "-", "--archive", out) == 2
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(";")[0] for line in said[:2]] == [
        "dbce: other machines cannot read standard input",
        "dbce: a run on standard input cannot be resumed, because its input is gone",
    ]
    assert said[2:] == [
        "dbce: a night takes files that stay, and standard input does not: save it into the incoming folder"
    ]


# HTML files


def test_an_html_file_is_a_capture_of_the_url_that_was_given_or_else_of_its_place(tmp_path):
    found = only(html_file(tmp_path), url="http://example.com/bread")
    assert (found.url, found.payload) == ("http://example.com/bread", PAGE)
    assert found.timestamp == CHANGED
    assert only(html_file(tmp_path, name="a b.HTML")).url == (tmp_path / "a b.HTML").as_uri()
    assert only(html_file(tmp_path, name="page")).origin.filename == "page"
    assert only(html_file(tmp_path, name="page.php"), url="http://a.b/").url == "http://a.b/"
    assert "is not a supported file type" in complaint(html_file(tmp_path, "No page.", "notes"))


@pytest.mark.parametrize(
    ("head", "url"),
    [
        ("<!-- saved from url=(0022)http://example.com/a -->", "http://example.com/a"),
        ("<!--\n Page saved with SingleFile \n url: https://a.example/b \n", "https://a.example/b"),
        ("<!-- Page saved with SingleFileZ\n saved date: x\n url: https://b/c -->", "https://b/c"),
        ('<link href="http://a.example/?a=1&amp;b" rel="canonical">', "http://a.example/?a=1&b"),
        ("<meta property=og:url content=http://example.com/c>", "http://example.com/c"),
        ('<link rel="canonical" href="/relative"><link rel="next" href="http://b.example/">', ""),
        ("<p>http://example.com/", ""),
    ],
)
def test_a_page_names_its_url(head, url):
    assert declared_url(f"<html>{head}<p>Bread".encode()) == url


def test_several_files_are_compared_and_an_unchanged_one_is_read_alike_twice(tmp_path):
    files = [html_file(tmp_path, article(topic), f"{topic}.html") for topic in TOPICS]
    assert command("run", *files, "--out", str(tmp_path / "out")) == 0
    rows = pq.read_table(tmp_path / "out" / "pages").to_pylist()
    assert [row["status"] for row in rows] == ["annotated"] * 4
    assert {row["warc_filename"] for row in rows} == {f"{topic}.html" for topic in TOPICS}


def test_one_url_is_of_one_file(tmp_path):
    files = [html_file(tmp_path, name=name) for name in ("a.html", "b.html")]
    assert "2 are among the inputs" in complaint(*files, url="http://example.com/")
    (tmp_path / "a.warc").write_bytes(record(1))
    assert "none are among" in complaint(str(tmp_path / "a.warc"), url="http://example.com/")


def test_a_picture_that_is_called_html_is_no_page(tmp_path):
    (source,) = expand([html_file(tmp_path, b"\x89PNG\r\n\x1a\n" + bytes(99))])
    (found,) = read(source, Limits())
    assert found.reason == "not-html"


# What else there is


def test_the_query_of_an_address_does_not_hide_what_the_file_is(tmp_path):
    (tmp_path / "a.warc.gz").write_bytes(WARC)
    html_file(tmp_path)
    with served(tmp_path, ranges=True) as server:
        (source,) = expand([f"{server.url}/a.warc.gz?download=1"])
        assert len(list(read(source, Limits()))) == 4
        told = complaint(f"{server.url}/page.html")
        assert f"wget --warc-file=page {server.url}/page.html" in told
    assert path_of("/a?b.warc") == "/a?b.warc"


def test_what_is_not_read_is_refused_with_what_would_be_taken(tmp_path):
    for name, told in (
        ("a.warc.lz4", f"lz4 -dc {tmp_path}/a.warc.lz4 | dbce run - "),
        ("a.warc.wet.gz", "holds plain texts (WET) and no pages; give the WARC"),
        ("a.pdf", "is not a supported file type; supported are .warc"),
    ):
        (tmp_path / name).write_bytes(b"?")
        assert told in complaint(str(tmp_path / name))


def test_our_own_texts_can_be_checked(tmp_path, capsys):
    bread = capture("http://example.com/", PAGE, "20240506070809")
    with (tmp_path / "a.warc.wet.gz").open("wb") as file:
        text = PlainText(bread.record_id, bread.url, bread.surt, bread.timestamp, "Bread.")
        write_wet(file, [text], "0123456789ab", "0.1.0")
    said = printed(capsys, "check", tmp_path / "a.warc.wet.gz", "--strict")
    assert "records         2  (1 conversion, 1 warcinfo)" in said
    assert "digests         3 compared" in said


def test_an_empty_folder_among_inputs_is_a_warning(tmp_path, caplog):
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.warc").write_bytes(record(1))
    (tmp_path / "list.txt").write_text("empty\n")
    given = [str(tmp_path / "empty"), str(tmp_path / "a.warc"), f"@{tmp_path}/list.txt"]
    assert [source.name for source in expand(given)] == ["a.warc"]
    assert [one.partition(": ")[2] for one in caplog.messages] == [
        f"the folder {tmp_path}/empty holds no .warc, .warc.gz, .warc.zst, .arc, .arc.gz or .wacz file",
        f"line 1 of {tmp_path}/list.txt names nothing that can be read",
    ]
    assert "holds no" in complaint(given[0], given[2])


# One page of the web as an input of `dbce text`.


EELS = (
    "<!doctype html><title>Eel traps</title><h1>Eel traps</h1><p>The weir below the mill has held eel "
    "traps since the flood, and three families still empty them before dawn.</p>"
)


class _Site(store.Quiet):
    """A page behind a redirect, one that is packed, and one that is missing; counts requests."""

    def do_GET(self) -> None:  # noqa: N802 - as its base calls it
        body = EELS.encode()
        headers = {"Content-Type": "text/html; charset=utf-8"}
        if self.path == "/old":
            headers, body = {"Location": "/packed"}, b""
        if self.path == "/packed":
            headers["Content-Encoding"], body = "gzip", gzip.compress(body)
        self.send_response({"/old": 301, "/gone": 404}.get(self.path, 200))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[store.Served]:
    with store.served(tmp_path, ranges=False, handler=_Site) as server:
        yield server


def test_page_is_fetched_once_and_read_with_its_url(site, capfdbinary) -> None:
    out = printed(
        capfdbinary, "text", f"{site.url}/eels", "--private", "--format", "markdown"
    ).decode()
    assert f"<!-- {site.url}/eels 20" in out
    assert "# Eel traps" in out
    assert "three families" in out
    assert site.asked == ["/eels"]


def test_redirects_are_followed_and_bodies_unpacked(site, capfdbinary) -> None:
    out = printed(capfdbinary, "text", f"{site.url}/old", "--private", "--format", "txt").decode()
    assert f"# {site.url}/packed " in out
    assert "three families" in out
    assert site.asked == ["/old", "/packed"]


@pytest.mark.parametrize(
    ("path", "most", "cause"),
    [
        ("gone", 1000, "cannot be fetched: the answer is 404"),
        ("eels", 100, "cannot be fetched: it has more than 100 bytes"),
    ],
)
def test_error_says_why_a_page_cannot_be_fetched(site, path, most, cause) -> None:
    with pytest.raises(UsageError, match=cause):
        fetch(f"{site.url}/{path}", most, private=True)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_nobody_is_asked_in_a_private_network(site, capsys, host) -> None:
    assert "which is in a private network; --private" in refusal(
        capsys, "text", f"http://{host}:{site.server_port}/eels"
    )
    assert site.asked == []


def test_without_the_library_curl_is_named(monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    err = refusal(capsys, "text", "https://example.org/a")
    assert "pip install 'dbce[http]'" in err
    assert "curl -L https://example.org/a | dbce text - --url https://example.org/a" in err


@pytest.mark.parametrize(
    ("uri", "is_page"),
    [
        *((name, True) for name in ("https://example.org/", "http://example.org/a.html?b=c.warc")),
        *((f"https://a.org/{own}", False) for own in "a.warc.gz a.wacz a.cdxj *.html".split()),
        ("page.html", False),
    ],
)
def test_archives_and_indexes_of_the_web_are_no_pages(uri, is_page) -> None:
    assert is_web_page(uri) is is_page
