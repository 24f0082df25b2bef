"""Header blocks of records and of HTTP answers."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from warcio.statusandheaders import StatusAndHeaders, StatusAndHeadersParser

from dbce.model import InputError, Reason

if TYPE_CHECKING:
    from collections.abc import Callable

LINE_LENGTH = 64 * 1024  # bytes; a longer line is no header
_BLOCK_LENGTH = 1024 * 1024  # bytes; a longer block is no header
_BLOCK_LINES = 1_000  # lines of a header; servers send tens

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
