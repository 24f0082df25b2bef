"""What pages are made of beside their HTML: style sheets, pictures and the like, as stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce.archive.inputs.uri import open_binary
from dbce.archive.records import (
    Damage,
    collect,
    dechunk,
    decode,
    is_chunked,
    plain_id,
    read_header,
    records_at,
)
from dbce.errors import InputError
from dbce.model import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.archive.records import Record
    from dbce.config import Limits

_PIECE = 64 * 1024  # bytes read at a time


class Resource(NamedTuple):
    """What a record holds, transfer and content encodings removed, and the type it declares."""

    content_type: str
    payload: bytes


def read_resource_at(uri: str, offset: int, record_id: str, limits: Limits) -> Resource:
    """The record at an offset of a file; as far as it is there, if it breaks off.

    Raises:
        InputError: no such record is there, or it cannot be read.
    """
    try:
        with open_binary(uri) as file:
            for entry in records_at(file, (offset,)):
                if isinstance(entry, Damage):
                    raise InputError(entry.fault.reason, entry.fault.detail)
                own = plain_id(entry.get("WARC-Record-ID"))
                if own in ("", record_id):
                    return _body(entry, limits)
    except OSError as e:
        raise InputError(Reason.DAMAGED, f"{uri} cannot be read: {e.strerror or e}") from e
    raise InputError(Reason.DAMAGED, f"{record_id or 'no record'} is not at {offset} of {uri}")


def _body(record: Record, limits: Limits) -> Resource:
    limit = limits.payload_bytes
    if record.get("WARC-Type").lower() == "resource":
        return Resource(record.get("Content-Type"), collect(_pieces(record), limit).data)
    _, headers = read_header(record.line)
    pieces = dechunk(record.read) if headers and is_chunked(headers) else _pieces(record)
    body = decode(collect(pieces, limit), headers, limit)
    return Resource((headers and headers.get_header("Content-Type")) or "", body.data)


def _pieces(record: Record) -> Iterator[bytes]:
    return iter(lambda: record.read(_PIECE), b"")
