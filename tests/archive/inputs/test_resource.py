"""Style sheets and pictures are read where the index says that they are."""

import gzip

import pytest

from dbce.archive import read_resource_at
from dbce.model import InputError, Limits
from tests.archive.build import answer, members, record, stored

CSS = b"a { color: red }"


def at(data: bytes, offset: int = 0, record_id: str = "urn:test:1") -> tuple[str, bytes]:
    return read_resource_at(stored(data).uri, offset, record_id, Limits())


def test_encodings_are_removed() -> None:
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (
        len(gzip.compress(CSS, mtime=0)),
        gzip.compress(CSS, mtime=0),
    )
    block = answer(
        chunked, content_type="text/css", Content_Encoding="gzip", Transfer_Encoding="chunked"
    )
    assert at(record(block=block)) == ("text/css", CSS)


def test_a_resource_record_is_the_body_itself() -> None:
    assert at(record(block=CSS, kind="resource", media="text/css")) == ("text/css", CSS)


def test_the_second_gzip_member_is_read_at_its_offset() -> None:
    first, second = members([record(1), record(2, answer(CSS, content_type="text/css"))])
    assert at(first + second, len(first), "urn:test:2") == ("text/css", CSS)


def test_another_record_is_not_taken_for_it() -> None:
    with pytest.raises(InputError, match="urn:test:7 is not at 0"):
        at(record(1), record_id="urn:test:7")


def test_what_cannot_be_read_is_bad_input() -> None:
    with pytest.raises(InputError):
        at(b"nothing of the kind")
    with pytest.raises(InputError, match="cannot be read"):
        read_resource_at("/nowhere/x.warc.gz", 0, "urn:test:1", Limits())
