"""Reading of a source: a whole file, a piece of it or the records at some offsets, and which are selected."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from dbce.archive.inputs.page_file import open_page
from dbce.archive.inputs.selection import UNDECLARED
from dbce.archive.inputs.uri import WEB, check_there, open_binary
from dbce.archive.records import (
    HTTP_TYPE,
    header_ahead,
    media_type,
    records,
    records_at,
    timestamp14,
)
from dbce.storage import AHEAD, NEAR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.archive.inputs.selection import Selection
    from dbce.archive.inputs.source import Source
    from dbce.archive.records import Damage, Head, Record


def open_source(source: Source) -> BinaryIO:
    """The open file of a source; of a remote one little more is fetched than is asked for.

    Raises:
        FileNotFoundError: it is not there, on a web server, or is not in a WACZ any more.
        StoreError: it has vanished or cannot be opened; reading from it may raise the same.
    """
    try:
        if source.page:
            return open_page(source.uri, source.page)
        return open_binary(source.uri, AHEAD if source.offsets is None else NEAR)
    except FileNotFoundError:
        if not source.uri.startswith(WEB):  # of what an index names there not all was looked for
            check_there(source.uri)
        raise


def records_of(source: Source, file: BinaryIO) -> Iterator[Record | Damage]:
    """The records of a source and the damaged places among them, in order, from its open file.

    Raises:
        StoreError: the file cannot be read on.
    """
    if source.offsets is not None:
        return records_at(file, source.offsets)
    if source.piece is not None:
        return records(file, source.piece.start, source.piece.stop)
    return records(file)


def is_wanted(selection: Selection, record: Record, head: Head) -> bool:
    """True if the record is selected; nothing of its block is passed."""
    return selection.takes_all or selection.wants(*selection_facts(selection, record, head))


def selection_facts(
    selection: Selection, record: Record, head: Head
) -> tuple[str | None, str | None, str | None]:
    """URL, 14-digit timestamp and media type of a record; None for what it does not tell.

    The media type is told where it is asked for, and not of revisits: the record that a revisit refers
    to has it.
    """
    timestamp = timestamp14(head.timestamp) if head.timestamp else None
    return head.url or None, timestamp, _mime(record, head) if selection.mimes else None


def _mime(record: Record, head: Head) -> str | None:
    if head.kind == "resource":
        return media_type(head.media) or UNDECLARED
    if head.kind != "response":
        return None
    headers = header_ahead(record.peek)
    if headers is not None:
        return media_type(headers.get_header("Content-Type") or "") or UNDECLARED
    media = media_type(head.media)  # dns:, ftp: and the like
    return None if media in {"", HTTP_TYPE} else media
