"""The answer in the block of a capture: a page without its encodings, or the reason why it is none."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from warcio.statusandheaders import StatusAndHeaders

from dbce.archive.records import message
from dbce.archive.records.feed import Fault
from dbce.archive.records.head import Head
from dbce.archive.records.identity import DIGEST_BYTES, plain_digest, sha1_text
from dbce.archive.records.record import Record
from dbce.model import InputError, Limits, Reason

# Over what a WARC-Payload-Digest is computed, where the answer has a transfer encoding, differs:
# warcio, wget and JWAT digest the body as stored, chunk lengths included; others what the chunks
# hold, which is what the standard calls the payload. Either is right here.


_NOTHING = (hashlib.new(algorithm, usedforsecurity=False) for algorithm in DIGEST_BYTES)
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
    known = algorithm in DIGEST_BYTES
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
            self._body = iter(lambda: self.read(message.BODY_PIECE), b"")
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
        for piece in message.dechunk(self.read):
            for running in self._entity:
                running.found.update(piece)
            yield piece

    def _finish(self) -> None:
        with suppress(EOFError, InputError):
            for _ in self.body:
                pass
        while self.read(message.BODY_PIECE):
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
_LAST = 64  # bytes that tell its end
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
_RANGE = re.compile(r"(?<!\d)(\d{1,18})\s*-\s*(\d{1,18})\s*/\s*(\d{1,18}|\*)", re.ASCII)
_ENDS = re.compile(rb"</html\s*>\s*\Z", re.IGNORECASE)  # whole, whatever breaks off


def binary_type(body: bytes) -> str:
    """The media type of a body that is no text; "" where its first bytes do not tell."""
    match = _ANY.match(body)
    return _SIGNATURES[match.lastindex - 1][0] if match and match.lastindex else ""


def looks_html(body: bytes) -> bool:
    """True if a body of no telling media type is HTML by its first kilobyte."""
    head = body[:_SNIFFED].removeprefix(_UTF8_BOM)
    if head.startswith(message.UTF16_BOMS):
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
        first, headers = message.read_header(block.line, record.peek)
    except InputError as e:
        return Answer(Fault(Reason.BAD_HTTP, e.detail), is_html=False)
    if headers is None:
        return _answer_without_header(record, block, head, limits, truncated, first=first)
    block.begin_payload(chunked=message.is_chunked(headers))
    declared = message.content_type(headers)
    is_html = message.media_type(declared) in message.HTML_TYPES
    status = message.status(headers)
    if head.kind == "revisit":
        answer = Answer(Fault(Reason.REVISIT, record.get("WARC-Profile")), is_html)
    elif status == "206" and (part := _part(headers)):
        answer = Answer(
            Fault(Reason.NOT_HTML, f"a part of {message.media_type(declared)}: {part}"), False
        )
    elif status.startswith("2"):
        answer = _page(block, headers, declared, limits, truncated)
    else:
        answer = Answer(Fault(Reason.HTTP_STATUS, status), is_html)
    return replace(answer, content_type=declared, http_status=int(status))


def _part(headers: StatusAndHeaders) -> str:
    """The range of an answer that has not all of a page; "" of one that has, or says no range."""
    declared = headers.get_header("Content-Range") or ""
    match = _RANGE.search(declared)
    if match is None or (match[1] == "0" and match[3] in ("*", str(int(match[2]) + 1))):
        return ""
    return declared.strip()


def _answer_without_header(
    record: Record, block: Block, head: Head, limits: Limits, truncated: str, *, first: bytes
) -> Answer:
    """The answer in a block that begins with `first`, and with no HTTP header: a page, if it is HTML.

    Servers of HTTP 0.9 sent none, and some crawlers of the time stored none.
    """
    if head.kind == "revisit":
        return Answer(Fault(Reason.REVISIT, record.get("WARC-Profile")), is_html=False)
    media = message.media_type(head.media)
    if not _is_http(record, head):
        if media not in message.HTML_TYPES:
            return Answer(Fault(Reason.NOT_HTML, media), is_html=False)
    elif not looks_html(first + record.peek(_SNIFFED)):
        return Answer(Fault(Reason.BAD_HTTP, f"begins with {first[:60]!r}"), is_html=False)
    declared = head.media if media in message.HTML_TYPES else ""
    page = _page(block, None, declared, limits, truncated, ahead=first)
    return replace(page, content_type=declared)


def _is_http(record: Record, head: Head) -> bool:
    """True if the response must hold an HTTP answer; others are dns:, ftp: and the like."""
    if record.is_arc or not head.media:
        return head.url.lower().startswith(("http:", "https:"))
    return message.media_type(head.media) == message.HTTP_TYPE


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
    media = message.media_type(declared)
    is_html = media in message.HTML_TYPES
    if message.is_telling(media) and not is_html:
        return Answer(Fault(Reason.NOT_HTML, media), is_html)
    parts: list[bytes] = []
    try:
        stored = message.collect(chain((ahead,), block.body), limits.payload_bytes, parts=parts)
        stored = message.Body(stored.data, truncated or stored.truncated)
        body = message.decode(stored, headers, limits.payload_bytes)
    except InputError as e:
        is_plain = not (headers and headers.get_header("Content-Encoding"))
        is_known = is_plain and e.reason is Reason.TOO_LARGE
        kind = binary_type(next(filter(None, parts))) if is_known else ""
        return _no_page(media, kind) if kind else Answer(Fault(e.reason, e.detail), is_html)
    if kind := binary_type(body.data):
        return _no_page(media, kind)
    if not is_html and not looks_html(body.data):
        return Answer(Fault(Reason.NOT_HTML, media), is_html)
    is_cut = bool(body.truncated) and not _ENDS.search(body.data, len(body.data) - _LAST)
    if is_cut and len(body.data) < limits.truncated_bytes:
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
