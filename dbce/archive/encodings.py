"""A body without its transfer and content encodings.

warcio's readers return what they could decode without an error, and brotli not at all: hence our
own decoders, which work in pieces so that no body expands beyond the limit.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

import brotli

from dbce.errors import InputError
from dbce.model import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from warcio.statusandheaders import StatusAndHeaders

_PIECE = 64 * 1024  # bytes decoded at a time, whatever the body expands to
_CODINGS = 4  # content codings of one body; more is an attack
_LOOKED_AT = 1024  # bytes that tell text from what is still encoded
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def read_body(read: Callable[[int], bytes], headers: StatusAndHeaders | None, limit: int) -> bytes:
    """The body without its transfer encoding, content encodings still on.

    Raises:
        InputError: it does not decode, or is more than `limit` bytes.
    """
    if headers and "chunked" in _codings(headers, "Transfer-Encoding"):
        return _collect(_dechunk(_Chunks(read)), limit)
    return _collect(iter(lambda: read(_PIECE), b""), limit)


def decode(body: bytes, headers: StatusAndHeaders | None, limit: int) -> bytes:
    """A body without its content encodings.

    What is declared but not there is no fault: a body that reads as text is returned as it is.

    Raises:
        InputError: it does not decode, or is more than `limit` bytes.
    """
    if headers is None or not body:
        return body
    # In the order in which they were applied.
    codings = [*_codings(headers, "Content-Encoding"), *_codings(headers, "Transfer-Encoding")]
    codings = [c for c in codings if c not in ("identity", "chunked")]
    if len(codings) > _CODINGS:
        raise InputError(Reason.BAD_ENCODING, f"{len(codings)} content encodings")
    for coding in reversed(codings):
        try:
            body = _collect(_DECODERS[coding](body), limit)
        except (zlib.error, brotli.error, EOFError, KeyError) as e:
            if not _is_text(body):
                raise InputError(Reason.BAD_ENCODING, f"{coding}: {e}"[:200]) from e
    return body


def _codings(headers: StatusAndHeaders, name: str) -> list[str]:
    values = [value for key, value in headers.headers if key.lower() == name.lower()]
    return [coding.strip().lower() for coding in ",".join(values).split(",") if coding.strip()]


def _collect(pieces: Iterable[bytes], limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    for piece in pieces:
        parts.append(piece)
        size += len(piece)
        if size > limit:
            raise InputError(Reason.TOO_LARGE, f"more than {limit} bytes")
    return b"".join(parts)


def _dechunk(chunks: _Chunks) -> Iterator[bytes]:
    """The data of the chunks; everything as it is, where no chunk length comes first.

    A missing last chunk is no fault (crawlers leave it out); a chunk that breaks off is.
    """
    length = chunks.length()
    if length is None:
        yield from chunks.rest()
        return
    while length:
        yield from chunks.data(length)
        length = chunks.length()
    if length is None and (rest := next(chunks.rest(), b"").strip()):
        raise InputError(Reason.BAD_ENCODING, f"chunked: no chunk length in {rest[:20]!r}")


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
        while not (found := self._LENGTH.match(self._data, self._at)):
            if len(self._data) - self._at > self._LONGEST or not self._more():
                return None
        self._at = found.end()
        return int(found[1], 16)

    def data(self, length: int) -> Iterator[bytes]:
        while length:
            if self._at == len(self._data) and not self._more():
                raise InputError(Reason.BAD_ENCODING, "chunked: the body breaks off")
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
        yield from _inflated(inflate, body)
        body = inflate.unused_data
        if not body.startswith(b"\x1f\x8b"):  # what follows the last member is padding
            return


def _inflate(body: bytes) -> Iterator[bytes]:
    """HTTP means zlib (RFC 1950) by "deflate"; some servers leave its header out."""
    has_header = body[0] & 15 == 8 and int.from_bytes(body[:2]) % 31 == 0
    return _inflated(zlib.decompressobj(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS), body)


def _inflated(inflate: zlib._Decompress, body: bytes) -> Iterator[bytes]:
    while not inflate.eof:
        data = inflate.decompress(body, _PIECE)
        body = inflate.unconsumed_tail
        if not data and not body and not inflate.eof:
            raise EOFError("the body breaks off")
        yield data


def _unbrotli(body: bytes) -> Iterator[bytes]:
    unbrotli = brotli.Decompressor()
    while not unbrotli.is_finished():
        data = unbrotli.process(body, output_buffer_limit=_PIECE)
        body = b""
        if not data and not unbrotli.is_finished():
            raise EOFError("the body breaks off")
        yield data


_DECODERS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
    "br": _unbrotli,
}


def _is_text(body: bytes) -> bool:
    head = body[:_LOOKED_AT]
    return head.startswith(_UTF16_BOMS) or not _CONTROLS.search(head)
