"""What the block of a capture holds: a page, or the reason why it is none."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.archive.encodings import decode, read_body
from dbce.archive.feed import Fault
from dbce.archive.http import (
    GENERIC_TYPES,
    HTML_TYPES,
    looks_html,
    media_type,
    read_header,
    status,
)
from dbce.archive.identity import sha1_text
from dbce.errors import InputError
from dbce.model import Reason

if TYPE_CHECKING:
    from warcio.statusandheaders import StatusAndHeaders

    from dbce.archive.record import Record
    from dbce.config import Limits

_PIECE = 64 * 1024  # bytes read at a time to complete a digest


@dataclass(frozen=True, slots=True)
class Answer:
    """What a record's block holds: a page, or the reason why it is none."""

    fault: Fault | None
    is_html: bool
    content_type: str = ""
    payload: bytes = b""
    digest: str = ""


def read_answer(record: Record, kind: str, url: str, media: str, limits: Limits) -> Answer:
    """What a response, resource or revisit (`kind`) holds, by the rules.

    `media` is the media type that the record's own header declares.
    """
    if kind == "resource":
        return _page(record, None, media, limits)
    try:
        first, headers = read_header(record.line)
    except InputError as e:
        return Answer(Fault(Reason.BAD_HTTP, e.detail), is_html=False)
    content_type = (headers and headers.get_header("Content-Type")) or ""
    is_html = media_type(content_type) in HTML_TYPES
    if kind == "revisit":
        return Answer(Fault(Reason.REVISIT, record.get("WARC-Profile")), is_html)
    if headers is None:
        if _is_http(record, url, media):
            return Answer(Fault(Reason.BAD_HTTP, f"begins with {first[:60]!r}"), is_html)
        return Answer(Fault(Reason.NOT_HTML, media_type(media)), is_html)
    if not status(headers).startswith("2"):
        return Answer(Fault(Reason.HTTP_STATUS, status(headers)), is_html)
    return _page(record, headers, content_type, limits)


def _is_http(record: Record, url: str, media: str) -> bool:
    """Whether a response must hold an HTTP answer; others are dns:, ftp: and the like."""
    if record.is_arc or not media:
        return url.lower().startswith(("http:", "https:"))
    return media_type(media) == "application/http"


def _page(
    record: Record, headers: StatusAndHeaders | None, content_type: str, limits: Limits
) -> Answer:
    """The page in the rest of the block, if it is one."""
    media = media_type(content_type)
    is_html = media in HTML_TYPES
    if not is_html and media not in GENERIC_TYPES:
        return Answer(Fault(Reason.NOT_HTML, media), is_html)
    digest = hashlib.sha1(usedforsecurity=False)

    def stored(count: int) -> bytes:
        data = record.read(count)
        digest.update(data)
        return data

    try:
        body = read_body(stored, headers, limits.payload_bytes)
        payload = decode(body, headers, limits.payload_bytes)
    except InputError as e:
        return Answer(Fault(e.reason, e.detail), is_html)
    if not is_html and not looks_html(payload):
        return Answer(Fault(Reason.NOT_HTML, media), is_html)
    if not payload:
        return Answer(Fault(Reason.NO_TEXT, "the body is empty"), is_html)
    # As warcio, wget and JWAT declare it: over the body as stored, chunk lengths included.
    while stored(_PIECE):
        pass
    return Answer(None, True, content_type, payload, sha1_text(digest.digest()))
