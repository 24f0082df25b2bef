"""The answer in the block of a capture: a page without its encodings, or the reason why it is none."""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import brotli
import zstandard
from warcio.statusandheaders import StatusAndHeaders

from dbce.archive.records.feed import Fault
from dbce.archive.records.head import Head
from dbce.archive.records.identity import plain_digest, sha1_text
from dbce.archive.records.record import (
    HTML_TYPES,
    HTTP_TYPE,
    Record,
    content_type,
    is_telling,
    media_type,
    read_header,
    status,
)
from dbce.model import InputError, Limits, Reason

_PIECE = 64 * 1024  # bytes read or decoded at a time, whatever the body expands to
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
    pieces: Iterable[bytes],
    limit: int,
    broken: tuple[type[Exception], ...] = (EOFError,),
    parts: list[bytes] | None = None,
) -> Body:
    """All pieces in one; where one of the `broken` errors ends them, those that came before, which `parts` takes.

    Raises:
        InputError: more than `limit` bytes.
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


# The block of a record as it is read, with its digests.
#
# Over what a WARC-Payload-Digest is computed, where the answer has a transfer encoding, differs:
# warcio, wget and JWAT digest the body as stored, chunk lengths included; others what the chunks
# hold, which is what the standard calls the payload. Either is right here.


ALGORITHMS = ("md5", "sha1", "sha256", "sha512")  # of others nothing can be said
_NOTHING = (hashlib.new(algorithm, usedforsecurity=False) for algorithm in ALGORITHMS)
# The digests of no bytes at all, as WARC headers spell them.
EMPTY_DIGESTS = frozenset(
    f"{digest.name}:{value}"
    for digest in _NOTHING
    for value in (base64.b32encode(digest.digest()).decode(), digest.hexdigest())
)


class Digest(NamedTuple):
    """A digest that a header declares as `ALGORITHM:VALUE`, and the running one of what is read."""

    declared: str
    found: hashlib._Hash

    @property
    def fits(self) -> bool:
        """True if the declared value, in base 16, 32 or 64, is that of what was read."""
        real = f"{self.found.name}:{self.found.hexdigest()}"
        return plain_digest(self.declared) == plain_digest(real)

    def __str__(self) -> str:
        """The declared digest, and the one found, in base 16 if the declared one is."""
        real, value = self.found.digest(), self.declared.partition(":")[2].strip()
        hexadecimal = len(value) == 2 * len(real)
        spelled = real.hex() if hexadecimal else base64.b32encode(real).decode()
        return f"{self.declared[:150]}, found {spelled}"


def _digests(declared: str) -> list[Digest]:
    """A new digest for a header's value; none where that is empty, or the algorithm is not known."""
    algorithm = declared.partition(":")[0].strip().lower().replace("-", "")
    known = algorithm in ALGORITHMS
    return [Digest(declared, hashlib.new(algorithm, usedforsecurity=False))] if known else []


class Block:
    """The block of an open record, to be read once and in order; its digests are made on the way.

    All of it is the payload until `begin_payload` says otherwise. `compared` is the number of declared
    digests that `verify` looks at. A revisit declares the digest of a payload that is elsewhere, and
    a segment that of the whole: only their blocks are compared. What crawlers took for the block of a
    revisit differs too, so a difference there is no fault: `odd` says what it is, after `verify`.
    """

    def __init__(self, record: Record, *, verify: bool) -> None:
        self._record = record
        self._text = record.get("WARC-Payload-Digest")
        self._is_revisit = record.get("WARC-Type").lower() == "revisit"
        here = not (self._is_revisit or record.get("WARC-Segment-Number"))
        self._block = _digests(record.get("WARC-Block-Digest")) if verify else []
        # Of a payload as it is stored: the declared one or, where none is, that which `payload_digest` gives.
        is_asked = (verify and here) or not self._text
        self._stored = _digests(self._text or "sha1:") if is_asked else []
        self._entity: list[Digest] = []
        self._body: Iterator[bytes] | None = None
        self.odd = ""
        self.compared = len(self._block) + (len(self._stored) if self._text else 0)

    def line(self) -> bytes:
        return self._update_digests(self._record.line())

    def read(self, count: int) -> bytes:
        """Up to `count` bytes; empty at the end, or where the file ends early."""
        return self._update_digests(self._record.read(count))

    def begin_payload(self, *, chunked: bool) -> None:
        self._stored = _digests(self._text or "sha1:") if self._stored else []
        self._body = self._dechunk() if chunked else None

    @property
    def body(self) -> Iterator[bytes]:
        """The rest of the payload without its transfer encoding; always the same iterator, which raises as `dechunk`."""
        if self._body is None:
            self._body = iter(lambda: self.read(_PIECE), b"")
        return self._body

    def payload_digest(self) -> str:
        """The digest of the payload, as declared; else of the body as stored, which is read through."""
        if self._text:
            return plain_digest(self._text)
        self._finish()
        return sha1_text(self._stored[0].found.digest())

    def verify(self) -> Fault | None:
        """A fault where a declared digest is not that of what is stored; reads the block through for it."""
        if not self.compared:
            return None
        self._finish()
        if self._is_revisit:
            self.odd = self._difference()
            return None
        payload = self._stored + self._entity if self._text else []
        for name, either in (("Block", self._block), ("Payload", payload)):
            if either and not any(running.fits for running in either):
                return Fault(Reason.BAD_DIGEST, f"WARC-{name}-Digest is {either[0]}")
        return None

    def _difference(self) -> str:
        """A sentence on what else the declared digest of a revisit's block is of; "" where it fits."""
        (block,) = self._block
        if block.fits:
            return ""
        if any(of_nothing.fits for of_nothing in _digests(block.declared)):
            what = "an empty block"
        elif block.declared.lower() == self._text.lower():
            what = "the payload that it repeats"
        else:
            what = "neither its block, an empty one nor the payload that it repeats"
        return f"WARC-Block-Digest is that of {what}: {block}"

    def _update_digests(self, data: bytes) -> bytes:
        for running in (*self._block, *self._stored):
            running.found.update(data)
        return data

    def _dechunk(self) -> Iterator[bytes]:
        self._entity = _digests(self._text) if self._stored else []
        for piece in dechunk(self.read):
            for running in self._entity:
                running.found.update(piece)
            yield piece

    def _finish(self) -> None:
        with suppress(EOFError, InputError):
            for _ in self.body:
                pass
        while self.read(_PIECE):
            pass


# The kind of a body by its first bytes: HTML, or surely no HTML.

# Mostly those of https://mimesniff.spec.whatwg.org/, section 6, and of file(1). None of them begins a
# text in any charset: those that are printable are long, or go on with bytes that no text has.
_SIGNATURES = (
    ("image/png", rb"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", rb"\xff\xd8\xff"),
    ("image/gif", rb"GIF8[79]a"),
    ("image/webp", rb"RIFF.{4}WEBP"),
    ("image/bmp", rb"BM.{4}\0{4}"),
    ("image/tiff", rb"II\*\0|MM\0\*"),
    ("image/x-icon", rb"\0\0[\x01\x02]\0"),
    ("image/vnd.adobe.photoshop", rb"8BPS\0"),
    ("image/vnd.djvu", rb"AT&TFORM"),
    ("application/pdf", rb"\s*%PDF-\d"),
    ("application/postscript", rb"%!PS-Adobe-"),
    ("application/rtf", rb"\{\\rtf\d"),
    ("application/zip", rb"PK(?:\x03\x04|\x05\x06)"),
    ("application/gzip", rb"\x1f\x8b\x08"),
    ("application/x-bzip2", rb"BZh[1-9]1AY&SY"),
    ("application/x-xz", rb"\xfd7zXZ\0"),
    ("application/zstd", rb"\x28\xb5\x2f\xfd"),
    ("application/x-rar", rb"Rar!\x1a\x07"),
    ("application/x-7z-compressed", rb"7z\xbc\xaf\x27\x1c"),
    ("application/x-ole-storage", rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ("application/x-shockwave-flash", rb"[FCZ]WS[\x01-\x30].{2}"),
    ("application/x-executable", rb"\x7fELF|MZ[\x90\x50]\0"),
    ("application/java-vm", rb"\xca\xfe\xba\xbe"),
    ("application/wasm", rb"\0asm"),
    ("font/woff", rb"wOF[F2][\0\x01OTt]"),
    ("font/sfnt", rb"\0\x01\0\0\0|OTTO\0"),
    ("audio/mpeg", rb"ID3[\x02-\x04]\0|\xff[\xf2\xf3\xfb]"),
    ("audio/wav", rb"RIFF.{4}WAVE"),
    ("audio/flac", rb"fLaC\0"),
    ("audio/midi", rb"MThd\0"),
    ("application/ogg", rb"OggS\0"),
    ("video/mp4", rb"\0.{3}ftyp"),
    ("video/webm", rb"\x1a\x45\xdf\xa3"),
    ("video/x-msvideo", rb"RIFF.{4}AVI "),
    ("video/mpeg", rb"\0\0\x01[\xba\xb3]"),
    ("video/x-flv", rb"FLV\x01"),
    ("video/x-ms-asf", rb"\x30\x26\xb2\x75\x8e\x66\xcf\x11"),
)
_ANY = re.compile(b"|".join(rb"(%s)" % pattern for _, pattern in _SIGNATURES), re.DOTALL)
_SNIFFED = 1024  # bytes that tell HTML
# The tags that browsers take for HTML: https://mimesniff.spec.whatwg.org/, section 7.1.
_HTML = re.compile(
    rb"<(?:!doctype html|(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)\b"
    rb"|!--|\?xml[^>]*>\s*(?:<!--.*?-->\s*)*<(?:!doctype )?html\b)",
    re.IGNORECASE | re.DOTALL,
)
_UTF8_BOM = b"\xef\xbb\xbf"
# A body in which no page is: white space, zeros, marks of the byte order, comments, a document type.
_BLANK = re.compile(
    rb"(?>\s+|\0{1,8}(?!\0)|\xef\xbb\xbf|\xff\xfe|\xfe\xff|<!--(?>.*?-->)|<!doctype[^>]*>)*+\Z",
    re.IGNORECASE | re.DOTALL,
)
_RANGE = re.compile(r"\s*bytes\s+(\d+)-(\d+)/(\d+|\*)", re.IGNORECASE | re.ASCII)


def binary_type(body: bytes) -> str:
    """The media type of a body that is no text; "" where its first bytes do not tell."""
    match = _ANY.match(body)
    return _SIGNATURES[match.lastindex - 1][0] if match and match.lastindex else ""


def looks_html(body: bytes) -> bool:
    """True if a body of no telling media type is HTML by its first kilobyte."""
    head = body[:_SNIFFED].removeprefix(_UTF8_BOM)
    if head.startswith(_UTF16_BOMS):
        head = head[2:].replace(b"\x00", b"")
    return _HTML.match(head.lstrip()) is not None


@dataclass(frozen=True, slots=True)
class Answer:
    """The page in a record's block, or the reason why it is none.

    `truncated` says how the page breaks off, "" where it is whole. `http_status` is None where there is no
    HTTP, or where its first line tells none.
    """

    fault: Fault | None
    is_html: bool
    content_type: str = ""
    payload: bytes = b""
    digest: str = ""
    truncated: str = ""
    http_status: int | None = None


def read_answer(
    record: Record, block: Block, head: Head, limits: Limits, truncated: str = ""
) -> Answer:
    """The answer in the block of a response, resource or revisit.

    `truncated` says how the block breaks off, if that is known; then what decodes of it is returned.
    """
    if head.kind == "resource":
        return replace(_page(block, None, head.media, limits, truncated), content_type=head.media)
    try:
        first, headers = read_header(block.line)
    except InputError as e:
        return Answer(Fault(Reason.BAD_HTTP, e.detail), is_html=False)
    if headers is None:
        return _answer_without_header(record, block, head, limits, truncated, first=first)
    block.begin_payload(chunked=is_chunked(headers))
    declared = content_type(headers)
    is_html = media_type(declared) in HTML_TYPES
    told = status(headers)
    if head.kind == "revisit":
        answer = Answer(Fault(Reason.REVISIT, record.get("WARC-Profile")), is_html)
    elif told == "206" and (part := _part(headers)):
        answer = Answer(Fault(Reason.NOT_HTML, f"a part of {media_type(declared)}: {part}"), False)
    elif told.startswith("2"):
        answer = _page(block, headers, declared, limits, truncated)
    else:
        answer = Answer(Fault(Reason.HTTP_STATUS, told), is_html)
    return replace(answer, content_type=declared, http_status=int(told))


def _part(headers: StatusAndHeaders) -> str:
    """The range of an answer that has not all of a page; "" of one that has, or says no range."""
    said = headers.get_header("Content-Range") or ""
    match = _RANGE.match(said)
    if match is None or (match[1] == "0" and match[3] in ("*", str(int(match[2]) + 1))):
        return ""
    return match[0].strip()


def _answer_without_header(
    record: Record, block: Block, head: Head, limits: Limits, truncated: str, *, first: bytes
) -> Answer:
    """The answer in a block that begins with `first`, and with no HTTP header: a page, if it is HTML.

    Servers of HTTP 0.9 sent none, and some crawlers of the time stored none.
    """
    if head.kind == "revisit":
        return Answer(Fault(Reason.REVISIT, record.get("WARC-Profile")), is_html=False)
    media = media_type(head.media)
    if not _is_http(record, head):
        if media not in HTML_TYPES:
            return Answer(Fault(Reason.NOT_HTML, media), is_html=False)
    elif not looks_html(first + record.peek(_SNIFFED)):
        return Answer(Fault(Reason.BAD_HTTP, f"begins with {first[:60]!r}"), is_html=False)
    declared = head.media if media in HTML_TYPES else ""
    return replace(
        _page(block, None, declared, limits, truncated, ahead=first), content_type=declared
    )


def _is_http(record: Record, head: Head) -> bool:
    """True if the response must hold an HTTP answer; others are dns:, ftp: and the like."""
    if record.is_arc or not head.media:
        return head.url.lower().startswith(("http:", "https:"))
    return media_type(head.media) == HTTP_TYPE


def _no_page(media: str, kind: str) -> Answer:
    """A body that is no HTML, whatever it was served as."""
    detail = f"{media}, but {kind} by its first bytes" if media else kind
    return Answer(Fault(Reason.NOT_HTML, detail), is_html=False)


def _page(
    block: Block,
    headers: StatusAndHeaders | None,
    declared: str,
    limits: Limits,
    truncated: str,
    *,
    ahead: bytes = b"",
) -> Answer:
    """The page in what was read `ahead` of the block and in its rest, if it is one."""
    media = media_type(declared)
    is_html = media in HTML_TYPES
    if is_telling(media) and not is_html:
        return Answer(Fault(Reason.NOT_HTML, media), is_html)
    parts: list[bytes] = []
    try:
        stored = collect(chain((ahead,), block.body), limits.payload_bytes, parts=parts)
        stored = Body(stored.data, truncated or stored.truncated)
        body = decode(stored, headers, limits.payload_bytes)
    except InputError as e:
        is_plain = not (headers and headers.get_header("Content-Encoding"))
        if (
            e.reason is Reason.TOO_LARGE
            and is_plain
            and (kind := binary_type(next(filter(None, parts))))
        ):
            return _no_page(media, kind)
        return Answer(Fault(e.reason, e.detail), is_html)
    if kind := binary_type(body.data):
        return _no_page(media, kind)
    if not is_html and not looks_html(body.data):
        return Answer(Fault(Reason.NOT_HTML, media), is_html)
    if body.truncated and len(body.data) < limits.truncated_bytes:
        detail = f"{body.truncated}: {len(body.data)} bytes of the page are there"
        return Answer(Fault(Reason.TRUNCATED, detail), is_html)
    if not body.truncated and _BLANK.match(body.data):
        detail = "the body is blank" if body.data else "the body is empty"
        return Answer(Fault(Reason.NO_TEXT, detail), is_html)
    return Answer(
        None,
        is_html=True,
        payload=body.data,
        digest=block.payload_digest(),
        truncated=body.truncated,
    )
