"""Headers of records and of HTTP messages, and what those of an answer declare."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING

from warcio.statusandheaders import StatusAndHeaders, StatusAndHeadersParser

from dbce.model import InputError, Reason

if TYPE_CHECKING:
    from collections.abc import Callable


LINE_LENGTH = 64 * 1024  # bytes; a longer line is no header
_BLOCK_LENGTH = 1024 * 1024  # bytes; a longer block is no header
_INTERIM = 8  # answers before the one that counts; servers send one or two
_BLOCK_LINES = 1_000  # lines of a header; servers send tens

HTTP_TYPE = "application/http"  # of a record that holds an HTTP message, header and all
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
# Media types that say nothing: the body decides.
GENERIC_TYPES = frozenset({"", "application/octet-stream", "*/*", "unknown/unknown"})

_AHEAD = 16 * 1024  # bytes in which an HTTP header says its media type and its date
_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)? +\d{3}(?!\d)", re.IGNORECASE)

# Any first line is taken: those of records and of answers are told by patterns before they come here.
_PARSER = StatusAndHeadersParser([], verify=False)


def header_block(line: Callable[[], bytes]) -> bytes:
    """The lines up to and with the first empty one, or to the end of what there is.

    Raises:
        InputError: too long to be a header.
    """
    lines: list[bytes] = []
    size = 0
    while (text := line()).strip():
        lines.append(checked_line(text))
        size += len(text)
        if size > _BLOCK_LENGTH or len(lines) > _BLOCK_LINES:
            raise InputError(
                Reason.BAD_RECORD, f"a header of more than {len(lines) - 1} lines or {size} bytes"
            )
    return b"".join(lines) + text


def checked_line(text: bytes) -> bytes:
    """The same line, as long as it was allowed to be read.

    Raises:
        InputError: it goes on behind that.
    """
    if len(text) >= LINE_LENGTH:
        raise InputError(
            Reason.BAD_RECORD,
            f"a header line of more than {LINE_LENGTH:,} bytes: {text[:40].decode('latin-1')!r}...",
        )
    return text


def parse(block: bytes) -> StatusAndHeaders:
    """The first line and the fields of a header block that is not empty."""
    return _PARSER.parse(BytesIO(block))


def read_header(line: Callable[[], bytes]) -> tuple[bytes, StatusAndHeaders | None]:
    """The first line, and the header of the answer (None where that is no HTTP status line).

    Interim answers before it, such as `100 Continue`, are passed over (RFC 9110, 15.2).

    Raises:
        InputError: too long to be a header.
    """
    first = line()
    if not _STATUS_LINE.match(first):
        return first, None
    headers = _header(first, line)
    for _ in range(_INTERIM):
        if not _is_interim(headers) or not _STATUS_LINE.match(following := line()):
            break
        first, headers = following, _header(following, line)
    return first, headers


def _header(first: bytes, line: Callable[[], bytes]) -> StatusAndHeaders:
    rest = header_block(line)
    checked_line(first)
    return parse(first + rest)


def _is_interim(headers: StatusAndHeaders) -> bool:
    """Return whether another answer follows; behind 101 another protocol begins."""
    return status(headers).startswith("1") and status(headers) != "101"


def header_ahead(peek: Callable[[int], bytes]) -> StatusAndHeaders | None:
    """The header of the answer in an open record, as far as it is needed; `peek` passes nothing of it."""
    try:
        return read_header(BytesIO(peek(_AHEAD)).readline)[1]
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
