"""HTTP messages: their headers, which those of records are like, and their bodies without transfer and content encodings."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO

import brotli
import zstandard
from warcio.statusandheaders import StatusAndHeaders, StatusAndHeadersParser

from dbce.archive.records.feed import FRAME_MAGIC, GZIP_MAGIC
from dbce.model import InputError, Reason

LINE_LENGTH = 64 * 1024  # bytes; a longer line is no header
_BLOCK_LENGTH = 1024 * 1024  # bytes; a longer block is no header
_INTERIM = 8  # answers before the one that counts; servers send one or two
_BLOCK_LINES = 1_000  # lines of a header; servers send tens
HTTP_TYPE = "application/http"  # of a record that holds an HTTP message, header and all
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
# Media types that say nothing.
_GENERIC_TYPES = frozenset(
    {
        *("application/octet-stream", "binary/octet-stream", "application/x-unknown-content-type"),
        *("*/*", "text/*", "unknown/unknown", "application/unknown"),
    }
)
_NAME = r"[!#$%&'*+.^_`|~0-9a-z-]+"  # RFC 9110, section 5.6.2, in lower case
_MEDIA_TYPE = re.compile(f"{_NAME}/{_NAME}")
_CHARSET = re.compile(r";\s*charset\s*=", re.IGNORECASE)
_AHEAD = 16 * 1024  # bytes in which an HTTP header says its media type and its date
_USUAL_STATUS = 64  # bytes of a status line that tell it
_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)? +\d{3}(?!\d)", re.IGNORECASE)
# What browsers take for one (Chromium, net/http/http_util.cc and http_response_headers.cc): four bytes may
# stand before it, the version may lack or be none, and without a code it is 200.
_SLOP = 4
_ODD_STATUS_LINE = re.compile(
    rb"[^\n]{0,%d}?HTTP(?:S?(?:[ \t]?/)?[\d.]{0,8}[ \t]+\+?0*(?P<code>\d{1,3})(?!\d)"
    rb"|/\d+(?:\.\d*)?[ \t]*(?=[\r\nA-Za-z]))(?P<reason>[^\n]*\n?)" % _SLOP,
    re.IGNORECASE,
)
# Any first line is taken: those of records and of answers are told by patterns before they come here.
_PARSER = StatusAndHeadersParser([], verify=False)


def header_block(line: Callable[[], bytes]) -> bytes:
    """The lines up to and with the first empty one, or to the end; an InputError if they are too long for a header."""
    lines: list[bytes] = []
    size = 0
    while (text := line()).strip():
        lines.append(_checked_line(text))
        size += len(text)
        if size > _BLOCK_LENGTH or len(lines) > _BLOCK_LINES:
            raise InputError(
                Reason.BAD_RECORD, f"a header of more than {len(lines) - 1} lines or {size} bytes"
            )
    return b"".join(lines) + text


def _checked_line(text: bytes) -> bytes:
    """The same line; an InputError if it is longer than it was allowed to be read."""
    if len(text) >= LINE_LENGTH:
        raise InputError(
            Reason.BAD_RECORD,
            f"a header line of more than {LINE_LENGTH:,} bytes: {text[:40].decode('latin-1')!r}...",
        )
    return text


def parse(block: bytes) -> StatusAndHeaders:
    """The first line and the fields of a header block that is not empty."""
    return _PARSER.parse(BytesIO(block))


def read_header(
    line: Callable[[], bytes], peek: Callable[[int], bytes]
) -> tuple[bytes, StatusAndHeaders | None]:
    """The first line, and the header of the answer (None where that is no HTTP status line).

    Empty lines before it, as far as browsers pass over them, belong to the first line. Passed over are answers that
    another one follows at once: `100 Continue` (RFC 9110, 15.2), that of a proxy, or what a crawler has written twice.
    Raises InputError: too long to be a header.
    """
    before, first = b"", line()
    while first and not first.strip() and len(before + first) <= _SLOP:
        before, first = before + first, line()
    status_line = _status_line(first)
    if not status_line:
        return before + first, None
    headers = _header(status_line, line)
    for _ in range(_INTERIM):
        if status(headers) == "101" or not _STATUS_LINE.match(peek(_USUAL_STATUS)):
            break  # behind 101 another protocol begins
        headers = _header(line(), line)
    return first, headers


def _status_line(line: bytes) -> bytes:
    """The status line that a first line is or stands for; empty where it is none."""
    if _STATUS_LINE.match(line):
        return line
    odd = _ODD_STATUS_LINE.match(line)
    return b"HTTP/1.1 %s %s" % (odd["code"] or b"200", odd["reason"]) if odd else b""


def _header(status_line: bytes, line: Callable[[], bytes]) -> StatusAndHeaders:
    rest = header_block(line)
    _checked_line(status_line)
    return parse(status_line + rest)


def header_ahead(peek: Callable[[int], bytes]) -> StatusAndHeaders | None:
    """The header of the answer in an open record, as far as it is needed; `peek` passes nothing of it."""
    try:
        data = peek(_AHEAD)
        ahead = BytesIO(data)
        return read_header(ahead.readline, lambda count: data[ahead.tell() :][:count])[1]
    except InputError:
        return None


def status(headers: StatusAndHeaders) -> str:
    """The digits of the status, three as a rule."""
    return str(headers.statusline)[:3].split(" ")[0]


def media_type(content_type: str) -> str:
    """The media type without parameters, lower case."""
    return re.split(r"[;,\s]", content_type.strip(), maxsplit=1)[0].lower()


def is_telling(media: str) -> bool:
    """True of a media type that says what a body is; else that decides itself, as it does in browsers."""
    return media in HTML_TYPES or (
        media not in _GENERIC_TYPES and _MEDIA_TYPE.fullmatch(media) is not None
    )


def content_type(headers: StatusAndHeaders) -> str:
    """The Content-Type of an answer; of several the last that is well-formed, as browsers have it.

    Its charset may stand in one before it of the same type (https://fetch.spec.whatwg.org/, "extract a MIME type").
    """
    values: list[str] = [v for name, v in headers.headers if name.lower() == "content-type"]
    if len(values) < 2:
        return values[0] if values else ""
    media = [media_type(value) for value in values]
    last = next((n for n in reversed(range(len(media))) if is_telling(media[n])), 0)
    same = (values[n] for n in range(last, -1, -1) if media[n] == media[last])
    return next((value for value in same if _CHARSET.search(value)), values[last])


# Bodies without their transfer and content encodings.

BODY_PIECE = 64 * 1024  # bytes read or decoded at a time, whatever the body expands to
_CODINGS = 4  # content codings of one body; more is an attack
_LOOKED_AT = 1024  # bytes that tell text from what is still encoded
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
# Bytes that no text has. Escape is none of them: ISO-2022 switches charsets with it.
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_ZSTD_WINDOW = 8 * 1024 * 1024  # bytes; RFC 9659 allows no larger one in HTTP
_ZSTD_STEP = 256  # bytes; four of them can make a block of 128 KB
_ERRORS = (zlib.error, brotli.error, zstandard.ZstdError)
CHUNK = "chunk"
# The ways in which a body can break off: inside of a chunk, or of what a content coding made. The decoders below raise
# EOFError with one of them.
CODING = "content-encoding"


@dataclass(frozen=True, slots=True)
class Body:
    """Bytes of a body, and how it breaks off: "" where all of it is there."""

    data: bytes
    truncated: str = ""


def is_chunked(headers: StatusAndHeaders) -> bool:
    return "chunked" in _codings(headers, "Transfer-Encoding")


def dechunk(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """The data of the chunks; everything as it is, where no chunk length comes first.

    A missing last chunk is no fault (crawlers leave it out).
    Raises EOFError: the body breaks off inside of a chunk, or what follows one is none.
    """
    chunks = _Chunks(read)
    length = chunks.length()
    if length is None:
        yield from chunks.rest()
        return
    while length:
        yield from chunks.data(length)
        length = chunks.length()
    if length is None and next(chunks.rest(), b"").strip():
        raise EOFError(CHUNK)


def collect(
    pieces: Iterable[bytes],
    limit: int,
    broken: tuple[type[Exception], ...] = (EOFError,),
    parts: list[bytes] | None = None,
) -> Body:
    """All pieces in one; where one of the `broken` errors ends them, those that came before, which `parts` takes.

    Raises InputError: more than `limit` bytes.
    """
    parts = [] if parts is None else parts
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

    What is declared but not there is no fault: a body that reads as text is returned as it is. Nor is it another
    coding than the declared one, or that of a page which declares none.
    Raises InputError: it does not decode, or is more than `limit` bytes.
    """
    if not body.data:
        return body
    body = _without_chunks(body)
    # In the order in which they were applied.
    codings = [*_codings(headers, "Content-Encoding"), *_codings(headers, "Transfer-Encoding")]
    codings = [c for c in codings if c not in ("identity", "chunked")]
    if len(codings) > _CODINGS:
        raise InputError(Reason.BAD_ENCODING, f"{len(codings)} content encodings")
    for coding in reversed(codings):
        body = _decode_one(coding, body, limit)
    may_be_page = headers is None or media_type(content_type(headers)) in HTML_TYPES
    if body.data.startswith(GZIP_MAGIC) and may_be_page:
        body = _decode_as_other(body.data, limit) or body
    if codings and body.truncated and not _is_text(body.data):
        raise InputError(Reason.BAD_ENCODING, f"{', '.join(codings)}: the body breaks off")
    return body


def _without_chunks(body: Body) -> Body:
    """A body without chunks that no header declares, where it is nothing else."""
    data = b""
    with suppress(EOFError):
        data = b"".join(dechunk(BytesIO(body.data).read))
    return Body(data or body.data, body.truncated)


def _decode_one(coding: str, body: Body, limit: int) -> Body:
    # What is behind the end of a record that is cut short need not be its body.
    broken = (EOFError, *_ERRORS) if body.truncated else (EOFError,)
    try:
        decoded = collect(_DECODERS[coding](body.data), limit, broken)
    except (*_ERRORS, KeyError) as e:
        if _is_text(body.data):
            return body
        if other := _decode_as_other(body.data, limit):
            return other
        raise InputError(Reason.BAD_ENCODING, f"{coding}: {e}"[:200]) from e
    if decoded.truncated and _is_text(body.data):
        return body
    return Body(decoded.data, body.truncated or decoded.truncated)


def _decode_as_other(body: bytes, limit: int) -> Body | None:
    """A page without whatever coding it has; None where no coding makes a whole one of it."""
    for decoder in dict.fromkeys(_DECODERS.values()):
        with suppress(*_ERRORS, EOFError):
            decoded = collect(decoder(body.lstrip(b"\r\n")), limit, ())
            if _is_text(decoded.data) and b"<" in decoded.data:
                return decoded
    return None


def _codings(headers: StatusAndHeaders | None, name: str) -> list[str]:
    """The codings that headers of a name list, without quotation marks and parameters."""
    fields = headers.headers if headers else ()
    values = [value for key, value in fields if key.lower() == name.lower()]
    named = (
        coding.partition(";")[0].strip("\"' \t").lower() for coding in ",".join(values).split(",")
    )
    return [coding for coding in named if coding]


class _Chunks:
    """The parts of a chunked body, read in order."""

    _LENGTH = re.compile(rb"(?:\r?\n)?[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]{0,4000})?\r?\n")
    _LONGEST = 4 * 1024  # bytes; a line of more holds no chunk length

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._data = b""
        self._at = 0

    def length(self) -> int | None:
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
        more = self._read(BODY_PIECE)
        self._data, self._at = self._data[self._at :] + more, 0
        return bool(more)


def _gunzip(body: bytes) -> Iterator[bytes]:
    while True:
        inflate, size = zlib.decompressobj(16 + zlib.MAX_WBITS), 0
        try:
            for piece in _decompress(inflate, body):
                yield piece
                size += len(piece)
        except zlib.error as e:
            if not str(e).endswith(("incorrect data check", "incorrect length check")):
                raise
            yield _content_without_check(body, e)[size:]
            return
        body = inflate.unused_data
        if not body.startswith(b"\x1f\x8b"):  # what follows the last member is padding
            return


def _content_without_check(member: bytes, error: zlib.error) -> bytes:
    """The content of a gzip member of which checksum or length is wrong, which browsers do not read.

    Where both are, the content is another one.
    """
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    content = b"".join(_decompress(inflate, member[_gzip_header_length(member) :]))
    length = int.from_bytes(inflate.unused_data[4:8], "little")
    if "data" in str(error) and length != len(content) & 0xFFFFFFFF:
        raise error
    return content


def _gzip_header_length(member: bytes) -> int:
    """Bytes before the compressed data of a gzip member (RFC 1952, section 2.3)."""
    flags, end = member[3], 10
    if flags & 4:  # extra fields
        end += 2 + int.from_bytes(member[end : end + 2], "little")
    for flag in (8, 16):  # a name, a comment
        end = member.index(b"\0", end) + 1 if flags & flag else end
    return end + (2 if flags & 2 else 0)


def _inflate(body: bytes) -> Iterator[bytes]:
    """HTTP means zlib (RFC 1950) by "deflate"; some servers leave its header out."""
    has_header = body[0] & 15 == 8 and int.from_bytes(body[:2]) % 31 == 0
    return _decompress(zlib.decompressobj(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS), body)


def _decompress(inflate: zlib._Decompress, body: bytes) -> Iterator[bytes]:
    while not inflate.eof:
        data = inflate.decompress(body, BODY_PIECE)
        body = inflate.unconsumed_tail
        if not data and not body and not inflate.eof:
            raise EOFError(CODING)
        yield data


def _unbrotli(body: bytes) -> Iterator[bytes]:
    unbrotli = brotli.Decompressor()
    while not unbrotli.is_finished():
        data = unbrotli.process(body, output_buffer_limit=BODY_PIECE)
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
        if not body.startswith(FRAME_MAGIC):
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
    return head.startswith(UTF16_BOMS) or not _CONTROLS.search(head)
