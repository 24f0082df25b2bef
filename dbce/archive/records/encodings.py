"""A body without its transfer and content encodings.

warcio's readers return what they could decode without an error, and brotli not at all: hence our
own decoders, which work in pieces so that no body expands beyond the limit.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import brotli
import zstandard

from dbce.model import InputError, Reason

if TYPE_CHECKING:
    from warcio.statusandheaders import StatusAndHeaders

_PIECE = 64 * 1024  # bytes decoded at a time, whatever the body expands to
_CODINGS = 4  # content codings of one body; more is an attack
_LOOKED_AT = 1024  # bytes that tell text from what is still encoded
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
# Bytes that no text has. Escape is none of them: ISO-2022 switches charsets with it.
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_ZSTD_WINDOW = 8 * 1024 * 1024  # bytes; RFC 9659 allows no larger one in HTTP
_ZSTD_STEP = 256  # bytes; four of them can make a block of 128 KB
_ERRORS = (zlib.error, brotli.error, zstandard.ZstdError)

CHUNK = "chunk"
CODING = "content-encoding"
"""The ways in which a body can break off: inside of a chunk, or of what a content coding made. The
decoders below raise EOFError with one of them."""


@dataclass(frozen=True, slots=True)
class Body:
    """Bytes of a body, and how it breaks off: "" where all of it is there."""

    data: bytes
    truncated: str = ""


def is_chunked(headers: StatusAndHeaders) -> bool:
    """True if the answer declares the transfer coding `chunked`."""
    return "chunked" in _codings(headers, "Transfer-Encoding")


def dechunk(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """The data of the chunks; everything as it is, where no chunk length comes first.

    A missing last chunk is no fault (crawlers leave it out).

    Raises:
        EOFError: the body breaks off inside of a chunk.
        InputError: what follows a chunk is no chunk.
    """
    chunks = _Chunks(read)
    length = chunks.length()
    if length is None:
        yield from chunks.rest()
        return
    while length:
        yield from chunks.data(length)
        length = chunks.length()
    if length is None and (rest := next(chunks.rest(), b"").strip()):
        raise InputError(Reason.BAD_ENCODING, f"chunked: no chunk length in {rest[:20]!r}")


def collect(
    pieces: Iterable[bytes], limit: int, broken: tuple[type[Exception], ...] = (EOFError,)
) -> Body:
    """All pieces in one; where one of the `broken` errors ends them, those that came before.

    Raises:
        InputError: more than `limit` bytes.
    """
    parts: list[bytes] = []
    size = 0
    try:
        for piece in pieces:
            parts.append(piece)
            size += len(piece)
            if size > limit:
                raise InputError(Reason.TOO_LARGE, f"more than {limit} bytes")
    except broken as e:
        return Body(b"".join(parts), CHUNK if str(e) == CHUNK else CODING)
    return Body(b"".join(parts))


def decode(body: Body, headers: StatusAndHeaders | None, limit: int) -> Body:
    """A body without its content encodings; one that breaks off as far as it decodes.

    What is declared but not there is no fault: a body that reads as text is returned as it is.

    Raises:
        InputError: it does not decode, or is more than `limit` bytes.
    """
    if headers is None or not body.data:
        return body
    # In the order in which they were applied.
    codings = [*_codings(headers, "Content-Encoding"), *_codings(headers, "Transfer-Encoding")]
    codings = [c for c in codings if c not in ("identity", "chunked")]
    if len(codings) > _CODINGS:
        raise InputError(Reason.BAD_ENCODING, f"{len(codings)} content encodings")
    for coding in reversed(codings):
        body = _decode_one(coding, body, limit)
    if codings and body.truncated and not _is_text(body.data):
        raise InputError(Reason.BAD_ENCODING, f"{', '.join(codings)}: the body breaks off")
    return body


def _decode_one(coding: str, body: Body, limit: int) -> Body:
    """A body without one content encoding."""
    # What is behind the end of a record that is cut short need not be its body.
    broken = (EOFError, *_ERRORS) if body.truncated else (EOFError,)
    try:
        decoded = collect(_DECODERS[coding](body.data), limit, broken)
    except (*_ERRORS, KeyError) as e:
        if not _is_text(body.data):
            raise InputError(Reason.BAD_ENCODING, f"{coding}: {e}"[:200]) from e
        return body
    if decoded.truncated and _is_text(body.data):
        return body
    return Body(decoded.data, body.truncated or decoded.truncated)


def _codings(headers: StatusAndHeaders, name: str) -> list[str]:
    values = [value for key, value in headers.headers if key.lower() == name.lower()]
    return [coding.strip().lower() for coding in ",".join(values).split(",") if coding.strip()]


class _Chunks:
    """The parts of a chunked body, read in order."""

    _LENGTH = re.compile(rb"(?:\r?\n)?[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]{0,4000})?\r?\n")
    _LONGEST = 4 * 1024  # bytes; a line of more holds no chunk length

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._data = b""
        self._at = 0

    def length(self) -> int | None:
        """The next chunk's length; None where there is none."""
        while not (line := self._LENGTH.match(self._data, self._at)):
            if len(self._data) - self._at > self._LONGEST or not self._more():
                return None
        self._at = line.end()
        return int(line[1], 16)

    def data(self, length: int) -> Iterator[bytes]:
        while length:
            if self._at == len(self._data) and not self._more():
                raise EOFError(CHUNK)
            piece = self._data[self._at : self._at + length]
            self._at += len(piece)
            length -= len(piece)
            yield piece

    def rest(self) -> Iterator[bytes]:
        while self._at < len(self._data) or self._more():
            yield self._data[self._at :]
            self._at = len(self._data)

    def _more(self) -> bool:
        more = self._read(_PIECE)
        self._data, self._at = self._data[self._at :] + more, 0
        return bool(more)


def _gunzip(body: bytes) -> Iterator[bytes]:
    while True:
        inflate = zlib.decompressobj(16 + zlib.MAX_WBITS)
        yield from _decompress(inflate, body)
        body = inflate.unused_data
        if not body.startswith(b"\x1f\x8b"):  # what follows the last member is padding
            return


def _inflate(body: bytes) -> Iterator[bytes]:
    """HTTP means zlib (RFC 1950) by "deflate"; some servers leave its header out."""
    has_header = body[0] & 15 == 8 and int.from_bytes(body[:2]) % 31 == 0
    return _decompress(zlib.decompressobj(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS), body)


def _decompress(inflate: zlib._Decompress, body: bytes) -> Iterator[bytes]:
    while not inflate.eof:
        data = inflate.decompress(body, _PIECE)
        body = inflate.unconsumed_tail
        if not data and not body and not inflate.eof:
            raise EOFError(CODING)
        yield data


def _unbrotli(body: bytes) -> Iterator[bytes]:
    unbrotli = brotli.Decompressor()
    while not unbrotli.is_finished():
        data = unbrotli.process(body, output_buffer_limit=_PIECE)
        body = b""
        if not data and not unbrotli.is_finished():
            raise EOFError(CODING)
        yield data


def _unzstd(body: bytes) -> Iterator[bytes]:
    while True:
        frame = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()
        at = 0
        while not frame.eof:
            if at >= len(body):
                raise EOFError(CODING)
            yield frame.decompress(body[at : at + _ZSTD_STEP])  # as much as comes out at once
            at += _ZSTD_STEP
        body = frame.unused_data + body[at:]
        if not body.startswith(_ZSTD_MAGIC):
            return


_DECODERS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}


def _is_text(body: bytes) -> bool:
    head = body[:_LOOKED_AT]
    return head.startswith(_UTF16_BOMS) or not _CONTROLS.search(head)
