"""What an HTTP answer is: its status, its media type, and whether it is HTML."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING

from dbce.archive.records.headers import checked_line, header_block, parse
from dbce.model import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from warcio.statusandheaders import StatusAndHeaders

    from dbce.archive.records.record import Record

HTTP_TYPE = "application/http"  # of a record that holds an HTTP message, header and all
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
# Media types that say nothing: the body decides.
GENERIC_TYPES = frozenset({"", "application/octet-stream", "*/*", "unknown/unknown"})

_AHEAD = 16 * 1024  # bytes in which an HTTP header says its media type and its date
_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)? +\d{3}(?!\d)", re.IGNORECASE)
_SNIFFED = 1024  # bytes that tell HTML

# The tags that browsers take for HTML: https://mimesniff.spec.whatwg.org/, section 7.1.
_HTML = re.compile(
    rb"<(?:!doctype html|(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)\b"
    rb"|!--|\?xml[^>]*>\s*(?:<!--.*?-->\s*)*<(?:!doctype )?html\b)",
    re.IGNORECASE | re.DOTALL,
)
_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


def read_header(line: Callable[[], bytes]) -> tuple[bytes, StatusAndHeaders | None]:
    """The first line, and the header of the answer (None where that is no HTTP status line).

    Raises:
        InputError: too long to be a header.
    """
    first = line()
    if not _STATUS_LINE.match(first):
        return first, None
    rest = header_block(line)
    checked_line(first)
    return first, parse(first + rest)


def header_ahead(record: Record) -> StatusAndHeaders | None:
    """The header of the answer in an open record, as far as it is needed; nothing of it is passed."""
    try:
        return read_header(BytesIO(record.peek(_AHEAD)).readline)[1]
    except InputError:
        return None


def read_request(line: Callable[[], bytes]) -> StatusAndHeaders:
    """The first line and the header of a request.

    Raises:
        InputError: too long to be a header.
    """
    return parse(header_block(line))


def status(headers: StatusAndHeaders) -> str:
    """The three digits of the status."""
    return str(headers.statusline)[:3]


def media_type(content_type: str) -> str:
    """The media type without parameters, lower case."""
    return re.split(r"[;,\s]", content_type.strip(), maxsplit=1)[0].lower()


def looks_html(body: bytes) -> bool:
    """Whether a body of no telling media type is HTML, by its first kilobyte."""
    head = body[:_SNIFFED].removeprefix(_UTF8_BOM)
    if head.startswith(_UTF16_BOMS):
        head = head[2:].replace(b"\x00", b"")
    return _HTML.match(head.lstrip()) is not None
