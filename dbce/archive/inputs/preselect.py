"""What a record tells of its capture before its body is read: all that a selection asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.archive.records import HTTP_TYPE, header_ahead, media_type, timestamp14

if TYPE_CHECKING:
    from dbce.archive.inputs.selection import Selection
    from dbce.archive.records import Head, Record

UNDECLARED = "unk"
"""What indexes say of a capture that declares no media type."""


def is_wanted(selection: Selection, record: Record, head: Head) -> bool:
    """Whether a record is selected; nothing of its block is passed."""
    return selection.takes_all or selection.wants(*told(selection, record, head))


def told(
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
    headers = header_ahead(record)
    if headers is not None:
        return media_type(headers.get_header("Content-Type") or "") or UNDECLARED
    media = media_type(head.media)  # dns:, ftp: and the like
    return None if media in {"", HTTP_TYPE} else media
