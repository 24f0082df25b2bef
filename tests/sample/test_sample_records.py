"""Records as bytes."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.sample.records import chunked, damaged, digest, member, record


@given(st.binary(max_size=100))
def test_a_member_is_gzip(data: bytes) -> None:
    assert gzip.decompress(member(data)) == data


@pytest.mark.parametrize("size", [0, 65_535, 65_536, 200_000])
def test_a_member_holds_any_size(size: int) -> None:
    data = bytes(n % 251 for n in range(size))
    assert gzip.decompress(member(data)) == data


def test_a_damaged_member_keeps_its_length_and_does_not_inflate() -> None:
    sound = member(b"words " * 100)
    assert len(damaged(sound)) == len(sound)
    with pytest.raises(zlib.error):
        gzip.decompress(damaged(sound))


def test_a_chunked_body_ends_with_an_empty_chunk() -> None:
    assert chunked(b"abcdef", size=4) == b"4\r\nabcd\r\n2\r\nef\r\n0\r\n\r\n"


def test_a_record_declares_its_length_and_digest() -> None:
    assert record("WARC/1.1", [("WARC-Type", "metadata")], b"ab") == (
        b"WARC/1.1\r\nWARC-Type: metadata\r\n"
        b"WARC-Block-Digest: sha1:3IRWCTQCI2NA27D32G62WXE4I5FRSBG4\r\n"
        b"Content-Length: 2\r\n\r\nab\r\n\r\n"
    )
    assert digest(b"") == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
