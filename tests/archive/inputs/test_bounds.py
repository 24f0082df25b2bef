"""What may be opened: what the user named, and of what an index names what lies there."""

import json
import os
import socket
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.archive import expand, read
from dbce.archive.inputs.files import is_below, join
from dbce.archive.inputs.source import Source
from dbce.model import Limits, UsageError
from tests.archive.build import outcome
from tests.archive.store import served


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """crawl/b.warc beside the indexes, and elsewhere/secret.warc that nobody named."""
    for name in ("crawl/b.warc", "crawl/deep/c.warc", "elsewhere/secret.warc"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).touch()
    return tmp_path


URL = "http://example.com/"


def cdxj(index: Path, name: str) -> str:
    entry = json.dumps({"url": URL, "filename": name, "offset": 0})
    (file := index.with_suffix(".cdxj")).write_text(f"com,example)/ 20240506070809 {entry}\n")
    return str(file)


def cdx(index: Path, name: str) -> str:
    line = f"com,example)/ 20240506070809 {URL} text/html 200 A - 0 {name}\n"
    (file := index.with_suffix(".cdx")).write_text(line)
    return str(file)


def parquet(index: Path, name: str) -> str:
    rows = [{"url": URL, "warc_filename": name, "warc_record_offset": 0}]
    pq.write_table(pa.Table.from_pylist(rows), file := index.with_suffix(".parquet"))
    return str(file)


every_index = pytest.mark.parametrize("index", [cdxj, cdx, parquet])


def refused(*inputs: str, warc_base: str | None = None) -> str:
    with pytest.raises(UsageError) as caught:
        expand(inputs, warc_base)
    return str(caught.value)


@every_index
@pytest.mark.parametrize(
    "name",
    [
        *(f"{start}/elsewhere/secret.warc" for start in ("{}", "..", "deep/../..")),
        *(f"{scheme}://{{}}/elsewhere/secret.warc" for scheme in ("file", "FILE", "local")),
        *("simplecache::file://{}/elsewhere/secret.warc", "..", "/"),
    ],
)
def test_an_index_opens_what_lies_below_it_and_nothing_elsewhere(place, index, name: str) -> None:
    (source,) = expand([index(place / "crawl/i", "deep/c.warc")])
    assert source.uri == str(place / "crawl/deep/c.warc")
    said = refused(index(place / "crawl/i", name.format(place)))
    assert f"which is not in {place}/crawl; say with --warc-base" in said


def test_an_index_leads_elsewhere_where_the_user_named_that_place(place: Path) -> None:
    up = cdxj(place / "crawl/up", "../elsewhere/secret.warc")
    absolute = cdx(place / "crawl/absolute", f"{place}/elsewhere/secret.warc")
    beside = str(place / "elsewhere/secret.warc")
    for index in (up, absolute):
        for found in (
            expand([index], str(place)),
            expand([index, str(place / "elsewhere")]),
            expand([index, beside]),
            expand([index, str(place / "elsewhere/*.warc")]),
        ):
            assert [source.uri for source in found] == [beside]


def test_an_index_asks_no_server_that_the_user_did_not_name(place: Path) -> None:
    with served(place, ranges=True) as server:
        for name in ("elsewhere/secret.warc", "crawl/../elsewhere/secret.warc"):
            index = cdxj(place / "crawl/i", f"{server.url}/{name}")
            assert "which is not in" in refused(index)
            assert "which is not in" in refused(index, warc_base=f"{server.url}.example")
            assert server.asked == []
            (source,) = expand([index], server.url)
            assert source.uri == f"{server.url}/elsewhere/secret.warc"
            server.asked.clear()


def test_names_that_a_server_might_turn_upwards_are_refused() -> None:
    assert is_below("s3://crawl/a/b.warc", "s3://crawl/index")
    assert not is_below("s3://crawl/a/b.warc", "s3://other/index")
    assert not is_below("https://crawl.example/%2e%2e/b.warc", "https://crawl.example")
    assert not is_below("https://crawl.example@evil.example/b.warc", "https://crawl.example")
    assert join("s3://crawl/a/b", "../../../c.warc") == "s3://crawl/c.warc"


def test_an_index_in_a_store_leads_to_no_local_file(place: Path) -> None:
    index = Path(cdxj(place / "i", f"{place}/elsewhere/secret.warc"))
    fsspec.filesystem("memory").pipe("/bounds/i.cdxj", index.read_bytes())
    assert "which is not in" in refused("memory://bounds/i.cdxj")


# Fifos, sockets and devices


def fifo(path: Path) -> str:
    os.mkfifo(path)
    return "a fifo"


def unix_socket(path: Path) -> str:
    # The address of a socket is short, and a link to it is found as it is.
    with socket.socket(socket.AF_UNIX) as bound:
        short = f"/tmp/dbce-{os.getpid()}-{path.suffix}"
        bound.bind(short)
        Path(short).rename(path)
    return "a socket"


def device(path: Path) -> str:
    path.symlink_to("/dev/zero")
    return "a device"


@pytest.mark.parametrize("name", ["x.warc.gz", "x.wacz"])
def test_a_link_that_leads_nowhere_is_left_out_of_a_folder(place: Path, caplog, name: str) -> None:
    (place / "crawl" / name).symlink_to(place / "gone")
    for given in ("crawl", "crawl/**"):
        assert {source.name for source in expand([str(place / given)])} == {"b.warc", "c.warc"}
    assert len(caplog.messages) == 2
    assert all(f"crawl/{name} (a link that leads nowhere)" in told for told in caplog.messages)
    assert f"{place}/crawl/{name} does not exist" in refused(f"{place}/crawl/{name}")


every_kind = pytest.mark.parametrize("make", [fifo, unix_socket, device])


@every_kind
def test_what_is_no_file_is_not_opened_when_it_is_named(place: Path, make) -> None:
    for name in ("x.warc.gz", "x.wacz", "x.cdxj", "x.parquet"):
        kind = make(place / name)
        assert f"{name} is {kind}, which is never opened" in refused(str(place / name))
    make(place / "crawl/x.warc")
    assert "which is not in" in refused(cdxj(place / "crawl/i", "x.warc"))
    kind = make(place / "list.txt")
    assert f"is {kind}" in refused(f"@{place}/list.txt")


@every_kind
@pytest.mark.parametrize("name", ["x.warc.gz", "x.wacz", "x.parquet"])
def test_what_is_no_file_is_left_out_of_a_folder(place: Path, caplog, make, name: str) -> None:
    kind = make(place / "crawl" / name)
    for given in ("crawl", "crawl/**"):
        found = expand([str(place / given)])
        assert {source.name for source in found} == {"b.warc", "c.warc"}
    assert all(f"crawl/{name} ({kind})" in told for told in caplog.messages)
    assert len(caplog.messages) == (1 if name == "x.parquet" else 2)


def test_what_has_become_a_fifo_since_is_one_reject(tmp_path: Path) -> None:
    fifo(tmp_path / "x.warc")
    (entry,) = read(Source("x.warc", str(tmp_path / "x.warc")), Limits())
    assert outcome(entry) == "not-an-archive"


# Lists


def test_the_lines_of_a_list_are_the_users_word(place: Path) -> None:
    (place / "list.txt").write_text(f"{place}/elsewhere/secret.warc\n")
    (place / "crawl/list.txt").write_text("../elsewhere/secret.warc\n")
    for name in ("list.txt", "crawl/list.txt"):
        (source,) = expand([f"@{place}/{name}"])
        assert source.uri == f"{place}/elsewhere/secret.warc"


@pytest.mark.parametrize(
    "line",
    [
        "root:x:0:0:topsecret",
        "topsecret*.warc.gz",
        "topsecret://x/y.warc.gz",
        "http://127.0.0.1:9/topsecret.warc.gz",
        "@topsecret",
        "crawl/topsecret.txt",
    ],
)
def test_what_a_list_holds_is_not_echoed(place: Path, line: str, caplog) -> None:
    (place / "crawl/topsecret.txt").touch()
    (place / "passwd").write_text(f"crawl/b.warc\n{line}\n")
    with pytest.raises(Exception, match=rf"line 2 of {place}/passwd names nothing") as caught:
        expand([f"@{place}/passwd"])
    assert "topsecret" not in "".join(map(str, (caught.value, caught.value.__cause__)))
    assert "topsecret" not in caplog.text


def test_what_a_list_in_a_list_holds_is_not_echoed(place: Path) -> None:
    (place / "topsecret").write_text("\nalso-topsecret\n")
    (place / "list.txt").write_text("@topsecret\n")
    said = refused(f"@{place}/list.txt")
    assert f"line 2 of a list that line 1 of {place}/list.txt names names nothing" in said
    assert "topsecret" not in said
