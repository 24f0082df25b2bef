"""The answer in the block of a capture: a page, or the reason why it is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dbce.archive.records.encodings import Body, collect, decode, is_chunked
from dbce.archive.records.feed import Fault
from dbce.archive.records.headers import (
    GENERIC_TYPES,
    HTML_TYPES,
    HTTP_TYPE,
    media_type,
    read_header,
    status,
)
from dbce.archive.records.sniff import binary_type, looks_html
from dbce.model import InputError, Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from warcio.statusandheaders import StatusAndHeaders

    from dbce.archive.records.block import Block
    from dbce.archive.records.head import Head
    from dbce.archive.records.record import Record
    from dbce.model import Limits


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
        return Answer(_no_header(record, head, first), is_html=False)
    block.begin_payload(chunked=is_chunked(headers))
    content_type = headers.get_header("Content-Type") or ""
    is_html = media_type(content_type) in HTML_TYPES
    told = status(headers)
    if head.kind == "revisit":
        answer = Answer(_is_revisit(record), is_html)
    elif told.startswith("2"):
        answer = _page(block, headers, content_type, limits, truncated)
    else:
        answer = Answer(Fault(Reason.HTTP_STATUS, told), is_html)
    http_status = int(told) if told.isdecimal() else None
    return replace(answer, content_type=content_type, http_status=http_status)


def _is_revisit(record: Record) -> Fault:
    return Fault(Reason.REVISIT, record.get("WARC-Profile"))


def _no_header(record: Record, head: Head, first: bytes) -> Fault:
    """Return the reason for which a block that begins with `first`, and with no HTTP header, holds no page."""
    if head.kind == "revisit":
        return _is_revisit(record)
    if _is_http(record, head):
        return Fault(Reason.BAD_HTTP, f"begins with {first[:60]!r}")
    return Fault(Reason.NOT_HTML, media_type(head.media))


def _is_http(record: Record, head: Head) -> bool:
    """True if the response must hold an HTTP answer; others are dns:, ftp: and the like."""
    if record.is_arc or not head.media:
        return head.url.lower().startswith(("http:", "https:"))
    return media_type(head.media) == HTTP_TYPE


class _First:
    """Pieces to go through once, of which the first is kept."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.piece = b""
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self.piece = self.piece or piece
            yield piece


def _no_page(media: str, kind: str) -> Answer:
    """A body that is no HTML, whatever it was served as."""
    detail = f"{media}, but {kind} by its first bytes" if media else kind
    return Answer(Fault(Reason.NOT_HTML, detail), is_html=False)


def _page(
    block: Block,
    headers: StatusAndHeaders | None,
    content_type: str,
    limits: Limits,
    truncated: str,
) -> Answer:
    """The page in the rest of the block, if it is one."""
    media = media_type(content_type)
    is_html = media in HTML_TYPES
    if not is_html and media not in GENERIC_TYPES:
        return Answer(Fault(Reason.NOT_HTML, media), is_html)
    first = _First(block.body)
    try:
        stored = collect(first, limits.payload_bytes)
        stored = Body(stored.data, truncated or stored.truncated)
        body = decode(stored, headers, limits.payload_bytes)
    except InputError as e:
        is_plain = not (headers and headers.get_header("Content-Encoding"))
        if e.reason is Reason.TOO_LARGE and is_plain and (kind := binary_type(first.piece)):
            return _no_page(media, kind)
        return Answer(Fault(e.reason, e.detail), is_html)
    if kind := binary_type(body.data):
        return _no_page(media, kind)
    if not is_html and not looks_html(body.data):
        return Answer(Fault(Reason.NOT_HTML, media), is_html)
    if body.truncated and len(body.data) < limits.truncated_bytes:
        detail = f"{body.truncated}: {len(body.data)} bytes of the page are there"
        return Answer(Fault(Reason.TRUNCATED, detail), is_html)
    if not body.data:
        return Answer(Fault(Reason.NO_TEXT, "the body is empty"), is_html)
    return Answer(
        None,
        is_html=True,
        payload=body.data,
        digest=block.payload_digest(),
        truncated=body.truncated,
    )
