"""Places of inputs, and single records by their place."""

import errno
import gzip
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from dbce.archive import expand, read, read_resource_at
from dbce.archive.inputs.source import Source
from dbce.model import InputError, Limits, StoreError
from tests.archive.build import PAGE, answer, members, outcome, record, stored
from tests.archive.store import served
from tests.runs import fails_with

WHOLE = [record(number, answer(PAGE + b"%d" % number)) for number in range(5)]
GZIPPED = b"".join(members(WHOLE))
LIMITS = Limits()


@pytest.mark.parametrize("ranges", [True, False])
def test_archives_are_read_over_http(tmp_path: Path, ranges: bool) -> None:
    (tmp_path / "a.warc.gz").write_bytes(GZIPPED * 9)
    with served(tmp_path, ranges=ranges) as server:
        (source,) = expand([f"{server.url}/a.warc.gz"])
        entries = list(read(source, LIMITS))
    assert (source.name, len(entries)) == ("a.warc.gz", 45)
    here = Source("a.warc.gz", str(tmp_path / "a.warc.gz"))
    assert entries == list(read(here, LIMITS))


def test_of_a_file_on_a_server_only_what_is_listed_is_fetched(tmp_path: Path) -> None:
    filler = record(99, b"x" * 3_000_000, kind="metadata", media="text/plain")
    (tmp_path / "a.warc").write_bytes(WHOLE[0] + filler + WHOLE[1])
    with served(tmp_path, ranges=True) as server:
        (source,) = expand([f"{server.url}/a.warc"])
        listed = replace(source, offsets=(0, len(WHOLE[0] + filler)))
        assert [outcome(one) for one in read(listed, LIMITS)] == ["page"] * 2
        assert server.sent < 600_000


def test_what_is_not_on_a_server_is_one_sentence(tmp_path: Path) -> None:
    with served(tmp_path, ranges=True) as server:
        (entry,) = read(Source("a.warc.gz", f"{server.url}/a.warc.gz"), LIMITS)
        assert outcome(entry) == "not-an-archive"
        closed = server.url
    with pytest.raises(
        StoreError, match=r"^http://127.*/a\.warc\.gz cannot be read: .*; fix that$"
    ):
        list(read(Source("a.warc.gz", f"{closed}/a.warc.gz"), LIMITS))


class _Failing(BytesIO):
    """A stored file whose store fails behind half of it."""

    def __init__(self, data: bytes, error: Exception) -> None:
        super().__init__(data)
        self._error = error

    def read(self, count: int = -1) -> bytes:
        if self.tell() >= len(self.getbuffer()) // 2:
            raise self._error
        return super().read(count)


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EIO, "Input/output error"),
        TimeoutError(),
        PermissionError(errno.EACCES, "the token has expired"),
        RuntimeError("a client's own kind of error"),
    ],
)
def test_a_store_that_fails_while_a_file_is_read_is_no_damage_of_the_file(monkeypatch, error):
    data = GZIPPED * 500
    source = stored(data)
    monkeypatch.setattr(MemoryFileSystem, "open", lambda *_, **__: _Failing(data, error))
    entries = read(source, LIMITS)
    assert outcome(next(entries)) == "page"
    with pytest.raises(StoreError, match=r"cannot be read: .*fix that") as caught:
        list(entries)
    assert caught.value.__cause__ is error


def test_a_file_that_may_not_be_read_stops_and_is_not_taken_for_damaged(tmp_path, monkeypatch):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(GZIPPED)
    refuse = fails_with(PermissionError(errno.EACCES, "Permission denied"))
    monkeypatch.setattr("dbce.storage.folder.FileIO", refuse)
    with pytest.raises(StoreError, match=r"a\.warc\.gz cannot be read: Permission denied"):
        list(read(Source("a.warc.gz", str(path)), LIMITS))


# Style sheets and pictures are read where the index says that they are


CSS = b"a { color: red }"


def at(data: bytes, offset: int = 0, record_id: str = "urn:test:1") -> tuple[str, bytes]:
    return read_resource_at(stored(data).uri, offset, record_id, Limits())


def test_encodings_are_removed() -> None:
    packed = gzip.compress(CSS, mtime=0)
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    block = answer(
        chunked, content_type="text/css", Content_Encoding="gzip", Transfer_Encoding="chunked"
    )
    assert at(record(block=block)) == ("text/css", CSS)


def test_a_resource_record_or_one_in_another_member_is_read_at_its_offset() -> None:
    assert at(record(block=CSS, kind="resource", media="text/css")) == ("text/css", CSS)
    first, second = members([record(1), record(2, answer(CSS, content_type="text/css"))])
    assert at(first + second, len(first), "urn:test:2") == ("text/css", CSS)


def test_another_record_is_not_taken_for_it_and_what_cannot_be_read_is_bad_input() -> None:
    with pytest.raises(InputError, match="urn:test:7 is not at 0"):
        at(record(1), record_id="urn:test:7")
    with pytest.raises(InputError):
        at(b"nothing of the kind")
    with pytest.raises(InputError, match="cannot be read"):
        read_resource_at("/nowhere/x.warc.gz", 0, "urn:test:1", Limits())
