"""Fuzz target: the bytes of an archive file, to captures. `make fuzz` runs it.

The first byte of an input says how the rest is stored, since mutations hardly ever make a gzip member
whose checksum is right.
"""

from __future__ import annotations

import gzip
from collections import Counter
from typing import TYPE_CHECKING

import fsspec
import zstandard

from dbce.archive import Source, inspect
from dbce.model import Capture, Limits, Reject, Status
from tests.archive.account import unaccounted
from tests.archive.build import answer, record

if TYPE_CHECKING:
    from collections.abc import Callable

PLACE = "/fuzz.warc.gz"
CODINGS = ("gzip", "deflate", "br", "zstd")


def _in_two(data: bytes) -> bytes:
    """A record over two members."""
    half = len(data) // 2
    return gzip.compress(data[:half], 1, mtime=0) + gzip.compress(data[half:], 1, mtime=0)


def _body(data: bytes) -> bytes:
    """The body of an answer that says it has a content coding."""
    coding = CODINGS[data[0] % len(CODINGS)] if data else ""
    return record(1, answer(data[1:], Content_Encoding=coding))


STORED: tuple[Callable[[bytes], bytes], ...] = (
    bytes,
    lambda data: gzip.compress(data, 1, mtime=0),
    lambda data: zstandard.ZstdCompressor(1, write_checksum=True).compress(data),
    _in_two,
    lambda data: record(1, data),
    lambda data: record(1, answer(data, Transfer_Encoding="chunked")) + record(2),
    _body,
)
"""What an input stands for, by its first byte."""


def check(data: bytes) -> None:
    """Reads a file as `dbce check` does.

    Raises:
        AssertionError: bytes are not accounted for, or a capture is not what is promised.
    """
    if not data:
        return
    file = STORED[data[0] % len(STORED)](data[1:])
    fsspec.filesystem("memory").pipe(PLACE, file)
    found = list(inspect(Source("fuzz", f"memory:/{PLACE}"), Limits(), verify=True))
    shared = Counter(entry.offset for entry in found)
    for entry in found:
        result = entry.result
        assert 0 <= entry.offset <= len(file)
        if isinstance(result, Capture):
            assert result.payload
        elif isinstance(result, Reject) and result.status is Status.REJECTED:
            # What is lost of a member with several records has no length of its own.
            assert result.origin.length or shared[entry.offset] > 1 or not file, result
    assert not (wrong := unaccounted(file)), wrong
