"""Reading a stored archive back, and comparing it with what was written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, BinaryIO

from warcio.statusandheaders import StatusAndHeadersParserException
from zlib_ng import zlib_ng

from dbce.archive.records import parse, parse_date, sha1, timestamp14
from dbce.model import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from warcio.statusandheaders import StatusAndHeaders

_EMPTY_LINE = b"\r\n\r\n"  # behind a header, and behind a record
_PIECE = 64 * 1024  # bytes read at a time


class _MismatchError(Exception):
    """The stored file is not what was written."""


def verify(stream: BinaryIO, lines: Iterable[str]) -> None:
    """Reads a file of ours once, from its warcinfo to its last byte.

    The stored file must be a warcinfo and then, one behind the other and nothing between or after
    them, the records that its CDXJ `lines` name in this order: each a whole gzip member of that
    length at that offset, with the length that its header declares, of that URL and time, and with a
    payload of that digest.

    Raises:
        StoreError: it is something else.
    """
    position = 0
    try:
        position = _warcinfo(stream)
        for line in lines:
            position = _record(stream, position, line)
        _end(stream)
    except (_MismatchError, zlib_ng.error, StatusAndHeadersParserException) as e:
        raise StoreError(
            f"what was written reads back otherwise at byte {position}: {e}; see what is wrong with "
            "the file system, then continue with --resume"
        ) from e


def _warcinfo(stream: BinaryIO) -> int:
    """Reads the first record, whose length no line tells; returns where it ends."""
    inflater = zlib_ng.decompressobj(wbits=16 + zlib_ng.MAX_WBITS)
    plain, length = b"", 0
    while not inflater.eof and (piece := stream.read(_PIECE)):
        plain += inflater.decompress(piece)
        length += len(piece)
    if not inflater.eof:
        raise _MismatchError("the warcinfo breaks off")
    length -= len(inflater.unused_data)
    stream.seek(length)
    headers, _ = _parts(plain)
    if headers.get_header("WARC-Type") != "warcinfo":
        raise _MismatchError("there is no warcinfo")
    return length


def _record(stream: BinaryIO, position: int, line: str) -> int:
    """Reads the record that a line names; returns where it ends."""
    _, timestamp, rest = line.split(" ", 2)
    entry = json.loads(rest)
    offset, length = int(entry["offset"]), int(entry["length"])
    if offset != position:
        raise _MismatchError(f"its line of the index names byte {offset}")
    headers, block = _parts(_member(stream.read(length), length))
    if headers.get_header("WARC-Type") == "response":
        block = block.partition(_EMPTY_LINE)[2]
    date = parse_date(headers.get_header("WARC-Date") or "")
    stored = {
        "URL": headers.get_header("WARC-Target-URI"),
        "time": date and timestamp14(date),
        "declared digest": headers.get_header("WARC-Payload-Digest"),
        "digest": sha1(block),
    }
    digest = entry["digest"]
    expected = (entry["url"], timestamp, digest, digest)
    for (name, value), wanted in zip(stored.items(), expected, strict=True):
        if value != wanted:
            raise _MismatchError(f"the {name} is {value} and was {wanted}")
    return offset + length


def _end(stream: BinaryIO) -> None:
    if stream.read(1):
        raise _MismatchError("more is stored behind the last record")


def _member(data: bytes, length: int) -> bytes:
    inflater = zlib_ng.decompressobj(wbits=16 + zlib_ng.MAX_WBITS)
    plain: bytes = inflater.decompress(data)
    if len(data) != length or not inflater.eof or inflater.unused_data:
        raise _MismatchError(f"no gzip member of {length} bytes")
    return plain


def _parts(plain: bytes) -> tuple[StatusAndHeaders, bytes]:
    """Header and block of a record, which must be as long as the header declares."""
    head, _, rest = plain.partition(_EMPTY_LINE)
    headers = parse(head + _EMPTY_LINE)
    block = rest.removesuffix(_EMPTY_LINE)
    declared = headers.get_header("Content-Length")
    if declared != str(len(block)) or len(block) == len(rest):
        raise _MismatchError(f"{len(block)} bytes, where the record declares {declared}")
    return headers, block
