"""What pages are made of beside their HTML: style sheets, pictures and the like, as stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce.archive.inputs.record_at import body_of, record_at
from dbce.archive.records import plain_id

if TYPE_CHECKING:
    from dbce.archive.records import Record
    from dbce.model import Limits


class Resource(NamedTuple):
    """What a record holds, transfer and content encodings removed, and the type it declares."""

    content_type: str
    payload: bytes


def read_resource_at(uri: str, offset: int, record_id: str, limits: Limits) -> Resource:
    """The record at an offset of a file; as far as it is there, if it breaks off.

    Raises:
        InputError: no such record is there, or it cannot be read.
    """

    def is_wanted(record: Record) -> bool:
        return plain_id(record.get("WARC-Record-ID")) in ("", record_id)

    with record_at(uri, offset, is_wanted, record_id or "no record") as record:
        headers, body = body_of(record, limits)
        if record.get("WARC-Type").lower() == "resource":
            return Resource(record.get("Content-Type"), body)
        return Resource((headers and headers.get_header("Content-Type")) or "", body)
